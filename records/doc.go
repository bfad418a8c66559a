// Package records reads records out of files, a batch at a time, in every form that data without
// generated code comes in: JSON documents, arrays of them and JSON lines, google.protobuf.Value,
// Struct and ListValue in wire form, messages of a schema, BSON and MessagePack.
//
// # Concepts
//
// A [Split] is a file or a range of its bytes. [Whole] makes one of each file, [Divide] several of
// those files that can be divided: JSON lines that are not compressed. A record belongs to the split
// that its first byte lies in, so that splits can be read by other processes, on other machines, and
// together are the file: no record twice, none left out.
//
// A [Batch] is some hundreds of kilobytes of records, which is what workers get; [Batch.Records] goes
// over them. A [Record] is bytes and the place that they are from: file, line in a text, number in a
// binary form, offset.
//
// [Each] has several workers read batches in any order, [InOrder] has them work at once and keeps
// the order of the results. [Open] and [Reader.Next] are for those who want neither:
//
//	splits, err := records.Divide(files, options, 256<<20)
//	…
//	var broken records.Tally // skips and counts; with Refuse the first one ends the work
//	err = records.Each(ctx, splits, options, 0, func(worker int, b *records.Batch) error {
//		for r := range b.Records() {
//			err := r.Err // it could not be seen where the record ends, or it is too long
//			if err == nil {
//				err = profiles[worker].add(r.Data)
//			}
//			if err != nil {
//				if err := broken.Add(b, r.Fault(err)); err != nil {
//					return err
//				}
//			}
//		}
//		return nil
//	})
//
// A [Converter] converts records from any form to any other, one a worker. What a form cannot hold
// (an integer beyond 2^53 in a Value, a time of BSON in JSON) is an error, or with
// [ConvertOptions].Alter the nearest thing, counted. With To set to [Lines] every form becomes JSON
// text, for those who read nothing else:
//
//	text, err := records.NewConverter(records.ConvertOptions{From: records.BSON, To: records.Lines, Alter: true})
//	…
//	data, err := text.Append(data[:0], r)
//
// # What a record is
//
// The package finds where records begin and end; whether a record is what it should be is for those
// to judge who parse it. So broken lines of [Lines] never affect others; in [JSON] a text that
// is no JSON ends the file (the last record has [ErrFrame]), unless the file is in lines: that is
// what its name says (.jsonl, .ndjson), or its first line is an object and the next one begins as
// one. Lengths in binary forms that lead beyond the file end it, too.
//
// An array at the top level of [JSON] is a list of records, unless [Options] keep arrays; in
// [Lines] it is a record. A byte order mark does not count. gzip and zstd are recognised by what
// files begin with, but binary data only where the file's name says so too (.gz, .zst).
//
// # Limits and hostile input
//
// Memory is a few batches a worker, and as much as the longest record needs ([Options.MaxSize],
// 64 MiB where nothing is said), whatever lengths the data claims. Nothing recurses on nested data.
// JSON is read 10,000 levels deep in [JSON], and at any depth in [Lines].
package records
