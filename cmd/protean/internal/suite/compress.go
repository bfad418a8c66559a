package suite

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A compression is a form of compressed data: what it begins with, what its files' names end
// in, and how to read it.
type compression struct {
	name, magic, extension string
	open                   func(io.Reader) (io.Reader, error)
}

// compressions are those that data may have. Gzip's method is always deflate.
var compressions = []compression{
	{"gzip", "\x1f\x8b\x08", ".gz", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"zstd", "\x28\xb5\x2f\xfd", ".zst", func(r io.Reader) (io.Reader, error) {
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	}},
}

// decompressed returns what r holds: data that begins as compressed data does is that,
// unless it is said to be binary by a format and not to be compressed by its name. (As a
// message, what gzip begins with is invalid, and what zstd begins with far-fetched.)
func decompressed(file string, r io.Reader, format DataFormat) (io.Reader, error) {
	in := bufio.NewReader(r)
	for _, c := range compressions {
		if begin, _ := in.Peek(len(c.magic)); !bytes.Equal(begin, []byte(c.magic)) {
			continue
		}
		if (format == Binary || format == Delimited) && !strings.HasSuffix(file, c.extension) {
			continue
		}
		d, err := c.open(in)
		return compressedReader{d, c.name}, c.wrap(err)
	}
	return in, nil
}

// wrap says what could not be read.
func (c *compression) wrap(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return fmt.Errorf("%s: %s", c.name, strings.TrimPrefix(err.Error(), c.name+": "))
}

// A compressedReader says in its errors what it reads.
type compressedReader struct {
	io.Reader
	name string
}

func (r compressedReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	return n, (&compression{name: r.name}).wrap(err)
}

// uncompressedName returns the name of a file without the extension of a compressed one.
func uncompressedName(file string) string {
	for _, c := range compressions {
		if path.Ext(file) == c.extension {
			return strings.TrimSuffix(file, c.extension)
		}
	}
	return file
}
