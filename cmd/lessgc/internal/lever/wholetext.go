package lever

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var wholeText = &Lever{
	Name:  "whole-text",
	Title: "convert what is in memory in one go, without a stream",
	Looks: "a reader over bytes or a string in memory that is read to its end by io.ReadAll, or given to a reader that decodes or transforms it with buffers of its own and has a twin for bytes, also by way of functions that take an io.Reader; a file or the body of a request or response that io.ReadAll reads, whose size is known.",
	Wrong: "when the stream is to be read in parts, or the size that a client says is believed without a limit.",
	Before: `r := transform.NewReader(bytes.NewReader(b), charmap.Windows1252.NewDecoder())
text, err := io.ReadAll(r)`,
	After: `text, err := charmap.Windows1252.NewDecoder().Bytes(b)`,
	Model: "The reader and its buffers go, and what io.ReadAll grows by; the result is allocated once.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.4, 0.95}, Collect: Range{0.4, 0.95}, Work: Range{0, 0.4}},
	find:  findWholeText,
}

// A streamer is a function that takes an io.Reader, and its twin that takes bytes.
type streamer struct {
	reader int    // which argument
	twin   string // what to do
}

var streamers = map[string]streamer{
	"io.ReadAll":                                   {0, "its bytes are there: Bytes of a bytes.Buffer has them, and bytes.NewReader was given them"},
	"io/ioutil.ReadAll":                            {0, "its bytes are there: Bytes of a bytes.Buffer has them, and bytes.NewReader was given them"},
	"golang.org/x/text/transform.NewReader":        {0, "Bytes of the encoding's decoder, or transform.Bytes, converts them in one go, without two buffers of 4 KB and a second copy by who reads to the end"},
	"encoding/base64.NewDecoder":                   {1, "Decode of the encoding takes them all"},
	"encoding/hex.NewDecoder":                      {0, "hex.Decode takes them all"},
	"golang.org/x/net/html/charset.NewReader":      {0, "charset.DetermineEncoding and Bytes of its decoder convert them in one go"},
	"(*golang.org/x/text/encoding.Decoder).Reader": {1, "Bytes converts them in one go, without two buffers of 4 KB and a second copy by who reads to the end"},
}

func findWholeText(p *Line) (f Finding) {
	fn := p.fns[p.fn.node]
	if fn == nil {
		return f
	}
	for _, c := range p.called() {
		stream, ok := streamers[c.name]
		if !ok || p.below(c.fn) == 0 {
			continue
		}
		call := p.callHere(fn, c)
		if call == nil || stream.reader >= len(call.Call.Args) {
			continue
		}
		arg := call.Call.Args[stream.reader]
		if text := sizeOf(arg); text != "" && strings.HasSuffix(c.name, ".ReadAll") {
			f = Finding{Share: p.below(c.fn), Evidence: []Evidence{p.at(c.call.Pos(), text)}}
			return f
		}
		if f = p.ofMemory(c, fn, arg); f.Share > 0 {
			f.Evidence = append([]Evidence{p.at(c.call.Pos(), c.name+" reads what is in memory: "+stream.twin)}, f.Evidence...)
			f.Calls = []string{profiled(c.fn)}
			return f
		}
	}
	return Finding{}
}

// callHere is the call of a function on the line; nil if it is not found.
func (p *Line) callHere(fn *ssa.Function, c called) *ssa.Call {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok && call.Pos() == c.call.Lparen {
				return call
			}
		}
	}
	return nil
}

// ofMemory is the share of the bytes of a call for which the reader that it is given is one over memory, by the
// stacks of the profile, and where that was made.
func (p *Line) ofMemory(c called, fn *ssa.Function, arg ssa.Value) (f Finding) {
	name, sum := profiled(c.fn), int64(0)
	for _, l := range p.site.Leaves {
		if len(l.Path) == 0 || l.Path[0].Func != name {
			continue
		}
		made := p.memoryReader(fn, arg, l.Callers, map[ssa.Value]bool{})
		if made == nil {
			continue
		}
		sum += l.Bytes
		if f.Evidence == nil {
			f.Evidence = []Evidence{p.at(made.Pos(), fmt.Sprintf("the reader is a %s", types.TypeString(made.Type(), nil)))}
		}
	}
	f.Share = float64(sum) / float64(max(p.site.Bytes, 1))
	return f
}

// memoryReader returns the call that makes a reader over bytes or a string; nil if it may be another reader.
func (p *Line) memoryReader(fn *ssa.Function, v ssa.Value, stack []prof.Frame, seen map[ssa.Value]bool) ssa.Value {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.MakeInterface:
		if call, ok := v.X.(*ssa.Call); ok && readsMemory(v.X.Type()) {
			return call
		}
	case *ssa.ChangeInterface:
		return p.memoryReader(fn, v.X, stack, seen)
	case *ssa.Phi:
		var made ssa.Value
		for _, e := range v.Edges {
			if made = p.memoryReader(fn, e, stack, seen); made == nil {
				return nil
			}
		}
		return made
	case *ssa.Parameter:
		if len(stack) == 0 {
			return nil
		}
		at := p.function(stack[0])
		if at == nil || p.fns[at.node] == nil {
			return nil
		}
		caller := p.fns[at.node]
		if call, arg := p.callOf(caller, stack[0].Line, fn, v); call != nil {
			return p.memoryReader(caller, arg, stack[1:], seen)
		}
	}
	return nil
}

// readsMemory reports whether a type is one of the readers of what is in memory.
func readsMemory(t types.Type) bool {
	return slices.Contains([]string{"*bytes.Reader", "*bytes.Buffer", "*strings.Reader"}, types.TypeString(t, nil))
}

// sizeOf describes how the size of a reader's content is known; "" if it is not.
func sizeOf(v ssa.Value) string {
	for {
		change, ok := v.(*ssa.ChangeInterface)
		if !ok {
			break
		}
		v = change.X
	}
	switch v := v.(type) {
	case *ssa.MakeInterface:
		if types.TypeString(v.X.Type(), nil) == "*os.File" {
			return "Stat of the file tells the size: os.ReadFile makes room for all of it at once"
		}
	case *ssa.UnOp:
		field, ok := v.X.(*ssa.FieldAddr)
		if !ok {
			return ""
		}
		switch types.TypeString(field.X.Type(), nil) {
		case "*net/http.Response", "*net/http.Request":
			return "ContentLength tells the size, unless it is negative: a buffer made with it, up to a limit, does not grow"
		}
	}
	return ""
}
