package lever

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/site"
)

var resetReader = &Lever{
	Name:  "reset-reader",
	Title: "reset a reader, writer or hash instead of making a new one",
	way:   reuse,
	Looks: "a call of a constructor of another module, or of the standard library, whose result has a method Reset (a bufio.Reader, a gzip.Writer, a hash), that each operation makes again, and that is dropped by the function which has it made, or stored in an object whose use ends.",
	Wrong: "when what reads or writes by it keeps it, or part of its buffer, as a Reader that was given it may. A Reader that has read ahead is reset only when the rest of its input is not needed.",
	Before: `func parse(r io.Reader) (*Message, error) {
	return read(bufio.NewReader(r))
}`,
	After: `var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func parse(r io.Reader) (*Message, error) {
	br := readers.Get().(*bufio.Reader)
	defer readers.Put(br)
	br.Reset(r)
	defer br.Reset(nil) // it keeps nothing alive in the pool
	return read(br)
}`,
	Model: "What has been reset is not allocated but for the first time and after collections.",
	Risk:  Lifetime,
	Asks:  "Is it unused once the named function, or the use of its owner, ends? Then take it from a sync.Pool, Reset it and put it back there; a loop needs only one.",
	Saves: Saves{Alloc: Range{0.5, 0.95}, Collect: Range{0.6, 0.95}},
	find:  findResetReader,
}

// leastReset is the size in bytes of all that one call makes below which a pool does not pay.
const leastReset = 256

func findResetReader(p *Line) (f Finding) {
	if !p.madeAgain() || p.inPool() {
		return f
	}
	for _, call := range p.callsOnLine() {
		if evidence, share := p.resettable(call); evidence != nil {
			return Finding{Share: share, Evidence: evidence}
		}
	}
	return f
}

// resettable is the evidence that a call makes something which can be reset, and that is not used long.
func (p *Line) resettable(call *ssa.Call) ([]Evidence, float64) {
	callee := call.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) > 0 || !strings.HasPrefix(callee.Name(), "New") {
		return nil, 0
	}
	name := fullName(callee)
	v, reset := resetOf(call)
	share := p.leaves(func(l site.Leaf) bool { return len(l.Path) > 0 && l.Path[0].Func == name })
	if share == 0 {
		share = p.through(name)
	}
	if v == nil || share < 0.5 || p.objectSize() < leastReset {
		return nil, 0
	}
	made := p.at(call.Pos(), fmt.Sprintf("%s makes a new one%s; it has %s", name, p.perOperation(), reset))
	c := p.course(v)
	switch {
	case c.dropped():
		return []Evidence{made, p.at(call.Pos(), "it does not leave "+nameOf(call.Parent())+", or who calls that, but for calls that are given it")}, share
	case len(c.away) > 0 || len(c.users) > 0:
		return nil, 0
	}
	if end := p.endOfOwners(c.keeps, true); end != nil {
		return append([]Evidence{made}, end...), share
	}
	return nil, 0
}

// resetOf is the result of a call that has a method Reset, and that method; nil if there is none.
func resetOf(call *ssa.Call) (ssa.Value, string) {
	for _, v := range parts(call) {
		object, _, _ := types.LookupFieldOrMethod(v.Type(), true, nil, "Reset")
		m, ok := object.(*types.Func)
		if !ok || strings.HasPrefix(m.FullName(), "(*strings.") || strings.HasPrefix(m.FullName(), "(*bytes.") || strings.HasPrefix(m.FullName(), "(*time.") {
			continue
		}
		if m.Signature().Params().Len() <= 2 {
			return v, "Reset"
		}
	}
	return nil, ""
}
