package usererr

import (
	"slices"
	"strings"
)

// maxNear bounds the names that an error suggests.
const maxNear = 3

// near returns the candidates that a user who typed name may have meant, the
// most likely first, at most three.
func near(name string, candidates []string) []string {
	type scored struct {
		name  string
		score int
	}
	var found []scored
	for _, c := range candidates {
		if score, ok := nearness(name, c); ok {
			found = append(found, scored{c, score})
		}
	}
	slices.SortFunc(found, func(a, b scored) int {
		if a.score != b.score {
			return a.score - b.score
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, f := range found[:min(len(found), maxNear)] {
		names = append(names, f.name)
	}
	return names
}

// nearness rates how far candidate is from name: 0 is equal but for case.
func nearness(name, candidate string) (int, bool) {
	a, b := strings.ToLower(name), strings.ToLower(candidate)
	best := distance(a, b)
	// The package is what people mistype least and forget most, so the last
	// part counts by itself too, at the price of one edit.
	best = min(best, distance(lastPart(a), lastPart(b))+1)
	return best, best <= max(1, min(3, len(lastPart(a))/3+1))
}

// lastPart is what follows the last dot of a name.
func lastPart(name string) string {
	return name[strings.LastIndexByte(name, '.')+1:]
}

// maxNameLength bounds the names that are compared: the cost of a comparison is
// the product of the lengths, and a hostile name may be a megabyte.
const maxNameLength = 256

// distance is the number of letters to insert, delete, replace or swap with
// their neighbour to make b of a.
func distance(a, b string) int {
	if len(a) > maxNameLength || len(b) > maxNameLength {
		return maxNameLength
	}
	var before []int
	previous, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, previous, row = previous, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

// DidYouMean returns the end of an error message that suggests, of the
// candidates, what a user who typed name may have meant; "" if none is near.
func DidYouMean(name string, candidates []string) string {
	names := near(name, candidates)
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + OrList(names) + "?"
}

// OrList is "a", "a or b", "a, b or c".
func OrList(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
