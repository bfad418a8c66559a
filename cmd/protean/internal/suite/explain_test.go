package suite

import (
	"testing"

	"github.com/protean-pb/protean/cmd/protean/internal/usererr"
)

// badOrders are documents that do not fit an Order, each with the whole of the
// line that the user reads.
var badOrders = []struct{ text, want string }{
	// scalars
	{"{\"id\":\"a\"}\n{\"id\":3}", `stdin:2:7: field id: expected string, found 3`},
	{`{"number":"abc"}`, `stdin:1:11: field number: expected uint64, found "abc"`},
	{`{"number":-1}`, `stdin:1:11: field number: expected uint64, found -1, which is out of range`},
	{`{"number":1.5}`, `stdin:1:11: field number: expected uint64, found 1.5`},
	{`{"loyaltyPoints":3000000000}`,
		`stdin:1:18: field loyalty_points: expected int32, found 3000000000, which is out of range`},
	{`{"loyalty_points":"-2147483649"}`,
		`stdin:1:19: field loyalty_points: expected int32, found "-2147483649", which is out of range`},
	{`{"onAccount":"yes"}`, `stdin:1:14: field on_account: expected bool, found "yes"`},
	{`{"items":[{"taxRate":1e999}]}`,
		`stdin:1:22: field items[0].tax_rate: expected double, found 1e999, which is out of range`},
	{`{"items":[{"product":{"dimensions":{"lengthCm":1e39}}}]}`,
		`stdin:1:48: field items[0].product.dimensions.length_cm: expected float, found 1e39, which is out of range`},
	{`{"items":[{"quantity":4294967296}]}`,
		`stdin:1:23: field items[0].quantity: expected uint32, found 4294967296, which is out of range`},
	{`{"receiptDigest":"%%%"}`, `stdin:1:18: field receipt_digest: expected base64 (bytes), found "%%%"`},
	{`{"id":{"a":1}}`, `stdin:1:7: field id: expected string, found an object`},
	{`{"id":["a"]}`, `stdin:1:7: field id: expected string, found an array`},

	// names
	{"{\"customer\":\n  {\"naem\":\"x\"}}",
		`stdin:2:4: field customer.naem: no such field in shop.orders.v1.Customer; did you mean name?`},
	{`{"loyaltyPoint":1}`, `stdin:1:2: field loyaltyPoint: no such field in shop.orders.v1.Order; did you mean loyaltyPoints?`},
	{`{"loyalty_point":1}`, `stdin:1:2: field loyalty_point: no such field in shop.orders.v1.Order; did you mean loyalty_points?`},
	{`{"colour":1}`, `stdin:1:2: field colour: no such field in shop.orders.v1.Order`},
	{`{"":1}`, `stdin:1:2: field "": no such field in shop.orders.v1.Order`},
	{`{"a b":1}`, `stdin:1:2: field "a b": no such field in shop.orders.v1.Order`},
	{`{"[shop.gift]":1}`, `stdin:1:2: field [shop.gift]: no such extension in the schema`},
	{`{"id":"a","id":"b"}`, `stdin:1:11: field id: set twice`},
	{`{"placedAt":null,"placed_at":null}`, `stdin:1:18: field placed_at: set twice`},
	{`{"card":{},"transfer":{}}`, `stdin:1:12: field transfer: oneof payment set already, by card`},
	{`{"items":[{"options":[{},{"text":"a","flag":true}]}]}`,
		`stdin:1:38: field items[0].options[1].flag: oneof choice set already, by text`},

	// enums
	{`{"status":"STATUS_SHIPED"}`,
		`stdin:1:11: field status: expected a value of enum shop.orders.v1.Order.Status, found "STATUS_SHIPED"; did you mean STATUS_SHIPPED?`},
	{`{"status":"sent"}`, `stdin:1:11: field status: expected a value of enum shop.orders.v1.Order.Status, found "sent"`},
	{`{"status":true}`, `stdin:1:11: field status: expected a value of enum shop.orders.v1.Order.Status, found true`},

	// messages, lists, maps
	{`{"customer":"Nneka"}`, `stdin:1:13: field customer: expected an object (shop.orders.v1.Customer), found "Nneka"`},
	{`{"items":{}}`, `stdin:1:10: field items: expected an array of shop.orders.v1.LineItem, found an object`},
	{`{"items":[{},null]}`, `stdin:1:14: field items[1]: expected an object (shop.orders.v1.LineItem), found null`},
	{`{"items":[{"product":{"categories":"tents"}}]}`,
		`stdin:1:36: field items[0].product.categories: expected an array of string, found "tents"`},
	{`{"items":[{"product":{"categories":["a",2]}}]}`,
		`stdin:1:41: field items[0].product.categories[1]: expected string, found 2`},
	{`{"labels":[]}`, `stdin:1:11: field labels: expected an object (map of string to string), found an array`},
	{`{"labels":{"a":1}}`, `stdin:1:16: field labels["a"]: expected string, found 1`},
	{`{"labels":{"a":"b","a":"c"}}`, `stdin:1:20: field labels: key "a" set twice`},
	{`{"history":{"x":1}}`, `stdin:1:13: field history: expected a key of type int64, found "x"`},
	{`{"history":{"5":1,"5":2}}`, `stdin:1:19: field history: key "5" set twice`},
	{`{"history":{"5":"PAID"}}`,
		`stdin:1:17: field history["5"]: expected a value of enum shop.orders.v1.Order.Status, found "PAID"`},
	{`{"discounts":{"A":{"units":"x"}}}`, `stdin:1:28: field discounts["A"].units: expected int64, found "x"`},

	// well-known types
	{`{"placedAt":"yesterday"}`,
		`stdin:1:13: field placed_at: expected a time such as "2006-01-02T15:04:05Z" (google.protobuf.Timestamp), found "yesterday"`},
	{`{"placedAt":1716202489}`, `stdin:1:13: field placed_at: expected a time such as "2006-01-02T15:04:05Z" (google.protobuf.Timestamp), found 1716202489`},
	{`{"placedAt":"0000-01-01T00:00:00Z"}`,
		`stdin:1:13: field placed_at: expected a time such as "2006-01-02T15:04:05Z" (google.protobuf.Timestamp), found "0000-01-01T00:00:00Z"`},
	{`{"deliveryWindow":"2 hours"}`,
		`stdin:1:19: field delivery_window: expected a duration such as "1.5s" (google.protobuf.Duration), found "2 hours"`},
	{`{"deliveryWindow":{}}`, `stdin:1:19: field delivery_window: expected a duration such as "1.5s" (google.protobuf.Duration), found an object`},
	{`{"note":3}`, `stdin:1:9: field note: expected string, found 3`},
	{`{"attribution":[]}`, `stdin:1:16: field attribution: expected an object (google.protobuf.Struct), found an array`},
	{`{"attribution":{"a":{"b":1,"b":2}}}`, `stdin:1:28: field attribution["a"]: key "b" set twice`},
	{`{"attribution":{"a":[1,1e999]}}`,
		`stdin:1:24: field attribution["a"][1]: expected a JSON value (google.protobuf.Value), found 1e999, which is out of range`},

	// documents
	{`[{"id":"x"},3]`, `stdin:1:13: expected an object (shop.orders.v1.Order), found 3`},
	{`[[{}]]`, `stdin:1:2: expected an object (shop.orders.v1.Order), found an array`},
	{"\ufeff{\"id\":3}", `stdin:1:7: field id: expected string, found 3`},
	{"{\"customer\":{\"name\":\"佐藤 美咲\",\"email\":5}}", `stdin:1:37: field customer.email: expected string, found 5`},
	{`{"customer":"` + `a name that is longer than what fits on a line"}`,
		`stdin:1:13: field customer: expected an object (shop.orders.v1.Customer), found "a name that is longer than what fits on…`},

	// syntax
	{`{"id":"x"`, `stdin:1:10: syntax error: unexpected end of file`},
	{`{"id" "x"}`, `stdin:1:7: syntax error: invalid character '"' after object name (expecting ':')`},
	{"{\"id\":\"x\",\n}", `stdin:2:1: syntax error: invalid character '}' at start of string (expecting '"')`},
	{"{\"id\":\"x\"}\n{\"id\":tru}", `stdin:2:10: syntax error: invalid character '}' in literal true (expecting 'e')`},
	{"[{\"id\":\"x\"}\n", `stdin:2:1: syntax error: unexpected end of file`},
	{"{}\n}", `stdin:2:1: syntax error: invalid character '}' at start of value`},
	{"{} x", `stdin:1:4: syntax error: invalid character 'x' at start of value`},
	{`{"id":"\ud800"}`, "stdin:1:8: syntax error: invalid surrogate pair `\\ud800\"}` in string"},
	{`{"id":01}`, `stdin:1:8: syntax error: invalid character '1' after object value (expecting ',' or '}')`},
}

