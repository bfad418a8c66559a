package messages

import (
	_ "embed"

	profile "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
	querier "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"google.golang.org/protobuf/proto"

	"github.com/protean-pb/protean/benchmarks/internal/fake"
)

// compilerProfile is a CPU profile of the Go compiler as runtime/pprof wrote it, uncompressed.
//
//go:embed compiler.binpb
var compilerProfile []byte

// pprofProfile is that profile with so many of its samples at most, and what they refer to.
func pprofProfile(samples int) func() proto.Message {
	return func() proto.Message {
		p := new(profile.Profile)
		check(proto.Unmarshal(compilerProfile, p))
		if len(p.Sample) > samples {
			p.Sample = p.Sample[:samples]
			dropUnused(p)
		}
		return p
	}
}

// dropUnused drops locations and functions that no sample refers to, and as much of the strings.
func dropUnused(p *profile.Profile) {
	locations, functions := map[uint64]bool{}, map[uint64]bool{}
	for _, s := range p.Sample {
		for _, id := range s.LocationId {
			locations[id] = true
		}
	}
	p.Location = keep(p.Location, func(l *profile.Location) bool { return locations[l.Id] })
	for _, l := range p.Location {
		for _, line := range l.Line {
			functions[line.FunctionId] = true
		}
	}
	p.Function = keep(p.Function, func(f *profile.Function) bool { return functions[f.Id] })
	p.StringTable = p.StringTable[:min(len(p.StringTable), 2*len(p.Function))]
}

// keep returns those of the list that are wanted.
func keep[T any](list []T, wanted func(T) bool) []T {
	var kept []T
	for _, x := range list {
		if wanted(x) {
			kept = append(kept, x)
		}
	}
	return kept
}

// flamegraph is a merged profile as a browser draws it: a level for each depth of the stack, four numbers for each
// frame on it (offset, total, self, name), of which the deeper ones are smaller.
func flamegraph(depth, frames int) func() proto.Message {
	return func() proto.Message {
		r := fake.New(11)
		g := &querier.FlameGraph{Names: []string{"total"}, Total: 1 << 40, MaxSelf: 1 << 34}
		for range frames / 4 {
			g.Names = append(g.Names, "github.com/acme/"+r.Word()+"/"+r.Word()+".(*"+r.Word()+")."+r.Word())
		}
		for level := range depth {
			values := new(querier.Level)
			for range 1 + frames*level*(depth-level)/(depth*depth) {
				total := r.Int64N(1 << r.Between(8, 40-level*24/depth))
				self := int64(0)
				if r.Chance(0.4) {
					self = r.Int64N(total + 1)
				}
				values.Values = append(values.Values, r.Int64N(1<<20), total, self, int64(r.IntN(len(g.Names))))
			}
			g.Levels = append(g.Levels, values)
		}
		return &querier.SelectMergeStacktracesResponse{Flamegraph: g}
	}
}
