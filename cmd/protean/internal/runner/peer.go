package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// A peer is another benchmark program, for variants whose libraries cannot be linked with the rest. It runs a slice of
// a cell whenever this program asks for one, in the same shuffled order as this program's own cells, and sleeps in
// between.
type peer struct {
	cmd    *exec.Cmd
	to     io.WriteCloser
	from   *bufio.Reader
	stderr bytes.Buffer
	dead   bool
}

// startPeers starts the other programs that cells of the request name.
func (m *measurement) startPeers() error {
	theirs := map[string][]*cell{}
	for _, c := range m.cells {
		if c.Program != "" {
			theirs[c.Program] = append(theirs[c.Program], c)
		}
	}
	for program, cells := range theirs {
		p, err := m.startPeer(program, cells)
		if err != nil {
			return err
		}
		m.peers = append(m.peers, p)
	}
	return nil
}

// startPeer starts a program with its part of the request, and waits until it is ready.
func (m *measurement) startPeer(program string, cells []*cell) (*peer, error) {
	q := m.Payload
	q.Cells = nil
	p := &peer{cmd: exec.Command(program)}
	for i, c := range cells {
		c.peer, c.peerIndex = p, i
		own := c.Cell
		own.Program = ""
		q.Cells = append(q.Cells, own)
	}
	file, err := writeRequest(m.req.Mark,
		&Request{Payloads: []Payload{q}, Round: m.req.Round, Seed: m.req.Seed, Serve: true})
	if err != nil {
		return nil, err
	}
	defer os.Remove(file)
	p.cmd.Args = append(p.cmd.Args, file)
	p.cmd.Stderr = &p.stderr
	if p.to, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.from = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", program, err)
	}
	_, err = p.event(func(e Event) bool { return e.Ready })
	return p, err
}

// writeRequest writes a request into the folder of the mark, if there is one, which the
// lab removes.
func writeRequest(mark string, r *Request) (path string, err error) {
	dir := ""
	if mark != "" {
		dir = filepath.Dir(mark)
	}
	file, err := os.CreateTemp(dir, "protean-request-*.json")
	if err != nil {
		return "", err
	}
	return file.Name(), errors.Join(json.NewEncoder(file).Encode(r), file.Close())
}

// event waits for an event that is accepts, and skips other output, such as what a library prints. After an error the
// peer is dead.
func (p *peer) event(is func(Event) bool) (Event, error) {
	for {
		line, err := p.from.ReadBytes('\n')
		var e Event
		if bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &e) == nil && is(e) {
			return e, nil
		}
		if err != nil {
			return Event{}, p.end()
		}
	}
}

// end waits for a peer that has ended by itself, and returns the reason as an error.
func (p *peer) end() error {
	p.dead = true
	err := p.cmd.Wait()
	text, _, _ := strings.Cut(strings.TrimSpace(p.stderr.String()), "\n")
	if text == "" {
		text = fmt.Sprint(err)
	}
	return fmt.Errorf("it crashed the program: %s", text)
}

// slice has the peer run a slice of a cell.
func (p *peer) slice(c *cell) (slice, error) {
	if _, err := fmt.Fprintln(p.to, c.peerIndex); err != nil {
		return slice{}, p.end()
	}
	e, err := p.event(func(e Event) bool { return e.Slice != nil })
	switch {
	case err != nil:
		return slice{}, err
	case e.Slice.Error != "":
		return slice{}, errors.New(e.Slice.Error)
	}
	s := e.Slice
	return slice{ops: s.Ops, warm: s.Warm, ns: s.NS, busy: s.Busy, collections: s.Collections,
		calibration: s.Calibration}, nil
}

// stop ends the peer.
func (p *peer) stop() {
	if !p.dead {
		p.to.Close()
		_ = p.cmd.Wait() // a failure has shown in its slices already
	}
}

// takeTurns is the peer's side: for each line of input, the index of a cell, it runs a slice of that cell and writes
// the result, until the input ends.
func (r *run) takeTurns(l *load) error {
	m, err := r.newMeasurement(l)
	if err != nil {
		return err
	}
	if err := m.loadBlock(); err != nil {
		return err
	}
	pin(r.req.Round)
	debug.SetGCPercent(collectorPercent)
	if err := m.emit(Event{Ready: true}); err != nil {
		return err
	}
	for {
		var index int
		if _, err := fmt.Fscanln(r.in, &index); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := m.emit(Event{Slice: m.serveSlice(m.cells[index])}); err != nil {
			return err
		}
	}
}

// serveSlice runs a slice for another program.
func (m *measurement) serveSlice(c *cell) *Slice {
	calibrate() // the core may have slept
	m.last = calibrate()
	var s slice
	if err := guard(func() (err error) {
		s, err = m.slice(c)
		return err
	}); err != nil {
		return &Slice{Error: err.Error()}
	}
	c.slices = append(c.slices[:0], s) // the first slice of a cell replaces the estimate of its time
	return &Slice{Ops: s.ops, Warm: s.warm, NS: s.ns, Busy: s.busy, Collections: s.collections,
		Calibration: s.calibration}
}
