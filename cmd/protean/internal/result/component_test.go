package result

import "testing"

func TestComponentsText(t *testing.T) {
	want := Components{{Engine, 5, 300}, {GoOwn, 0.125, 2}}
	if got := want.String(); got != "goja=5/300 go=0.125/2" {
		t.Errorf("got %s", got)
	}
	var back Components
	if err := back.Parse(want.String()); err != nil || len(back) != 2 || back[0] != want[0] || back[1] != want[1] {
		t.Errorf("read back: %v, %v", back, err)
	}
	for _, bad := range []string{"goja", "goja=5", "goja=five/300", "goja=5/"} {
		if err := back.Parse(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
