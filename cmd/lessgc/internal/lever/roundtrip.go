package lever

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var roundTrip = &Lever{
	Name:  "round-trip",
	Title: "convert from one form to the other directly, without encoding and decoding",
	Looks: "a call of a function Unmarshal, Decode or Parse below which the line allocates, when what it reads has been written by a Marshal or Encode in the same function or in one of the few that hand it down.",
	Wrong: "when the round trip is what is wanted: to validate, to normalize, or to copy what has no other copy.",
	Before: `j, err := json.Marshal(x)
...
var tree any
err = yaml.Unmarshal(j, &tree) // only for other types of numbers
...
return yaml.Marshal(tree)`,
	After: `d := json.NewDecoder(bytes.NewReader(j))
d.UseNumber() // and the numbers as the other form has them
err = d.Decode(&tree)
// or write the other form from the values, without a tree`,
	Model: "A decoder that fits what was written just before does without a general parser; to go from values to values does without both.",
	Risk:  NoRisk,
	Asks:  "Can the second form be made of the values, or be read by a decoder that knows what wrote the text?",
	Saves: Saves{Alloc: Range{0.3, 0.9}, Collect: Range{0.3, 0.9}, Work: Range{0, 0.7}},
	find:  findRoundTrip,
}

// farEncoded limits the calls through which a text is passed on before it is decoded.
const farEncoded = 3

func findRoundTrip(p *Line) (f Finding) {
	if !p.often() {
		return f
	}
	for _, c := range p.callsOnLine() {
		fn, _ := callee(c.Common())
		if fn == nil || len(c.Call.Args) == 0 || !beginsWith(fn.Name(), []string{"unmarshal", "decode", "parse"}) {
			continue
		}
		share := p.below(fn)
		if share < leastCostly {
			continue
		}
		if from := p.writerOf(c.Call.Args[0], 0, map[ssa.Value]bool{}); from != nil {
			by, _ := callee(from.Common())
			return Finding{Share: share, Evidence: []Evidence{
				p.at(c.Pos(), fmt.Sprintf("%s reads a text back%s", fn.Name(), p.inEach())),
				p.at(from.Pos(), by.Name()+" has written it just before"),
			}}
		}
	}
	return f
}

// writerOf is the call of the program that has written a text, if it is an encoder's; nil if it is not known.
func (p *Line) writerOf(v ssa.Value, depth int, seen map[ssa.Value]bool) *ssa.Call {
	if seen[v] || depth > farEncoded {
		return nil
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Extract:
		return p.writerOf(v.Tuple, depth, seen)
	case *ssa.Convert:
		return p.writerOf(v.X, depth, seen)
	case *ssa.Slice:
		return p.writerOf(v.X, depth, seen)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if found := p.writerOf(e, depth, seen); found != nil {
				return found
			}
		}
	case *ssa.Parameter:
		i := slices.Index(v.Parent().Params, v)
		for _, call := range p.ownCalls(v.Parent()) {
			if i < len(call.Common().Args) && p.above(call.Pos()) {
				if found := p.writerOf(call.Common().Args[i], depth+1, seen); found != nil {
					return found
				}
			}
		}
	case *ssa.Call:
		fn, _ := callee(v.Common())
		if fn != nil && (strings.HasPrefix(fn.Name(), "Marshal") || strings.HasPrefix(fn.Name(), "Encode")) {
			return v
		}
	}
	return nil
}