func TestExplainOrders(t *testing.T) {
	s := ordersSchema(t)
	md := message(t, s, "Order")
	for _, tt := range badOrders {
		_, err := readText(s, md, Auto, tt.text)
		wantError(t, err, tt.want)
	}
}

// badEnvelopes are about Any, with the type before its fields and behind them.
var badEnvelopes = []struct{ text, want string }{
	{`{"body":3}`, `stdin:1:9: field body: expected an object with "@type" (google.protobuf.Any), found 3`},
	{`{"body":{"a":1}}`, `stdin:1:9: field body: expected "@type", the type of the message in this google.protobuf.Any`},
	{`{"body":{"@type":"x/y.Z"}}`, `stdin:1:18: field body.@type: type "x/y.Z" is not in the schema`},
	{`{"body":{"@type":3}}`, `stdin:1:18: field body.@type: expected the type URL of a message, found 3`},
	{`{"body":{"@type":""}}`, `stdin:1:18: field body.@type: expected the type URL of a message, found ""`},
	{`{"body":{"@type":"x/shop.orders.v1.Customer","@type":"b"}}`, `stdin:1:46: field body.@type: set twice`},
	{`{"body":{"naem":3,"@type":"x/shop.orders.v1.Customer"}}`,
		`stdin:1:10: field body.naem: no such field in shop.orders.v1.Customer; did you mean name?`},
	{`{"body":{"@type":"x/shop.orders.v1.Customer","id":3}}`, `stdin:1:51: field body.id: expected string, found 3`},
	{`{"body":{"@type":"x/google.protobuf.Duration"}}`,
		`stdin:1:46: field body: expected a member "value" in this Any of google.protobuf.Duration`},
	{`{"body":{"@type":"x/google.protobuf.Duration","value":3}}`,
		`stdin:1:55: field body.value: expected a duration such as "1.5s" (google.protobuf.Duration), found 3`},
	{`{"body":{"@type":"x/google.protobuf.Duration","valu":3}}`,
		`stdin:1:47: field body.valu: no such field in an Any of google.protobuf.Duration; its members are "@type" and "value"`},
	{`{"body":{"value":"3s","@type":"x/google.protobuf.Duration","value":"3s"}}`,
		`stdin:1:60: field body.value: set twice`},
	{`{"body":{"@type":"x/google.protobuf.Value","value":{"a":1,"a":2}}}`,
		`stdin:1:59: field body.value: key "a" set twice`},
	{`{"body":{"@type":"x/google.protobuf.Empty","value":{"a":1}}}`,
		`stdin:1:53: field body.value.a: no such field in google.protobuf.Empty`},
	{`{"body":{"@type":"x/google.protobuf.Int32Value","value":"x"}}`,
		`stdin:1:57: field body.value: expected int32, found "x"`},
	{`{"body":{"@type":"x/google.protobuf.ListValue","value":3}}`,
		`stdin:1:56: field body.value: expected an array (google.protobuf.ListValue), found 3`},
	{`{"body":{"@type":"x/google.protobuf.FieldMask","value":"a_b"}}`,
		`stdin:1:56: field body.value: expected field names in lowerCamelCase with commas between (google.protobuf.FieldMask), found "a_b"`},
	{`{"body":{"@type":"x/shop.orders.v1.Envelope","body":{"sku":1,"@type":"x/shop.catalog.v1.Product"}}}`,
		`stdin:1:60: field body.body.sku: expected string, found 1`},
	{`{"headers":{"a":1,"a":2}}`, `stdin:1:19: field headers: key "a" set twice`},
	{`{"headers":{"a":1e999}}`, `stdin:1:17: field headers["a"]: expected a JSON value (google.protobuf.Value), found 1e999, which is out of range`},
}

