package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/protean-pb/protean/cmd/protean/internal/result"
)

// mostNames is how many names a sentence lists before "and N more".
const mostNames = 3

// names lists variants: "A", "A and B", "A, B, C and 2 more".
func names(cells []*result.Result) string {
	var list []string
	for _, c := range cells {
		list = append(list, clean(c.Variant))
	}
	return listed(list)
}

// listed cuts a list of names short and joins it.
func listed(list []string) string {
	if more := len(list) - mostNames; more > 0 {
		list = append(list[:mostNames], strconv.Itoa(more)+" more")
	}
	return join(list)
}

// join: "A", "A and B", "A, B and C".
func join(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// multiple is a ratio without its x.
func multiple(x float64) string { return strings.TrimSuffix(ratio(x), "x") }

// shareOf: "55.7 %".
func shareOf(a, b *result.Result) string {
	share := 100 * a.WireBytes / b.WireBytes
	return digits(share, max(3, wholeDigits(share))) + " %"
}

// allocations: "25 allocations instead of 1"; the noun is left out of what follows.
func allocations(a, b float64, first bool) string {
	text := exact(a)
	if first {
		text = amountOf(a, "allocation")
	}
	if a == b {
		return "the same " + text
	}
	return text + " instead of " + exact(b)
}

// amountOf: "1 allocation", "2.5 allocations".
func amountOf(n float64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%s %ss", exact(n), noun)
}

// opPhrase is an operation as a verb, to stand after "to".
func opPhrase(op string) string {
	switch op {
	case "construct":
		return "build from native data"
	case "convert":
		return "convert to native data"
	case "construct+marshal":
		return "build and marshal"
	case "unmarshal+convert":
		return "unmarshal and convert"
	case "set+get":
		return "set and get a field"
	case "envelope-marshal":
		return "marshal the envelope"
	case "envelope-unmarshal":
		return "unmarshal the envelope"
	default:
		return clean(op)
	}
}
