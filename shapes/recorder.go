package shapes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"
)

// Options say how much a [Recorder] writes. A zero field stands for what is said there.
type Options struct {
	PerSecond  float64 // messages a second, of all types together: 1
	MaxMessage int     // bytes of a message in wire format; longer ones are skipped: 1 MiB
	MaxDisk    int64   // bytes of all files together: 64 MiB
	MaxTypes   int     // types of messages, which is twice the number of open files: 64
	KeepKeys   bool    // whether the keys of maps and Structs are written as they are
}

func (o Options) withDefaults() Options {
	if o.PerSecond == 0 {
		o.PerSecond = 1
	}
	if o.MaxMessage == 0 {
		o.MaxMessage = 1 << 20
	}
	if o.MaxDisk == 0 {
		o.MaxDisk = 64 << 20
	}
	if o.MaxTypes == 0 {
		o.MaxTypes = 64
	}
	return o
}

// A Recorder writes shapes of messages to the files of one folder. It is safe for concurrent use. A nil Recorder
// records nothing.
type Recorder struct {
	options  Options
	dir      string
	interval int64 // nanoseconds between two messages
	start    time.Time
	next     atomic.Int64 // when the next message is due, from start

	mu    sync.Mutex // held while a message is written
	maker maker
	types map[protoreflect.FullName]*typeFiles
	disk  int64 // bytes in the files
	count Count
	done  bool // closed, or the disk is full
	err   error
}

// A Count says what became of the messages that were due.
type Count struct {
	Recorded int // written
	Skipped  int // too long, of one type too many, or without a ProtoJSON form
}

// Open returns a Recorder that writes to the folder, which is made if need be. Files that are there go on.
func Open(dir string, o Options) (*Recorder, error) {
	o = o.withDefaults()
	if o.PerSecond < 0 || o.MaxMessage < 0 || o.MaxDisk < 0 || o.MaxTypes < 0 {
		return nil, errors.New("shapes: an option is negative")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	r := &Recorder{
		options: o, dir: dir, interval: int64(float64(time.Second) / o.PerSecond), start: time.Now(),
		maker: newMaker(o.KeepKeys), types: map[protoreflect.FullName]*typeFiles{},
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			r.disk += info.Size()
		}
	}
	return r, nil
}

// Record writes the shape of m if a message is due. It reads m only until it returns. What goes wrong is for Close to
// say.
func (r *Recorder) Record(m proto.Message) {
	if r == nil || m == nil || !r.isDue() || !r.mu.TryLock() {
		return
	}
	defer r.mu.Unlock()
	if r.done {
		return
	}
	switch written, err := r.write(m); {
	case err != nil:
		r.err, r.done = err, true
	case written:
		r.count.Recorded++
	default:
		r.count.Skipped++
	}
}

// isDue reports whether it is the caller who is to write the next message.
func (r *Recorder) isDue() bool {
	now, next := int64(time.Since(r.start)), r.next.Load()
	return now >= next && r.next.CompareAndSwap(next, now+r.interval)
}

// Count returns what has been recorded until now.
func (r *Recorder) Count() Count {
	if r == nil {
		return Count{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

// Close closes the files, and returns the error that ended the recording, if one did.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = true
	err := r.err
	for _, t := range r.types {
		err = errors.Join(err, t.samples.Close())
	}
	r.types = nil
	return err
}

// write writes the shape of m, unless that is beyond a limit; only the disk makes an error.
func (r *Recorder) write(m proto.Message) (bool, error) {
	src := m.ProtoReflect()
	if !src.IsValid() || proto.Size(m) > r.options.MaxMessage {
		return false, nil
	}
	made, anys := r.maker.message(src)
	line, err := protojson.MarshalOptions{AllowPartial: true}.Marshal(made.Interface())
	if err != nil {
		return false, nil
	}
	line = append(line, '\n')
	t, err := r.files(src.Descriptor())
	if t == nil || err != nil {
		return false, err
	}
	schema := t.schemaWith(anys)
	if r.disk+int64(len(schema)+len(line)) > r.options.MaxDisk {
		r.done = true
		return false, nil
	}
	if len(schema) > 0 {
		if err := replace(filepath.Join(r.dir, string(src.Descriptor().FullName())+".binpb"), schema); err != nil {
			return false, fmt.Errorf("shapes: %w", err)
		}
		r.disk += int64(len(schema) - t.schema)
		t.schema = len(schema)
	}
	if _, err := t.samples.Write(line); err != nil {
		return false, fmt.Errorf("shapes: %w", err)
	}
	r.disk += int64(len(line))
	return true, nil
}

// files returns the files of a type, which are opened for the first message; nil if that is one type too many.
func (r *Recorder) files(md protoreflect.MessageDescriptor) (*typeFiles, error) {
	if t := r.types[md.FullName()]; t != nil {
		return t, nil
	}
	if len(r.types) == r.options.MaxTypes {
		return nil, nil
	}
	f, err := os.OpenFile(filepath.Join(r.dir, string(md.FullName())+".jsonl"), os.O_WRONLY|os.O_CREATE|os.O_APPEND,
		0o600)
	if err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	t := &typeFiles{md: md, samples: f, known: map[string]bool{}, set: new(descriptorpb.FileDescriptorSet)}
	r.types[md.FullName()] = t
	return t, nil
}

// typeFiles are the files of one type of messages, and the schema files that its samples need.
type typeFiles struct {
	md      protoreflect.MessageDescriptor
	samples *os.File
	known   map[string]bool // the paths of the files in the set
	set     *descriptorpb.FileDescriptorSet
	schema  int // bytes of the file that holds the set
}

// schemaWith returns the descriptor set of the type and of those in Anys, or nil if that is in the file already.
func (t *typeFiles) schemaWith(anys []protoreflect.MessageDescriptor) []byte {
	before := len(t.set.File)
	t.add(t.md.ParentFile())
	for _, md := range anys {
		t.add(md.ParentFile())
	}
	if len(t.set.File) == before {
		return nil
	}
	b, err := proto.Marshal(t.set)
	if err != nil { // a descriptor of the program's own is complete
		return nil
	}
	return b
}

// add adds a file to the set, after those that it imports.
func (t *typeFiles) add(fd protoreflect.FileDescriptor) {
	if fd == nil || fd.IsPlaceholder() || t.known[fd.Path()] {
		return
	}
	t.known[fd.Path()] = true
	for i := range fd.Imports().Len() {
		t.add(fd.Imports().Get(i).FileDescriptor)
	}
	t.set.File = append(t.set.File, protodesc.ToFileDescriptorProto(fd))
}

// replace writes a file so that it is never seen half written.
func replace(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
