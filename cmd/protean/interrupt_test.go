//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A terminal is a pseudo-terminal with a reader that looks for a pattern.
type terminal struct {
	user, program *os.File // its two ends
	found         chan struct{}
	pattern       *regexp.Regexp

	mu   sync.Mutex
	text []byte
}

// openTerminal opens a terminal of 100 columns. found is closed once the program
// has written what the pattern fits.
func openTerminal(t *testing.T, pattern string) *terminal {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	fd := int(user.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 100})
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{user: user, program: program, found: make(chan struct{}), pattern: regexp.MustCompile(pattern)}
	t.Cleanup(func() { program.Close(); user.Close() })
	go x.read()
	return x
}

func (x *terminal) read() {
	found := false
	for buf := make([]byte, 4096); ; {
		n, err := x.user.Read(buf)
		x.mu.Lock()
		x.text = append(x.text, buf[:n]...)
		if !found && x.pattern.Match(x.text) {
			found = true
			close(x.found)
		}
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (x *terminal) String() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.text)
}

// drain waits until all that the program has written is read.
func (x *terminal) drain(t *testing.T) {
	t.Helper()
	const end = "<end>"
	if _, err := x.program.WriteString(end); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		x.mu.Lock()
		text, ended := bytes.CutSuffix(x.text, []byte(end))
		if ended {
			x.text = text
		}
		x.mu.Unlock()
		if ended {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the terminal does not show all that was written to it: %q", x)
}

// The progress lines that the tests wait for: a round is over; a build is under way.
const (
	roundOver = `measuring orders, round [1-9]`
	building  = `building the benchmark program`
)

// longRun measures until it is interrupted.
func longRun() []string {
	return flags(flags([]string{"bench"}, flags(ordersFlags, threeMarshal...)...), "--time", "60s", "--precision",
		"0.001%", "--format", "json")
}

// interrupted runs a command line in this process with the terminal as standard
// error, and cancels its context when the terminal has found what it looks for.
func interrupted(t *testing.T, x *terminal, args []string) outcome {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		select {
		case <-x.found:
			cancel()
		case <-ctx.Done():
		}
	}()
	var stdout bytes.Buffer
	code := run(ctx, args, strings.NewReader(""), &stdout, x.program)
	x.drain(t)
	select {
	case <-x.found:
	default:
		t.Fatalf("exit code %d before the terminal showed %q:\n%q", code, x.pattern, x)
	}
	return outcome{code, stdout.String(), x.String()}
}

// checkPartial checks the results of an interrupted run: some, and none blamed on a
// variant.
func checkPartial(t *testing.T, o outcome) {
	t.Helper()
	if o.code != exitInterrupted {
		t.Errorf("exit code %d, want %d; standard error:\n%q", o.code, exitInterrupted, o.stderr)
	}
	d := parse(t, o.stdout)
	if !d.Interrupted {
		t.Error("the results do not say that the run was interrupted")
	}
	timed := 0
	for i := range d.Results {
		c := &d.Results[i]
		if c.Status != "ok" {
			t.Errorf("%s: %s (%s)", c, c.Status, c.Reason)
		}
		if number(c.NS) > 0 {
			timed++
		}
	}
	if timed == 0 {
		t.Errorf("no cell has a time, although a round was over:\n%s", o.stdout)
	}
	if strings.Contains(o.stderr, "protean: ") {
		t.Errorf("an error on the terminal: %q", o.stderr)
	}
}

func TestInterruptMeasuring(t *testing.T) {
	builds(t)
	page := filepath.Join(t.TempDir(), "report.html")
	o := interrupted(t, openTerminal(t, roundOver), flags(longRun(), "--html", page))
	checkPartial(t, o)
	if !strings.Contains(readFile(t, page), "This run was interrupted") {
		t.Error("the page does not say that the run was interrupted")
	}
	if !strings.HasSuffix(o.stderr, "\r\x1b[K") {
		t.Errorf("the progress line is left on the terminal: %q", o.stderr[max(0, len(o.stderr)-200):])
	}
}

// An interrupted build prints nothing, and the next run builds anew.
func TestInterruptBuilding(t *testing.T) {
	builds(t)
	t.Setenv("PROTEAN_CACHE", t.TempDir())
	o := interrupted(t, openTerminal(t, building), longRun())
	if o.code != exitInterrupted || o.stdout != "" {
		t.Errorf("exit code %d, want %d; standard output %q", o.code, exitInterrupted, o.stdout)
	}
	if strings.Contains(o.stderr, "protean: ") || strings.Contains(o.stderr, "panic") {
		t.Errorf("an error on the terminal: %q", o.stderr)
	}
	benchJSON(t, exitOK, flags(ordersFlags, onlyOneSize...)...)
}

func TestInterruptBeforeStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	if code := run(ctx, []string{"bench"}, nil, &stdout, &stderr); code != exitInterrupted || stdout.Len()+
		stderr.Len() > 0 {
		t.Errorf("exit code %d, standard output %q, standard error %q", code, &stdout, &stderr)
	}
}

// Ctrl-C at a terminal reaches the command and all its processes at once. A process
// of a variant that dies of it has not crashed.
func TestControlC(t *testing.T) {
	builds(t)
	path := mustBinary(t)
	benchJSON(t, exitOK, flags(ordersFlags, onlyOneSize...)...) // builds the program
	x := openTerminal(t, roundOver)
	var stdout bytes.Buffer
	cmd := exec.CommandContext(t.Context(), path, longRun()...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = x.program, &stdout, x.program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var err error
	select {
	case <-x.found:
		if _, err := x.user.Write([]byte{3}); err != nil {
			t.Fatal(err)
		}
		select {
		case err = <-done:
		case <-time.After(30 * time.Second):
			_ = cmd.Process.Kill()
			t.Fatalf("it does not end:\n%q", x)
		}
	case err = <-done:
		t.Fatalf("it ended by itself: %v\n%q", err, x)
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("it ended with %v", err)
	}
	checkPartial(t, outcome{exit.ExitCode(), stdout.String(), x.String()})
}
