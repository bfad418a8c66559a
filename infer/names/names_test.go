package names

import "testing"

func TestField(t *testing.T) {
	for key, want := range map[string]string{
		"fooBar": "foo_bar", "HTTPServer": "http_server", "userID": "user_id", "URLs": "urls", "+1": "plus_1", "-1": "minus_1", "$oid": "oid",
		"a b-c.d": "a_b_c_d", "1st": "n1st", "Miles_per_Gallon": "miles_per_gallon", "x1": "x1", "version2Beta": "version2_beta", "日本": "field_9f26ee51",
	} {
		if got := Field(key); got != want {
			t.Errorf("%q: %s, want %s", key, got, want)
		}
	}
}

func TestMessage(t *testing.T) {
	for key, want := range map[string]string{"pull_request": "PullRequest", "HTTPServer": "HttpServer", "+1": "Plus1"} {
		if got := Message(key); got != want {
			t.Errorf("%q: %s, want %s", key, got, want)
		}
	}
}

func TestSingular(t *testing.T) {
	for key, want := range map[string]string{
		"users": "user", "repositories": "repository", "statuses": "status", "addresses": "address", "boxes": "box", "status": "status",
		"children": "child", "branches": "branch", "news": "news", "data": "data", "bus": "bus",
	} {
		if got := Singular(key); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
}
