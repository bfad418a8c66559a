package asmaploop

import "google.golang.org/protobuf/types/known/structpb"

type row struct{ data *structpb.Struct }

func (r *row) GetData() *structpb.Struct { return r.data }

func loops(rows []*row, s *structpb.Struct, l *structpb.ListValue, names []string) (out []any) {
	for _, r := range rows {
		out = append(out, r.data.AsMap()) // want `AsMap in a loop builds the whole tree on every pass`
	}
	for _, name := range names {
		m := s.AsMap() // want `AsMap of s builds the same tree on every pass of the loop; call it once before`
		out = append(out, m[name])
	}
	for i := 0; i < len(rows); i++ {
		r := rows[0]
		out = append(out, l.AsSlice()[i]) // want `AsSlice of l builds the same tree`
		_ = r.GetData().AsMap()           // want `AsMap in a loop`
	}
	for _, v := range l.GetValues() {
		out = append(out, v.AsInterface()) // want `AsInterface in a loop`
	}
	return out
}

func member(s *structpb.Struct, names []string) (any, bool) {
	a := s.AsMap()["a"]                // want `AsMap builds the whole tree for one member`
	b, ok := (s).AsMap()["b"].(string) // want `AsMap builds the whole tree for one member`
	_, there := s.AsMap()["c"]         // want `AsMap builds the whole tree for one member`
	for _, name := range names {
		_ = s.AsMap()[name] // want `AsMap builds the whole tree for one member`
		_ = s.GetFields()[name].AsInterface()
	}
	return []any{a, b, there}, ok
}

func fine(rows []*row, s *structpb.Struct, l *structpb.ListValue) map[string]any {
	m := s.AsMap()
	for k, v := range s.AsMap() {
		m[k] = v
	}
	for _, x := range l.AsSlice() {
		m["x"] = x
	}
	for i := len(l.AsSlice()); i > 0; i-- {
		m["i"] = i
	}
	for _, r := range rows {
		if r.data != nil {
			return r.data.AsMap()
		}
	}
	for _, r := range rows {
		if r.data != nil {
			m = r.data.AsMap()
			break
		}
	}
	for _, r := range rows {
		defer func() { _ = r.data.AsMap() }()
	}
	return m
}
