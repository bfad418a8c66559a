package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The CSV format has all that JSON has of the results.
func TestReadCSV(t *testing.T) {
	for name, report := range reports {
		got, err := readCSV([]byte(render(t, report(), CSV, Options{All: true})))
		if err != nil {
			t.Fatal(err)
		}
		want, err := readJSON([]byte(render(t, report(), JSON, Options{All: true})))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(render(t, &Report{Results: want.Results}, JSON, Options{All: true}),
			render(t, got, JSON, Options{All: true})); d != "" {
			t.Errorf("%s (-JSON +CSV):\n%s", name, d)
		}
	}
}

func TestReadCSVErrors(t *testing.T) {
	const head = "suite,payload,variant,op,status,ns,samples,tied,more\n"
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "EOF"},
		{"other table", "a,b\n1,2\n", `no column "suite"`},
		{"number", head + "s,p,v,marshal,ok,1,1,,\ns,p,v,marshal,ok,fast,1,,\n", `line 3: ns: cannot read "fast"`},
		{"integer", head + "s,p,v,marshal,ok,1,1.5,,\n", `line 2: samples: cannot read "1.5"`},
		{"yes or no", head + "s,p,v,marshal,ok,1,1,maybe,\n", `line 2: tied: cannot read "maybe"`},
		{"status", head + "s,p,v,marshal,fine,1,1,,\n", `line 2: unknown status "fine"`},
		{"fields", head + "s,p,v\n", "line 2: wrong number of fields"},
	} {
		_, err := readCSV([]byte(tt.text))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	got, err := readCSV([]byte(head + "s,p,v,marshal,ok,1.5,1,true,\n"))
	if err != nil || got.Results[0].NS.Median != 1.5 || !got.Results[0].Tied || got.Results[0].BytesOp != 0 {
		t.Errorf("with other columns: %+v, %v", got, err)
	}
}
