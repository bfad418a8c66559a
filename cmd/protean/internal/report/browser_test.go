package report

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A browser is a headless Chromium with one tab, spoken to over a pipe in the
// DevTools protocol: messages are JSON, each ended by a zero byte.
type browser struct {
	t       *testing.T
	send    *os.File
	replies chan reply
	session string
	id      int
	events  []reply // since the page was opened
}

type reply struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// patience is how long the browser may take for one step, on a busy machine.
const patience = 60 * time.Second

// startBrowser skips the test only where there is no Chromium.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"headless-shell"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium is installed (chromium, google-chrome, headless-shell): the page is not opened in a browser")
	}
	fromTest, send, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	receive, toTest, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe")
	cmd.ExtraFiles = []*os.File{fromTest, toTest} // 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fromTest.Close()
	toTest.Close()
	b := &browser{t: t, send: send, replies: make(chan reply, 1000)}
	go b.listen(receive)
	t.Cleanup(func() { b.stop(cmd) })
	b.openTab()
	return b
}

func (b *browser) listen(from *os.File) {
	defer close(b.replies)
	defer from.Close()
	for r := bufio.NewReader(from); ; {
		message, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var x reply
		if json.Unmarshal(bytes.TrimSuffix(message, []byte{0}), &x) == nil {
			b.replies <- x
		}
	}
}

// stop asks the browser to go, so that it removes what it made, and does not wait
// for ever.
func (b *browser) stop(cmd *exec.Cmd) {
	fmt.Fprintf(b.send, `{"id":1000000,"method":"Browser.close"}`+"\x00")
	killer := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	defer killer.Stop()
	for range b.replies {
	}
	_ = cmd.Wait() // it was asked to go, or killed
	b.send.Close()
}

func (b *browser) openTab() {
	b.t.Helper()
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
}

// call makes a request and reads its answer into result, unless that is nil.
func (b *browser) call(method string, params map[string]any, result any) {
	b.t.Helper()
	b.id++
	request := map[string]any{"id": b.id, "method": method}
	if params != nil {
		request["params"] = params
	}
	if b.session != "" {
		request["sessionId"] = b.session
	}
	text, err := json.Marshal(request)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.send.Write(append(text, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	answer := b.wait(method, func(r reply) bool { return r.ID == b.id })
	if answer.Error != nil {
		b.t.Fatalf("%s: %s", method, answer.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(answer.Result, result); err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
	}
}

// wait reads messages until one is the wanted one, and keeps events.
func (b *browser) wait(what string, wanted func(reply) bool) reply {
	b.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case r, ok := <-b.replies:
			if !ok {
				b.t.Fatalf("%s: the browser ended", what)
			}
			if r.Method != "" {
				b.events = append(b.events, r)
			}
			if wanted(r) {
				return r
			}
		case <-timeout:
			b.t.Fatalf("%s: no answer from the browser in %v", what, patience)
		}
	}
}

// open loads an address and waits until the page's script has run.
func (b *browser) open(address string) {
	b.t.Helper()
	b.call("Page.navigate", map[string]any{"url": "about:blank"}, nil)
	b.wait("about:blank", func(r reply) bool { return r.Method == "Page.loadEventFired" })
	b.events = nil
	b.call("Page.navigate", map[string]any{"url": address}, nil)
	b.wait(address, func(r reply) bool { return r.Method == "Page.loadEventFired" })
}

// eval returns the value of an expression as text.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var out struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true,
		"userGesture": true}, &out)
	if out.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, out.ExceptionDetails.Exception.Description)
	}
	return fmt.Sprint(out.Result.Value)
}

// key presses a key of the keyboard.
func (b *browser) key(name string, code int, text string) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.call("Input.dispatchKeyEvent",
			map[string]any{"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": code, "text": text}, nil)
	}
}

// screen sets the size of the window and the preferred colours.
func (b *browser) screen(width, height int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	b.call("Emulation.setEmulatedMedia",
		map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// complaints are what the page should not have caused: errors and warnings of the
// console, and requests other than for the page itself.
func (b *browser) complaints() []string {
	var out []string
	for _, e := range b.events {
		switch e.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded":
			out = append(out, e.Method+": "+string(e.Params))
		case "Runtime.consoleAPICalled":
			out = append(out, e.Method+": "+string(e.Params))
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if json.Unmarshal(e.Params, &p) != nil || !strings.HasPrefix(p.Request.URL, "file:") &&
				!strings.HasPrefix(p.Request.URL, "data:") && p.Request.URL != "about:blank" {
				out = append(out, "request: "+p.Request.URL)
			}
		}
	}
	return out
}

// decoded reads what the browser sends as base64.
func (b *browser) decoded(method string, params map[string]any) []byte {
	b.t.Helper()
	var out struct{ Data string }
	b.call(method, params, &out)
	bytes, err := base64.StdEncoding.DecodeString(out.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	return bytes
}

// picture takes a picture of the whole page for people to look at.
func (b *browser) picture(name string) {
	b.t.Helper()
	b.keep(name+".png", b.decoded("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}))
}

// keep writes a file into the folder of -pictures, if that is given.
func (b *browser) keep(name string, content []byte) {
	b.t.Helper()
	if *pictures == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*pictures, name), content, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
