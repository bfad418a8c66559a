package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The CSV format has all that JSON has of the results.
func TestReadCSV(t *testing.T) {
	for name, report := range reports {
		got, err := ReadCSV(strings.NewReader(render(t, report(), CSV, Options{})))
		if err != nil {
			t.Fatal(err)
		}
		want, err := ReadJSON(strings.NewReader(render(t, report(), JSON, Options{})))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(render(t, &Report{Results: want.Results}, JSON, Options{}), render(t, got, JSON, Options{})); d != "" {
			t.Errorf("%s (-JSON +CSV):\n%s", name, d)
		}
	}
}

func TestReadCSVErrors(t *testing.T) {
	const head = "suite,payload,variant,op,status,ns,samples,tied,more\n"
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "EOF"},
		{"other table", "a,b\n1,2\n", `no column "suite"`},
		{"number", head + "s,p,v,marshal,ok,1,1,,\ns,p,v,marshal,ok,fast,1,,\n", `parse error on line 3, column 1: ns: cannot read "fast"`},
		{"integer", head + "s,p,v,marshal,ok,1,1.5,,\n", `parse error on line 2, column 1: samples: cannot read "1.5"`},
		{"yes or no", head + "s,p,v,marshal,ok,1,1,maybe,\n", `parse error on line 2, column 1: tied: cannot read "maybe"`},
		{"status", head + "s,p,v,marshal,fine,1,1,,\n", `parse error on line 2, column 1: unknown status "fine"`},
		{"fields", head + "s,p,v\n", "record on line 2: wrong number of fields"},
	} {
		_, err := ReadCSV(strings.NewReader(tt.text))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	got, err := ReadCSV(strings.NewReader(head + "s,p,v,marshal,ok,1.5,1,true,\n"))
	if err != nil || got.Results[0].NS.Median != 1.5 || !got.Results[0].Tied || got.Results[0].BytesOp != 0 {
		t.Errorf("with other columns: %+v, %v", got, err)
	}
}
