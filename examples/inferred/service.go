//go:build ignore

// This program serves the inferred message over HTTP, and calls itself with each line of a file of samples. POST
// /events takes an Event as JSON, or as application/protobuf, and answers with what it has read, as JSON.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/protean-pb/protean/proto"
	"github.com/protean-pb/protean/protojson"

	"example.com/inferred/eventpb"
)

// maxBody is how many bytes a message may have.
const maxBody = 1 << 20

func events(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	event := &eventpb.Event{}
	if r.Header.Get("Content-Type") == "application/protobuf" {
		err = proto.Unmarshal(body, event)
	} else {
		err = protojson.Unmarshal(body, event)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, err := protojson.Marshal(event)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(answer); err != nil {
		log.Print(err)
	}
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /events", events)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { log.Fatal(server.Serve(listener)) }()
	if err := call("http://"+listener.Addr().String()+"/events", os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// call posts each sample, as JSON and in binary form, and fails unless both answers are the sample.
func call(url, samples string) error {
	text, err := os.ReadFile(samples)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		event := &eventpb.Event{}
		if err := protojson.Unmarshal(line, event); err != nil {
			return err
		}
		wire, err := proto.Marshal(event)
		if err != nil {
			return err
		}
		for kind, body := range map[string][]byte{"application/json": line, "application/protobuf": wire} {
			answer, err := post(url, kind, body)
			if err == nil && !bytes.Equal(answer, line) {
				err = fmt.Errorf("sent %s, got %s", line, answer)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
		}
		fmt.Printf("%s: %d bytes as JSON, %d in binary form\n", event.GetId(), len(line), len(wire))
	}
	return nil
}

func post(url, kind string, body []byte) ([]byte, error) {
	r, err := http.Post(url, kind, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	answer, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = errors.New(r.Status + ": " + string(answer))
	}
	return answer, err
}
