package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
	"github.com/protean-pb/protean/records"
)

// A converted is a part of the records, or what is known of all of them.
type converted struct {
	data    []byte // the records as they are written
	ends    []int  // of each record in data, where each has a file of its own
	records int64
	bytes   int64 // of the records as they were read

	failed, altered faults

	record []byte // memory for the next record
}

// maxConverted is how large the memory of a part may be that is used again.
const maxConverted = 8 << 20

var convertedParts = sync.Pool{New: func() any { return new(converted) }}

// newConverted returns an empty part, which may have memory of one that was released: growing a new one to the size of
// a batch would take as long as most conversions.
func newConverted() *converted {
	p := convertedParts.Get().(*converted)
	*p = converted{data: p.data[:0], ends: p.ends[:0], record: p.record[:0]}
	return p
}

// release lets the memory of a part be used again.
func (p *converted) release() {
	if cap(p.data)+cap(p.record) <= maxConverted {
		convertedParts.Put(p)
	}
}

// append adds a record in the form that is written.
func (p *converted) append(v *conversion, record []byte) {
	switch {
	case v.single:
		p.data = append(p.data, record...)
		p.ends = append(p.ends, len(p.data))
	case v.convert.To == records.JSON: // an element of an array
		if len(p.data) > 0 {
			p.data = append(p.data, ",\n"...)
		}
		p.data = append(p.data, record...)
	default:
		p.data = records.AppendFramed(p.data, v.convert.To, records.Delimited, record)
	}
}

// add adds the counts of a part.
func (p *converted) add(part *converted) {
	p.records += part.records
	p.bytes += part.bytes
	p.failed.addAll(part.failed)
	p.altered.addAll(part.altered)
}

// faults are what is to be said of records: how many they are, and the first ones.
type faults struct {
	n     int64
	first []*records.Error
}

// maxFaults is how many faults are listed.
const maxFaults = 10

func (f *faults) add(fault *records.Error) {
	f.addAll(faults{1, []*records.Error{fault}})
}

func (f *faults) addAll(more faults) {
	f.n += more.n
	f.first = append(f.first, more.first[:min(len(more.first), maxFaults-len(f.first))]...)
}

// print lists the faults.
func (f *faults) print(w io.Writer, what string) {
	if f.n == 0 {
		return
	}
	fmt.Fprintf(w, "%s %s:\n", recordCount(f.n), what)
	for _, fault := range f.first {
		fmt.Fprintf(w, "  %v\n", fault)
	}
	if more := f.n - int64(len(f.first)); more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

func recordCount(n int64) string {
	if n == 1 {
		return "1 record"
	}
	return fmt.Sprintf("%d records", n)
}

// A recordOutput is where records are written to.
type recordOutput interface {
	write(*converted) error
	// close completes what was written, or undoes it if there is an error, which it returns.
	close(error) error
}

// open opens the output.
func (f *convertFlags) open(v *conversion, stdout io.Writer) (recordOutput, error) {
	if v.single {
		if err := os.MkdirAll(f.out, 0o777); err != nil {
			return nil, usererr.FileError(f.out, err)
		}
		return &folderOutput{dir: f.out}, nil
	}
	o := &streamOutput{name: "standard output", array: v.convert.To == records.JSON}
	if f.out != "" {
		var err error
		if stdout, err = o.create(f.out); err != nil {
			return nil, usererr.FileError(f.out, err)
		}
	}
	o.buffer = bufio.NewWriterSize(stdout, 256<<10)
	var err error
	o.w, err = records.Compress(f.out, o.buffer)
	return o, err
}

// A streamOutput writes records one after the other, into a file that appears when all is done.
type streamOutput struct {
	name    string
	file    *os.File // nil for standard output
	partial string   // what the file is called until all is done
	buffer  *bufio.Writer
	w       io.WriteCloser
	array   bool // of JSON documents
	begun   bool
}

// create creates the file.
func (o *streamOutput) create(name string) (io.Writer, error) {
	o.name = name
	path := name
	if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
		o.partial = name + ".partial"
		path = o.partial
	}
	var err error
	o.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if errors.Is(err, os.ErrNotExist) {
		err = errors.New("its folder does not exist")
	}
	return o.file, err
}

func (o *streamOutput) write(part *converted) error {
	if len(part.data) == 0 {
		return nil
	}
	if o.array {
		between := "[\n"
		if o.begun {
			between = ",\n"
		}
		if _, err := io.WriteString(o.w, between); err != nil {
			return usererr.FileError(o.name, err)
		}
	}
	o.begun = true
	if _, err := o.w.Write(part.data); err != nil {
		return usererr.FileError(o.name, err)
	}
	return nil
}

func (o *streamOutput) close(failure error) error {
	if failure == nil {
		failure = o.finish()
	} else if o.file == nil {
		// What comes before the record that failed.
		return errors.Join(failure, o.buffer.Flush())
	}
	if o.file == nil {
		return failure
	}
	err := o.file.Close()
	switch {
	case o.partial == "":
	case failure != nil:
		os.Remove(o.partial)
	case err == nil:
		err = os.Rename(o.partial, o.name)
	}
	if failure == nil && err != nil {
		failure = usererr.FileError(o.name, err)
	}
	return failure
}

// finish writes what is still to be written.
func (o *streamOutput) finish() error {
	var err error
	if o.array {
		end := "\n]\n"
		if !o.begun {
			end = "[]\n"
		}
		_, err = io.WriteString(o.w, end)
	}
	if err = errors.Join(err, o.w.Close(), o.buffer.Flush()); err != nil {
		return usererr.FileError(o.name, err)
	}
	return nil
}

// A folderOutput writes each record to a file of its own.
type folderOutput struct {
	dir    string
	number int
}

func (o *folderOutput) write(part *converted) error {
	from := 0
	for _, end := range part.ends {
		o.number++
		name := filepath.Join(o.dir, fmt.Sprintf("%09d.binpb", o.number))
		if err := os.WriteFile(name, part.data[from:end], 0o666); err != nil {
			return usererr.FileError(name, err)
		}
		from = end
	}
	return nil
}

func (o *folderOutput) close(err error) error { return err }