func TestExplainAny(t *testing.T) {
	s := ordersSchema(t)
	md := message(t, s, "Envelope")
	for _, tt := range badEnvelopes {
		_, err := readText(s, md, Auto, tt.text)
		wantError(t, err, tt.want)
	}
}

// badReports are about required fields, groups and extensions.
var badReports = []struct{ text, want string }{
	{`{}`, `stdin:1:1: field vehicle_id: required field is not set`},
	{"\n [ {\"vehicleId\":\"x\",\"sequence\":1}]", `stdin:2:4: field recorded_ms: required field is not set`},
	{"{\"vehicleId\":\"x\",\"sequence\":1,\"recordedMs\":1,\n\"fault\":[{\"code\":1},\n  {}]}",
		`stdin:3:3: field fault[1].code: required field is not set`},
	{`{"vehicleId":"x","sequence":1,"recordedMs":1,"channels":{"a":{"value":1},"b":{}}}`,
		`stdin:1:78: field channels["b"].value: required field is not set`},
	{`{"vehicleId":"x","sequence":1,"recordedMs":1,"position":{"latitude":1}}`,
		`stdin:1:57: field position.longitude: required field is not set`},
	{`{"Position":{"latitude":"north"}}`, `stdin:1:25: field position.latitude: expected double, found "north"`},
	{`{"vehicleId":"x","sequence":1,"recordedMs":1,"[fleet.telemetry.tyres]":[{}]}`,
		`stdin:1:73: field [fleet.telemetry.tyres][0].axle: required field is not set`},
	{`{"[fleet.telemetry.tyres]":[{"axle":"x"}]}`,
		`stdin:1:37: field [fleet.telemetry.tyres][0].axle: expected uint32, found "x"`},
	{`{"[fleet.telemetry.tyre]":[]}`, `stdin:1:2: field [fleet.telemetry.tyre]: no such extension in the schema`},
	{`{"engine":{"[fleet.telemetry.tyres]":[]}}`,
		`stdin:1:12: field engine.[fleet.telemetry.tyres]: extends fleet.telemetry.Report, not fleet.telemetry.Engine`},
}

