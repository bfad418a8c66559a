package migrate

import (
	"slices"
	"strings"
	"testing"
)

// Each way out is offered for the moves that it is for, and for no others.
func TestPlans(t *testing.T) {
	const beside, oneof, bytes, pairs, text, readers, writers, name = "new fields beside", "a oneof of",
		"bytes of the same number",
		"repeated KeyValue", "the old schema, with JSON text", "the same change, readers first", "the same change, writers first",
		"the new name in the schema"
	for _, tt := range []struct {
		move  string
		order Rollout
		want  []string
	}{
		{"Value → bytes with JSON text in them", Both, []string{beside, oneof, bytes, text}},
		{"Value → Struct", Both, []string{beside, oneof, bytes}},
		{"Struct → a typed message", Both, []string{beside, oneof, bytes, pairs}},
		{"int64 → int32", Both, []string{writers, beside, oneof}},
		{"int32 → int64", Both, []string{readers, beside, oneof}},
		{"rename", Both, []string{name, beside}},
		{"new enum value", Both, []string{readers}},
		{"field removed", Both, []string{writers, beside}},
		{"repeated → singular, of strings", Both, []string{beside}},
		{"map values int64 → string", Both, []string{beside}},
		{"field deep in a recursive type, int64 → int32", Both, []string{writers, beside, oneof}},
		{"int64 → int32", WritersFirst, nil},
		{"nothing changes", Both, nil},
	} {
		t.Run(tt.move+" "+tt.order.String(), func(t *testing.T) {
			m := find(t, tt.move)
			before, after := side(t, m.Old, m.Message), side(t, m.New, m.Message)
			all := Samples{Old: samples(t, before, m.Data), New: samples(t, after, m.NewData)}
			r, err := Prove(t.Context(), before, after, all, Options{})
			if err != nil {
				t.Fatal(err)
			}
			plans, err := Plans(t.Context(), before, after, all, Options{}, r, tt.order)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range plans {
				got = append(got, p.Title)
				if p.Proof == "" || len(p.Steps) == 0 {
					t.Errorf("%q has no proof or no steps", p.Title)
				}
			}
			if !slices.EqualFunc(got, tt.want, strings.HasPrefix) {
				t.Errorf("plans\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func find(t *testing.T, name string) *move {
	t.Helper()
	moves := readMoves(t)
	i := slices.IndexFunc(moves, func(m move) bool { return m.Move == name })
	if i < 0 {
		t.Fatalf("no move %q", name)
	}
	return &moves[i]
}

// A way that does harm is not offered: its proof is the same trial as that of the change.
func TestHarmfulPlan(t *testing.T) {
	m := find(t, "Value → bytes with JSON text in them")
	before, after := side(t, m.Old, ""), side(t, m.New, "")
	p := &planner{ctx: t.Context(), before: before, after: after}
	proof, err := p.prove(newCandidate(after), Options{})
	if err != nil || proof != "" {
		t.Errorf("the change itself is proven: %q, %v", proof, err)
	}
	proof, err = p.prove(newCandidate(before), Options{})
	if err != nil || proof == "" {
		t.Errorf("no change is not proven: %q, %v", proof, err)
	}
}

// The schema lines that a plan prints are those of the candidate that was proven.
func TestPlanSchema(t *testing.T) {
	m := find(t, "int64 → int32")
	before, after := side(t, m.Old, ""), side(t, m.New, "")
	r, err := Prove(t.Context(), before, after, Samples{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	plans, err := Plans(t.Context(), before, after, Samples{}, Options{}, r, ReadersFirst)
	if err != nil || len(plans) != 3 {
		t.Fatalf("%d plans, %v", len(plans), err)
	}
	if got, want := strings.Join(plans[1].Schema, " "), "int64 n = 1; int32 n_v2 = 2;"; got != want {
		t.Errorf("beside: %s, want %s", got, want)
	}
	if got, want := strings.Join(plans[2].Schema, " "),
		"oneof n_kind {   int64 n = 1;   int32 n_v2 = 2; }"; got != want {
		t.Errorf("oneof: %s, want %s", got, want)
	}
}
