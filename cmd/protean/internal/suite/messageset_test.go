package suite

import (
	"testing"

	"google.golang.org/protobuf/proto"
)

// messageSetFiles have message sets beside messages that know nothing of them.
var messageSetFiles = map[string]string{
	"set.proto": `syntax = "proto2"; package s;
		message Set { option message_set_wire_format = true; extensions 4 to max; }
		message Item { extend Set { optional Item item = 2147483646; } optional int32 n = 1; }
		message Box {
			message Inner { option message_set_wire_format = true; extensions 4 to max; }
			optional Plain plain = 1;
		}
		extend Box.Inner { optional Item inner_item = 1000; }
		message Holder { optional Deep deep = 1; } message Deep { repeated Set sets = 1; map<string, Box.Inner> more = 2; }
		message Open { extensions 10 to max; } extend Open { optional Set set = 10; }
		message Plain { optional int32 n = 1; }`,
	"main.proto": `syntax = "proto3"; package m; import "set.proto";
		message Main { s.Plain plain = 1; s.Box box = 2; s.Item item = 3; }`,
}

// A message set refuses the messages that can hold it, and no others.
func TestMessageSets(t *testing.T) {
	const unsupported = ": the Protobuf library for Go does not support the message set wire format"
	s := must(inlineSchema(messageSetFiles, nil, "main.proto", "set.proto"))(t)
	for _, name := range []string{"m.Main", "s.Plain", "s.Box", "s.Item"} {
		md := message(t, s, name)
		if samples, err := readText(s, md, Auto, "{}"); err != nil || len(samples) != 1 {
			t.Errorf("%s: %d samples, %v", name, len(samples), err)
		}
	}
	for name, want := range map[string]string{
		"s.Set":       "set.proto: message s.Set is a message set",
		"s.Box.Inner": "set.proto: message s.Box.Inner is a message set",
		"Holder":      "set.proto: message s.Holder can hold the message set s.Box.Inner, s.Set",
		"s.Deep":      "set.proto: message s.Deep can hold the message set s.Box.Inner, s.Set",
		"s.Open":      "set.proto: message s.Open can hold the message set s.Set",
	} {
		_, err := s.Message(name)
		wantError(t, err, want+unsupported)
	}
	// The same from a descriptor set, and where nobody names the message.
	only := must(inlineSchema(map[string]string{"o.proto": `syntax = "proto2";
		message Only { option message_set_wire_format = true; extensions 4 to max; }`}, nil, "o.proto"))(t)
	_, err := only.Message("")
	wantError(t, err, "o.proto: message Only is a message set"+unsupported)
}

func TestMessageSetsOfDescriptorSet(t *testing.T) {
	c := must(newSources(linkedFiles(mapFS(messageSetFiles)), nil, nil, "."))(t)
	files, ierr := c.compile([]string{"main.proto"})
	if ierr != nil {
		t.Fatal(ierr)
	}
	set := must(ordinarySet(files))(t)
	inDir(t, map[string]string{"set.binpb": string(must(proto.Marshal(set))(t))})
	s := must(ReadDescriptorSet("set.binpb"))(t)
	message(t, s, "m.Main")
	if _, err := s.Message("s.Set"); err == nil {
		t.Error("a message set is not refused")
	}
}
