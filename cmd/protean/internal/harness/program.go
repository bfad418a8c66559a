package harness

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

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
	// During is the cell that was worked on, where the program said it.
	During stats.Key
	// Message is the first line of what the program said.
	Message string
}

func (e *CrashError) Error() string {
	return "the benchmark program crashed: " + e.Message
}

// Processors is GOMAXPROCS of the program's processes. With one, the work of the garbage collector is part of the time
// that is measured, as on a busy server; a second, idle processor would do it off the clock.
const Processors = 1

// Run runs one process of the program on a request, which it leaves in dir, and
// hands each of its events to handle. The error is a *CrashError if the program did
// not reach its end, and the context's if that ended first.
func (p *Program) Run(ctx context.Context, dir string, req *runner.Request, handle func(runner.Event)) error {
	text, err := json.Marshal(req)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "request.json")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, p.binary, path)
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", Processors))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot start the benchmark program: %w", err)
	}
	done, during := readEvents(out, handle)
	err = cmd.Wait()
	if err := interrupted(ctx, err); err != nil {
		return err
	}
	if done && err == nil {
		return nil
	}
	crash := &CrashError{During: during, Message: firstLine(stderr.String())}
	if crash.Message == "" {
		crash.Message = "it said nothing"
		if err != nil {
			crash.Message = err.Error()
		}
	}
	return crash
}

// interrupted returns the context's error if a process failed because the user interrupted the run, and nil otherwise.
// Ctrl-C reaches every process of the terminal, so one may have died of the signal before this process handles it.
func interrupted(ctx context.Context, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGINT {
			return context.Canceled
		}
	}
	return ctx.Err()
}

// readEvents passes the program's events to handle, and skips other output, such as what a library prints. During is
// the last cell that the program began.
func readEvents(out io.Reader, handle func(runner.Event)) (done bool, during stats.Key) {
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadBytes('\n')
		var e runner.Event
		if bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &e) == nil {
			if e.Begin != nil {
				during = *e.Begin
			}
			done = done || e.Done
			handle(e)
		}
		if err != nil {
			return done, during
		}
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
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

// Path returns the path of the program's binary.
func (p *Program) Path() string { return p.binary }
