package shapes_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/protean-pb/protean/shapes"
)

func ExampleRecorder() {
	dir, err := os.MkdirTemp("", "shapes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	recorder, err := shapes.Open(dir, shapes.Options{PerSecond: 1, KeepKeys: true})
	if err != nil {
		log.Fatal(err)
	}
	event, err := structpb.NewStruct(map[string]any{"email": "sam@example.com"})
	if err != nil {
		log.Fatal(err)
	}
	for range 1000 { // within a second
		recorder.Record(event)
	}
	if err := recorder.Close(); err != nil {
		log.Fatal(err)
	}
	line, err := os.ReadFile(filepath.Join(dir, "google.protobuf.Struct.jsonl"))
	fmt.Println(len(line), err) // such as {"email":"xkrhqzvabcdnoel"}
	// Output: 28 <nil>
}
