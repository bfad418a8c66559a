package harness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/protean-pb/protean/cmd/protean/internal/runner"
	"github.com/protean-pb/protean/cmd/protean/internal/stats"
	"github.com/protean-pb/protean/cmd/protean/internal/suite"
)

// WriteSamples writes the samples of a payload into dir, as runner.Payload wants
// them, and returns the path of the file.
func WriteSamples(dir string, p *suite.Payload) (string, error) {
	var b []byte
	for _, s := range p.Samples {
		b = protowire.AppendBytes(b, s.Wire)
	}
	path := filepath.Join(dir, "samples-"+goName(p.Name)+".binpb")
	return path, os.WriteFile(path, b, 0o644)
}

// A CrashError says that the program ended without doing what was asked.
type CrashError struct {
	// During is the cell that was worked on.
	During stats.Key
	// Message is the first line of what the program said.
	Message string
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("the benchmark program crashed during %s of %s: %s", e.During.Op, e.During.Variant, e.Message)
}

// Processors is GOMAXPROCS of the program's processes. With one, what a variant
// leaves to the garbage collector is done on the clock that times the variant,
// as it would be on a busy server, and not on a processor that idles beside it.
const Processors = 1

// A process is the program at work.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// start starts the program on a request, which it leaves in dir.
func (p *Program) start(ctx context.Context, dir string, req *runner.Request) (*process, error) {
	text, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, "request-*.json")
	if err != nil {
		return nil, err
	}
	if _, err := file.Write(text); err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	x := &process{cmd: exec.CommandContext(ctx, p.binary, file.Name())}
	x.cmd.Stderr = &x.stderr
	x.cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", Processors))
	if x.in, err = x.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := x.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	x.out = bufio.NewReader(out)
	if err := x.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start the benchmark program: %w", err)
	}
	return x, nil
}

// next returns the next event. What a library prints between events is passed
// over. The error is io.EOF when the process has closed its output.
func (x *process) next() (runner.Event, error) {
	for {
		line, err := x.out.ReadBytes('\n')
		var e runner.Event
		if bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &e) == nil {
			return e, nil
		}
		if err != nil {
			return e, err
		}
	}
}

// wait ends the process's input and waits for its end. A process that has not
// done what was asked has crashed.
func (x *process) wait(ctx context.Context, done bool, during stats.Key) error {
	x.in.Close()
	err := x.cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case done && err == nil:
		return nil
	}
	crash := &CrashError{During: during, Message: firstLine(x.stderr.String())}
	if crash.Message == "" {
		crash.Message = "it said nothing"
		if err != nil {
			crash.Message = err.Error()
		}
	}
	return crash
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// Run runs one process of the program on a request and hands each of its events
// to handle. The error is a *CrashError if the program did not reach its end, and
// the context's if that ended first.
func (p *Program) Run(ctx context.Context, dir string, req *runner.Request, handle func(runner.Event)) error {
	x, err := p.start(ctx, dir, req)
	if err != nil {
		return err
	}
	done := false
	var during stats.Key
	for {
		e, err := x.next()
		if err != nil {
			return x.wait(ctx, done, during)
		}
		if e.Begin != nil {
			during = *e.Begin
		}
		done = done || e.Done
		handle(e)
	}
}

// A Worker is a process of the program that times the cells of one variant.
type Worker struct {
	process *process
	ctx     context.Context
	during  stats.Key
	encoder *json.Encoder
}

// Start starts a worker on a processor, for the cells of the payload, which are of
// one variant. It must be closed.
func (p *Program) Start(ctx context.Context, dir string, payload runner.Payload, processor int) (*Worker, error) {
	x, err := p.start(ctx, dir, &runner.Request{Payloads: []runner.Payload{payload}, Processor: processor})
	if err != nil {
		return nil, err
	}
	w := &Worker{process: x, ctx: ctx, encoder: json.NewEncoder(x.in)}
	w.during = stats.Key{Payload: payload.Name, Variant: payload.Cells[0].Variant}
	return w, nil
}

// Send gives the worker a command; Receive returns its answer. An operation that
// fails is in the answer; the error is for a process that has come to an end.
func (w *Worker) Send(c *runner.Command) error {
	w.during.Op = c.Op
	if err := w.encoder.Encode(c); err != nil {
		return w.process.wait(w.ctx, false, w.during)
	}
	return nil
}

// Receive returns the answer to the last command.
func (w *Worker) Receive() (runner.Slice, error) {
	for {
		e, err := w.process.next()
		if err != nil {
			return runner.Slice{}, w.process.wait(w.ctx, false, w.during)
		}
		if e.Slice != nil {
			return *e.Slice, nil
		}
	}
}

// Close ends the worker.
func (w *Worker) Close() {
	w.process.in.Close()
	w.process.cmd.Wait()
}

// CopySource copies the program's source into a folder, which it makes.
func (p *Program) CopySource(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		src, dst := filepath.Join(p.Dir, e.Name()), filepath.Join(dir, e.Name())
		if e.IsDir() {
			if err := os.RemoveAll(dst); err != nil {
				return err
			}
			if err := os.CopyFS(dst, os.DirFS(src)); err != nil {
				return err
			}
			continue
		}
		if e.Name() == binaryName {
			continue
		}
		text, err := os.ReadFile(src)
		if err != nil {
			return err
		}
		if err := os.WriteFile(dst, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
