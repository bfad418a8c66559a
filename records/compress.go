package records

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A compression is a form of compressed data: what it begins with, what its files' names end
// in, and how to read and write it.
type compression struct {
	name, magic, extension string
	open                   func(io.Reader) (io.ReadCloser, error)
	create                 func(io.Writer) (io.WriteCloser, error)
}

// compressions are those that data may have. Gzip's method is always deflate.
var compressions = []compression{
	{
		"gzip", "\x1f\x8b\x08", ".gz",
		func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
		func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	},
	{
		"zstd", "\x28\xb5\x2f\xfd", ".zst",
		func(r io.Reader) (io.ReadCloser, error) {
			d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
			if err != nil {
				return nil, err
			}
			return d.IOReadCloser(), nil
		},
		func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
	},
}

// maxMagic is how many bytes of a file say whether it is compressed.
const maxMagic = 4

// compressedAs returns the name of the compression of data that begins with head, or "".
func compressedAs(head []byte) string {
	for _, c := range compressions {
		if bytes.HasPrefix(head, []byte(c.magic)) {
			return c.name
		}
	}
	return ""
}

// Decompress returns what r, which is the data of the named file, holds: data that begins as
// gzip or zstd does is that, unless it is binary and not compressed by its name. (As a message,
// what gzip begins with is invalid, and what zstd begins with far-fetched.) To close the result
// does not close r.
func Decompress(file string, r io.Reader, binary bool) (io.ReadCloser, error) {
	in := bufio.NewReader(r)
	for _, c := range compressions {
		if begin, _ := in.Peek(len(c.magic)); !bytes.Equal(begin, []byte(c.magic)) {
			continue
		}
		if binary && !strings.HasSuffix(file, c.extension) {
			continue
		}
		d, err := c.open(in)
		if err != nil {
			return nil, c.wrap(err)
		}
		return compressedReader{d, c}, nil
	}
	return io.NopCloser(in), nil
}

// Compress returns a writer of compressed data into w, as the name of the file asks for (.gz,
// .zst); for other names what is written is not compressed. Close completes the data, and does
// not close w.
func Compress(file string, w io.Writer) (io.WriteCloser, error) {
	for _, c := range compressions {
		if path.Ext(file) == c.extension {
			return c.create(w)
		}
	}
	return nopCloser{w}, nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// wrap says what could not be read.
func (c *compression) wrap(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return fmt.Errorf("%s: %s", c.name, strings.TrimPrefix(err.Error(), c.name+": "))
}

// A compressedReader says in its errors what it reads.
type compressedReader struct {
	io.ReadCloser
	compression compression
}

func (r compressedReader) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	return n, r.compression.wrap(err)
}

// UncompressedName returns the name of a file without the extension of a compressed one.
func UncompressedName(file string) string {
	for _, c := range compressions {
		if path.Ext(file) == c.extension {
			return strings.TrimSuffix(file, c.extension)
		}
	}
	return file
}
