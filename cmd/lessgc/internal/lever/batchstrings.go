package lever

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var batchStrings = &Lever{
	Name:  "batch-strings",
	Title: "copy the short strings into shared chunks",
	way:   together,
	Looks: "short strings that are made of bytes, or lines that bufio.Reader.ReadString returns, of which an operation of a benchmark makes 64 or more at the line, in a loop or recursion, and which are kept together: in a slice, a map, a header, fields of other objects, or values that are set by reflection. A method is near that can keep the chunk in its receiver, or they are made in a loop. Not where they are keys that are looked up.",
	Wrong: "when one string of many is kept: it keeps its chunk of a kibibyte or so. When the strings repeat: look them up among those that are there already.",
	Before: `line, err := r.ReadString('\n')
p.lines = append(p.lines, line)`,
	After: `b, err := r.ReadSlice('\n') // on bufio.ErrBufferFull read the rest by ReadString
p.lines = append(p.lines, p.share(b))

func (p *parser) share(b []byte) string {
	if p.chunk.Cap()-p.chunk.Len() < len(b) { // chunk is a strings.Builder
		size := min(max(64, 2*p.chunk.Cap()), 1024) // small inputs take a small chunk
		p.chunk = strings.Builder{}
		p.chunk.Grow(max(size, len(b)))
	}
	start := p.chunk.Len()
	p.chunk.Write(b)
	return p.chunk.String()[start:]
}`,
	Model: "Some dozens of strings take one allocation. Their bytes are copied and collected as before.",
	Risk:  NoRisk,
	Asks:  "Are these strings all dropped at about the same time, and which value that lives as long as the operation can keep the chunk?",
	Saves: Saves{Alloc: Range{0.1, 0.5}, Collect: Range{0, 0.2}},
	find:  findBatchStrings,
}

const (
	leastSharing  = 64 // strings of an operation
	longestString = 64 // bytes of one, on the average
)

func findBatchStrings(p *Line) (f Finding) {
	if n := p.each(); n > 0 && n < leastSharing || !p.manyTogether() || p.objectSize() > longestString {
		return f
	}
	if made, share := p.textFrom(types.Byte, types.Rune); made != nil {
		if keyOfMap(made) {
			return f
		}
		return p.together(made, share, "short strings", nil)
	}
	share := p.through("bufio.(*Reader).ReadString")
	for _, c := range p.callsOnLine() {
		if share < 0.9 || !strings.HasSuffix(nameOfCall(c), ").ReadString") {
			continue
		}
		for i, part := range parts(c) {
			if i == 0 {
				return p.together(part, share, "short strings", nil)
			}
		}
	}
	return f
}

// keyOfMap reports whether a string is looked up in a map here: it may be one that is there already.
func keyOfMap(made *ssa.Convert) bool {
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.Lookup:
			if r.Index == made {
				return true
			}
		case *ssa.MapUpdate:
			if r.Key == made {
				return true
			}
		}
	}
	return false
}

// textKept are calls that keep a text in what they are called on, or in what they return: the text is an argument.
var textKept = map[string]string{
	"(reflect.Value).SetString": "they are kept in values that are set by reflection",
	"reflect.ValueOf":           "they are kept in values that are set by reflection",
	"(net/http.Header).Set":     "they are kept in a header", "(net/http.Header).Add": "they are kept in a header",
	"(net/textproto.MIMEHeader).Set": "they are kept in a header", "(net/textproto.MIMEHeader).Add": "they are kept in a header",
}
