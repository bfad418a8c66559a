package value

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// officialMarshal is the official path from dynamic data to wire.
func officialMarshal(v any) ([]byte, error) {
	tree, err := structpb.NewValue(v)
	if err != nil {
		return nil, err
	}
	return proto.Marshal(tree)
}

// officialMarshalTyped is the official path from a Go struct to wire.
func officialMarshalTyped(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var tree structpb.Value
	if err := protojson.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	return proto.Marshal(&tree)
}

// benchmarkMarshal times marshal after a look at what it writes.
func benchmarkMarshal(b *testing.B, s shape, data any, marshal func(any) ([]byte, error)) {
	wire, err := marshal(data)
	if err != nil {
		b.Fatal(err)
	}
	var tree structpb.Value
	if err := proto.Unmarshal(wire, &tree); err != nil || !proto.Equal(&tree, s.tree) {
		b.Fatalf("another message, error %v", err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := marshal(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMarshal(b *testing.B) {
	for s := range eachShape(b) {
		b.Run(by(s.name, "official"), func(b *testing.B) { benchmarkMarshal(b, s, s.data, officialMarshal) })
		b.Run(by(s.name, "protean"), func(b *testing.B) { benchmarkMarshal(b, s, s.data, Marshal) })
		b.Run(by(s.name, "deterministic"), func(b *testing.B) {
			benchmarkMarshal(b, s, s.data, MarshalOptions{Deterministic: true}.Marshal)
		})
	}
}

func BenchmarkMarshalTyped(b *testing.B) {
	for s := range eachShape(b) {
		data := typedShape(b, s)
		if data == nil {
			continue
		}
		b.Run(by(s.name, "official"), func(b *testing.B) { benchmarkMarshal(b, s, data, officialMarshalTyped) })
		b.Run(by(s.name, "protean"), func(b *testing.B) { benchmarkMarshal(b, s, data, Marshal) })
	}
}

// typedShape returns the data of a shape in Go structs; nil if there are none for it.
func typedShape(t testing.TB, s shape) any {
	t.Helper()
	var data any
	switch s.name {
	case "small":
		data = new(smallObject)
	case "medium":
		data = new(mediumEvent)
	case "large":
		data = new(largePayload)
	case "twitter":
		data = new(timeline)
	default:
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(s.text))
	d.DisallowUnknownFields()
	if err := d.Decode(data); err != nil {
		t.Fatal(err)
	}
	return data
}

type smallObject struct {
	ID     string  `json:"id"`
	Active bool    `json:"active"`
	Age    int32   `json:"age"`
	Score  float64 `json:"score"`
}

type mediumEvent struct {
	ID        string        `json:"id"`
	Timestamp int64         `json:"timestamp"`
	EventType string        `json:"event_type"`
	Actor     eventActor    `json:"actor"`
	Tags      []string      `json:"tags"`
	Metadata  eventMetadata `json:"metadata"`
}

type eventActor struct {
	ID       string `json:"id"`
	Email    string `json:"email"`
	Verified bool   `json:"verified"`
}

type eventMetadata struct {
	IP        string `json:"ip"`
	UserAgent string `json:"user_agent"`
	Attempts  int64  `json:"attempts"`
}

type largePayload struct {
	Events []*mediumEvent `json:"events"`
}

type timeline struct {
	Statuses []status       `json:"statuses"`
	Metadata searchMetadata `json:"search_metadata"`
}

type searchMetadata struct {
	Count int    `json:"count"`
	Query string `json:"query"`
}

type status struct {
	ID           string         `json:"id_str"`
	CreatedAt    string         `json:"created_at"`
	Text         string         `json:"text"`
	Truncated    bool           `json:"truncated"`
	User         account        `json:"user"`
	Entities     statusEntities `json:"entities"`
	RetweetCount int            `json:"retweet_count"`
	Favorited    bool           `json:"favorited"`
	Geo          *time.Time     `json:"geo"` // never there
	Lang         string         `json:"lang"`
}

type account struct {
	ID             string          `json:"id_str"`
	Name           string          `json:"name"`
	ScreenName     string          `json:"screen_name"`
	FollowersCount int             `json:"followers_count"`
	Verified       bool            `json:"verified"`
	URL            *string         `json:"url"`
	Entities       accountEntities `json:"entities"`
}

type accountEntities struct {
	Description struct {
		URLs []string `json:"urls"`
	} `json:"description"`
}

type statusEntities struct {
	Hashtags     []hashtag `json:"hashtags"`
	URLs         []string  `json:"urls"`
	UserMentions []string  `json:"user_mentions"`
}

type hashtag struct {
	Text    string `json:"text"`
	Indices [2]int `json:"indices"`
}
