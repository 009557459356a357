package lever

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var callerBuffer = &Lever{
	Name:  "caller-buffer",
	Title: "append to a buffer of the caller",
	Looks: "a slice without pointers, or the bytes of a buffer, that a function makes and returns, when those who call it look at it and do not keep it.",
	Wrong: "when other callers keep the result: they would have to copy it.",
	Before: `func (u *User) Encode() []byte {
	b := make([]byte, 0, 64)
	return append(b, u.Name...)
}`,
	After: `func (u *User) AppendTo(b []byte) []byte {
	return append(b, u.Name...)
}`,
	Model: "With a buffer that is used again all of it goes, but for the first time.",
	Risk:  API,
	Saves: Saves{Alloc: Range{0.6, 1}, Collect: Range{0.8, 1}},
	find:  findCallerBuffer,
}

func findCallerBuffer(p *Line) (f Finding) {
	for _, o := range p.memory() {
		t := p.follow(o.value)
		if len(t.returned) == 0 || len(t.kept) > 0 || len(t.lent) > 0 || len(t.toValues) > 0 || !o.plain || p.leavesBy(o.value.Pos(), false) {
			continue
		}
		calls := p.knownCalls(o.value.Parent(), o.callers)
		if len(calls) == 0 {
			continue
		}
		evidence := []Evidence{p.at(o.value.Pos(), o.text), p.at(t.returned[0], "it is returned")}
		for _, c := range calls {
			if v := c.Value(); v == nil || !p.followAs(t.how, nil, v).stays() {
				evidence = nil
				break
			} else if len(evidence) < 4 {
				evidence = append(evidence, p.at(c.Pos(), "this caller does not keep it"))
			}
		}
		if evidence != nil {
			return Finding{Evidence: evidence, Share: o.share}
		}
	}
	return f
}

// knownCalls returns the calls of a function in the program itself, tests left out; nil if
// there are none, or the profile shows others.
func (p *Line) knownCalls(fn *ssa.Function, shown []prof.Frame) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	var lines []Evidence
	for _, c := range p.callsOf(fn) {
		e := p.at(c.Pos(), "")
		lines = append(lines, Evidence{File: e.File, Line: e.Line})
		if !strings.HasSuffix(e.File, "_test.go") {
			all = append(all, c)
		}
	}
	for _, f := range shown {
		if f.File != "" && p.units[f.File] != nil && !slices.Contains(lines, Evidence{File: f.File, Line: f.Line}) {
			return nil
		}
	}
	return all
}
