//go:build unix

package rig

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A Pair is a server and a client, in processes of their own.
type Pair struct {
	server, client *process
}

// Start starts the two processes of a variant, which end with ctx or by Stop.
func Start(ctx context.Context, variant string) (*Pair, error) {
	server, err := start(ctx, "server", variant)
	if err != nil {
		return nil, err
	}
	addr, err := server.out.ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the server of %s: %w", variant, err), server.stop())
	}
	client, err := start(ctx, "client", variant, strings.TrimSpace(addr))
	if err != nil {
		return nil, errors.Join(err, server.stop())
	}
	return &Pair{server, client}, nil
}

// Stop ends the processes.
func (p *Pair) Stop() error { return errors.Join(p.client.stop(), p.server.stop()) }

// Figures are what a call costs, in both processes together.
type Figures struct {
	CPU           time.Duration // of user and system, a call
	Allocs, Bytes float64       // a call
	P50, P99      time.Duration // from when the call was due to its response
	Rate          float64       // calls a second
}

// Run makes the calls of one round.
func (p *Pair) Run(l Load) (Figures, error) {
	l.Calls -= l.Calls % l.Callers
	var before, after usage
	var r round
	err := p.server.ask(struct{}{}, &before)
	if err == nil {
		err = p.client.ask(l, &r)
	}
	if err == nil {
		err = p.server.ask(struct{}{}, &after)
	}
	if err != nil {
		return Figures{}, err
	}
	server, n := after.since(before), float64(l.Calls)
	return Figures{
		CPU:    (r.Usage.CPU + server.CPU) / time.Duration(l.Calls),
		Allocs: float64(r.Usage.Allocs+server.Allocs) / n, Bytes: float64(r.Usage.Bytes+server.Bytes) / n,
		P50: r.P50, P99: r.P99, Rate: n / r.Time.Seconds(),
	}, nil
}

// A process is one that answers each line of JSON with another.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(ctx context.Context, args ...string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{childArg}, args...)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &process{cmd, in, bufio.NewReader(out)}, cmd.Start()
}

func (p *process) ask(question, answer any) error {
	if err := json.NewEncoder(p.in).Encode(question); err != nil {
		return err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("a process has ended: %w", err)
	}
	return json.Unmarshal(line, answer)
}

// stop closes the standard input of the process, which makes it end.
func (p *process) stop() error {
	return errors.Join(p.in.Close(), p.cmd.Wait())
}
