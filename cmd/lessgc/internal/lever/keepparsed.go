package lever

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var keepParsed = &Lever{
	Name:  "keep-parsed",
	Title: "keep what is parsed of a pattern or expression for the next call with it",
	way:   reuse,
	Looks: "functions that match, evaluate, replace or render: they are given a text that is a program (a pattern, an expression, a template) beside their data, and have a function of the module parse or compile it, in each call.",
	Wrong: "when the text differs from call to call, or comes from users without a bound.",
	Before: `func Find(pattern string, text []byte) []Match {
	p := compile(parse(pattern))
	return p.match(text)
}`,
	After: `var compiled sync.Map // or a map of at most some hundred texts, with a lock

func Find(pattern string, text []byte) []Match {
	p, ok := compiled.Load(pattern)
	if !ok {
		p, _ = compiled.LoadOrStore(strings.Clone(pattern), compile(parse(pattern)))
	}
	return p.(*program).match(text)
}
// and a public type that has what is compiled, for those who know their patterns`,
	Model: "What is parsed is made once for each text.",
	Risk:  Concurrency,
	Asks:  "Do the same few texts come again, and is what is made of them only read afterwards?",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}, Work: Range{0, 0.5}},
	find:  findKeepParsed,
}

func findKeepParsed(p *Line) (f Finding) {
	if !p.often() {
		return f
	}
	sums := map[*ssa.Call]int64{}
	texts := map[*ssa.Call]*ssa.Parameter{}
	for _, l := range p.site.Leaves {
		if text, call := p.parsedIn(append([]prof.Frame{p.site.Frame}, l.Callers...)); call != nil {
			sums[call] += l.Bytes
			texts[call] = text
		}
	}
	var most *ssa.Call
	all := int64(0)
	for call, n := range sums {
		all += n
		if most == nil || n > sums[most] || n == sums[most] && call.Pos() < most.Pos() {
			most = call
		}
	}
	if most == nil {
		return f
	}
	text := texts[most]
	return Finding{Share: float64(all) / float64(max(p.site.Bytes, 1)), Evidence: []Evidence{
		p.at(most.Pos(), fmt.Sprintf("%s has %s parse its parameter %s in each call%s", nameOf(text.Parent()), nameOf(most.Call.StaticCallee()), text.Name(), p.inEach())),
	}}
}

// parsedIn is the call in a stack that parses a text for a function which applies it to data, and that function's parameter;
// nil if there is none.
func (p *Line) parsedIn(stack []prof.Frame) (*ssa.Parameter, *ssa.Call) {
	for i, frame := range stack[:max(0, min(len(stack)-1, farParsed))] {
		callee, caller := p.function(frame), p.function(stack[i+1])
		if callee == nil || caller == nil || p.fns[callee.node] == nil || p.fns[caller.node] == nil || !p.known(stack[i+1]) {
			return nil, nil
		}
		fn := p.fns[callee.node]
		if !parsesProgram(fn.Name()) || !keepable(fn.Signature.Results()) {
			continue
		}
		if text, call := p.programOf(fn, p.fns[caller.node], stack[i+1]); text != nil && call.Call.StaticCallee() != nil {
			return text, call
		}
	}
	return nil, nil
}

// farParsed limits the functions between a line and the function that is given the text.
const farParsed = 24

var (
	parsing  = []string{"parse", "compile", "mustcompile", "mustparse", "lex", "tokenize"}
	programs = []string{"pattern", "regexp", "expr", "template", "replac", "program", "matcher", "glob", "rule", "query"}
	applying = []string{"eval", "match", "find", "replace", "render", "exec", "run", "format", "query", "get", "select", "test", "search", "compare", "valid", "check", "apply", "filter", "split", "glob", "expand", "gsub", "gmatch", "is"}
)

// parsesProgram reports whether a function makes something of a text that is a program, by its name.
func parsesProgram(name string) bool {
	lower := strings.ToLower(name)
	return beginsWith(name, parsing) || beginsWith(name, []string{"new", "build", "make"}) && slices.ContainsFunc(programs, func(s string) bool { return strings.Contains(lower, s) })
}

// programOf is the parameter of a caller that a function is given to parse, with the call, if the caller is one that
// applies a text to data; nil if it is not.
func (p *Line) programOf(fn, caller *ssa.Function, at prof.Frame) (*ssa.Parameter, *ssa.Call) {
	if !beginsWith(caller.Name(), applying) {
		return nil, nil
	}
	for _, c := range p.callsAbove(fn, at) {
		for _, arg := range c.Call.Args {
			text := textParameter(arg, 0)
			if text != nil && slices.ContainsFunc(caller.Params, func(other *ssa.Parameter) bool { return other != text && isData(other.Type()) }) {
				return text, c
			}
		}
	}
	return nil, nil
}

// textParameter is the string parameter that a value is, or is made of by calls and conversions alone; nil if there is none.
func textParameter(v ssa.Value, depth int) *ssa.Parameter {
	if depth > 3 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		if isString(v.Type()) {
			return v
		}
	case *ssa.Convert:
		return textParameter(v.X, depth+1)
	case *ssa.Extract:
		return textParameter(v.Tuple, depth+1)
	case *ssa.Call:
		for _, arg := range v.Call.Args {
			if found := textParameter(arg, depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}

// isData reports whether a parameter may have the data that a text is applied to.
func isData(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}
