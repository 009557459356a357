package lever

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var plainArguments = &Lever{
	Name:  "plain-arguments",
	Title: "pass one value, or the slice that is there, instead of a variadic parameter",
	Looks: "a call of a variadic function of the program that makes a slice of its arguments on the heap, as the function keeps it, returns part of it, or calls itself with it. The elements are not interfaces.",
	Wrong: "when the function stores the slice, so that it has to be made anyway.",
	Before: `func match(text []byte, at int, captures ...*Captures) bool {
	…
	return match(text, at+1, captures[0]) // a slice of one, each time
}`,
	After: `func match(text []byte, at int, captures *Captures) bool {
	…
	return match(text, at+1, captures)
}`,
	Model: "The slice goes: a plain parameter is passed in registers, and captures... passes the slice that is there.",
	Risk:  API,
	Asks:  "Can the function, or one of its own for these calls, take its arguments as plain parameters?",
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}},
	find:  findPlainArguments,
}

// fewArguments is the largest number of arguments that could be plain parameters.
const fewArguments = 3

func findPlainArguments(p *Line) (f Finding) {
	if !p.madeAgain() {
		return f
	}
	found, others := 0, 0
	for _, in := range p.allocators() {
		call, n := variadicCall(in)
		if call == nil || n > fewArguments {
			others++
			continue
		}
		callee := call.Call.StaticCallee()
		if callee == nil || len(callee.Blocks) == 0 {
			others++
			continue
		}
		elem := callee.Signature.Params().At(callee.Signature.Params().Len() - 1).Type().(*types.Slice).Elem()
		if types.IsInterface(elem) {
			others++
			continue
		}
		found++
		f.Evidence = []Evidence{
			p.at(call.Pos(), fmt.Sprintf("a []%s of %d is made for the call of %s%s", short(elem), n, nameOf(callee), p.perOperation())),
			p.at(callee.Pos(), "its last parameter is variadic"),
		}
	}
	if found == 0 {
		return Finding{}
	}
	f.Share = p.direct() * float64(found) / float64(found+others)
	return f
}

// variadicCall is the call whose last arguments an array is made for, and how many these are.
func variadicCall(in ssa.Instruction) (call *ssa.Call, n int) {
	made, ok := in.(*ssa.Alloc)
	if !ok || made.Comment != "varargs" {
		return nil, 0
	}
	array, ok := elemOf(made).Underlying().(*types.Array)
	if !ok {
		return nil, 0
	}
	for _, r := range *made.Referrers() {
		s, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, user := range *s.Referrers() {
			if c, ok := user.(*ssa.Call); ok && c.Call.Signature().Variadic() && c.Call.Args[len(c.Call.Args)-1] == ssa.Value(s) {
				return c, int(array.Len())
			}
		}
	}
	return nil, 0
}
