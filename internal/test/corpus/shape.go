package corpus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// Word returns a random word of letters.
func Word(r *rand.Rand) string {
	b := make([]byte, 3+r.IntN(9))
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

func words(r *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = Word(r)
	}
	return strings.Join(out, " ")
}

// twitter is a nested answer of an interface for social media.
func twitter(r *rand.Rand) any {
	var statuses []any
	for range 20 {
		statuses = append(statuses, map[string]any{
			"id_str":     fmt.Sprint(r.Uint64()),
			"created_at": "Mon Sep 24 03:35:21 +0000 2012",
			"text":       words(r, 12) + " \U0001f600 " + Word(r),
			"truncated":  r.IntN(2) == 0,
			"user": map[string]any{
				"id_str": fmt.Sprint(r.Uint32()), "name": words(r, 2), "screen_name": Word(r),
				"followers_count": float64(r.IntN(1e6)), "verified": false, "url": nil,
				"entities": map[string]any{"description": map[string]any{"urls": []any{}}},
			},
			"entities": map[string]any{
				"hashtags": []any{map[string]any{"text": Word(r), "indices": []any{float64(3), float64(17)}}},
				"urls":     []any{}, "user_mentions": []any{},
			},
			"retweet_count": float64(r.IntN(1000)), "favorited": false, "geo": nil, "lang": "en",
		})
	}
	return map[string]any{"statuses": statuses,
		"search_metadata": map[string]any{"count": float64(20), "query": "%23freebandnames"}}
}

// rows is a table: a list of lists of cells.
func rows(r *rand.Rand) any {
	var out []any
	for i := range 200 {
		out = append(out, []any{float64(i), Word(r), r.Float64() * 100, r.IntN(2) == 0, nil,
			fmt.Sprintf("2026-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28))})
	}
	return out
}

func floats(r *rand.Rand) any {
	var out []any
	for range 1000 {
		out = append(out, r.NormFloat64()*math.Pow(10, float64(r.IntN(6))))
	}
	return out
}

func flat(r *rand.Rand, n int) any {
	out := map[string]any{}
	for i := range n {
		switch i % 3 {
		case 0:
			out[Word(r)+fmt.Sprint(i)] = Word(r)
		case 1:
			out[Word(r)+fmt.Sprint(i)] = float64(r.IntN(10000))
		default:
			out[Word(r)+fmt.Sprint(i)] = r.IntN(2) == 0
		}
	}
	return out
}

// letters has what must be escaped, and letters of several scripts.
func letters(r *rand.Rand) any {
	parts := []string{"\n", "\t", `"`, `\`, "\u0001", "é", "ж", "漢字", "\u2028", "𝄞", "/", "<b>", "\u007f", "naïve", "Ελληνικά", "עברית", "हिन्दी"}
	out := map[string]any{}
	for i := range 40 {
		var b strings.Builder
		for range 20 {
			b.WriteString(Word(r))
			b.WriteString(parts[r.IntN(len(parts))])
		}
		out[fmt.Sprint("line", i)] = b.String()
	}
	return out
}

func nested(depth int) any {
	if depth == 0 {
		return "here"
	}
	return map[string]any{"name": fmt.Sprint("level", depth), "level": float64(depth), "inner": nested(depth - 1)}
}