func TestExplainReports(t *testing.T) {
	s := telemetrySchema(t)
	md := message(t, s, "Report")
	for _, tt := range badReports {
		_, err := readText(s, md, Auto, tt.text)
		wantError(t, err, tt.want)
	}
}

// What the walk cannot explain keeps the library's words and position.
func TestExplainFallback(t *testing.T) {
	s := ordersSchema(t)
	md := message(t, s, "Order")
	for _, tt := range []struct {
		err, want string
		at        int
	}{
		{"proto:\u00a0(line 2:3): something new", "something new", 4},
		{"proto: syntax error (line 1:1): odd", "odd", 0},
		{"proto: no position", "no position", 0},
		{"proto: (line 9:9): beyond", "beyond", 10},
	} {
		at, got := explain(s.Types(), md, []byte("{\n  \"id\":1}")[:10], errText(tt.err))
		if at != tt.at || got != tt.want {
			t.Errorf("%q: got %d, %q, want %d, %q", tt.err, at, got, tt.at, tt.want)
		}
	}
}

type errText string

func (e errText) Error() string { return string(e) }

// offsetAt is the inverse of the position that an error names.
func TestOffsetAt(t *testing.T) {
	text := []byte("ab\ncédé\r\n\nx")
	for i := range string(text) {
		at := usererr.At("f", text, i, "")
		if back := offsetAt(text, at.Line, at.Column); back != i {
			t.Errorf("%d:%d: offset %d, want %d", at.Line, at.Column, back, i)
		}
	}
}
