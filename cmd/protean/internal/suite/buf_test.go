package suite

import (
	"strings"
	"testing"
)

const (
	bufEvent = `syntax = "proto3"; package acme.event.v1; import "acme/common/v1/id.proto";
		message Event { acme.common.v1.ID id = 1; }`
	bufCommon = `syntax = "proto3"; package acme.common.v1; message ID { string text = 1; }`
)

// The modules of a buf workspace are import paths, in all versions of its files, from
// wherever the command runs.
func TestBufWorkspace(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		proto string
	}{
		{"module", map[string]string{
			"buf.yaml": "version: v2\n", "acme/event/v1/event.proto": bufEvent, "acme/common/v1/id.proto": bufCommon,
		}, "acme/event/v1/event.proto"},
		{"module in a folder", map[string]string{
			"api/buf.yaml":                  "version: v1\nlint:\n  use: [DEFAULT]\n",
			"api/acme/event/v1/event.proto": bufEvent, "api/acme/common/v1/id.proto": bufCommon,
		}, "api/acme/event/v1/event.proto"},
		{"module without a path", map[string]string{
			"buf.yaml":                  "version: v2\nmodules:\n  - name: buf.build/acme/api\n",
			"acme/event/v1/event.proto": bufEvent, "acme/common/v1/id.proto": bufCommon,
		}, "acme/event/v1/event.proto"},
		{"workspace", map[string]string{
			"buf.yaml": "version: v2\nmodules:\n  - path: events\n" +
				"  - path: shared/proto\n    lint: {use: [STANDARD]}\n",
			"events/acme/event/v1/event.proto": bufEvent, "shared/proto/acme/common/v1/id.proto": bufCommon,
		}, "events/acme/event/v1/event.proto"},
		{"workspace of version 1", map[string]string{
			"buf.work.yaml":   "version: v1\ndirectories:\n  - events\n  - shared\n",
			"events/buf.yaml": "version: v1\n", "shared/buf.yaml": "version: v1\n",
			"events/acme/event/v1/event.proto": bufEvent, "shared/acme/common/v1/id.proto": bufCommon,
		}, "events/acme/event/v1/event.proto"},
		{"roots", map[string]string{
			"buf.yaml":                    "version: v1beta1\nbuild:\n  roots: [a, b]\n",
			"a/acme/event/v1/event.proto": bufEvent, "b/acme/common/v1/id.proto": bufCommon,
		}, "a/acme/event/v1/event.proto"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := inDir(t, tt.files)
			s := must(ParseSchema([]string{tt.proto}, nil))(t)
			if s.roots[0] != "acme/event/v1/event.proto" {
				t.Errorf("known as %s", s.roots[0])
			}
			message(t, s, "Event")
			// From elsewhere.
			t.Chdir(t.TempDir())
			message(t, must(ParseSchema([]string{dir + "/" + tt.proto}, nil))(t), "Event")
		})
	}
}

// Import paths on the command line stand for themselves, and what cannot be had is told.
func TestBufWorkspaceErrors(t *testing.T) {
	const event = "api/acme/event/v1/event.proto"
	inDir(t, map[string]string{
		"buf.yaml":     "version: v2\nmodules: [{path: api}]\ndeps: [buf.build/acme/common, buf.build/acme/other]\n",
		event:          bufEvent,
		"bad/buf.yaml": "modules: 3\n", "bad/a.proto": bufCommon,
	})
	const at = event + `:1:50: import "acme/common/v1/id.proto" not found; searched: `
	_, err := ParseSchema([]string{event}, nil)
	wantError(t, err, at+"api, .; if it is in buf.build/acme/common or buf.build/acme/other, "+
		"give --descriptor-set with what buf build -o writes")
	_, err = ParseSchema([]string{event}, []string{"api"})
	wantError(t, err, at+"api")
	_, err = ParseSchema([]string{"bad/a.proto"}, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "bad/buf.yaml: ") {
		t.Errorf("%v", err)
	}
}
