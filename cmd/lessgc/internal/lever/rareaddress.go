package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var rareAddress = &Lever{
	Name:  "rare-address",
	Title: "take the address of a copy, only where it is needed",
	Looks: "a parameter or variable that is moved to the heap because some branches return or store its address, or capture it in a function literal, when these end in an error or a panic, or the benchmarks, counted statement by statement, execute them at most a fourth as often as the function. The other branches do not need the address, but allocate all the same.",
	Wrong: "when the program takes these branches more often than the benchmarks do. When what has the address is to see what is stored in the variable later, or the other way round.",
	Before: `func parse(h header, b []byte) (record, error) {
	if len(b) < h.size {
		return &h, errShort // moves h to the heap for each call
	}
	return newRecord(h, b), nil
}`,
	After: `func parse(h header, b []byte) (record, error) {
	if len(b) < h.size {
		c := h
		return &c, errShort
	}
	return newRecord(h, b), nil
}`,
	Model: "Only the branches that need the address allocate. The variable itself is on the stack.",
	Risk:  NoRisk,
	Asks:  "Are these branches as seldom in the program? Then write in each of them c := v, and use &c there (or let a small function return the address of its own copy).",
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}},
	find:  findRareAddress,
}

func findRareAddress(p *Line) (f Finding) {
	all := p.allocators()
	if len(all) == 0 || p.direct() < 0.5 {
		return f
	}
	for _, in := range all {
		made, ok := in.(*ssa.Alloc)
		if !ok || !isNamedVariable(made) || ownsLock(elemOf(made)) || hasTypeParameter(elemOf(made)) {
			return Finding{}
		}
		evidence := p.rareAddress(made)
		if evidence == nil {
			return Finding{}
		}
		f.Evidence = append(f.Evidence, evidence...)
	}
	f.Share = p.direct()
	return f
}

// isNamedVariable reports whether an object is a variable or parameter of the source, which its address moves to the heap.
func isNamedVariable(made *ssa.Alloc) bool {
	return made.Heap && token.IsIdentifier(made.Comment) && !slices.Contains([]string{"complit", "new", "varargs", "slicelit", "makeslice"}, made.Comment)
}

// mostAddresses bounds the lines that are to be changed.
const mostAddresses = 4

// rareAddress is the evidence that few calls need the address of a variable; nil if more do, or it is not known.
func (p *Line) rareAddress(made *ssa.Alloc) []Evidence {
	e := escapes{leaks: leaks{p.Program, map[*ssa.Parameter]*leak{}}, made: made, seen: map[ssa.Value]bool{}}
	e.value(made)
	if e.unknown || len(e.sites) == 0 || len(e.sites) > mostAddresses {
		return nil
	}
	calls, known := p.madeTimes(made)
	taken, errors := int64(0), true
	var blocks []*ssa.BasicBlock
	for _, s := range e.sites {
		if s.block == made.Block() || s.writesAfter(made) {
			return nil
		}
		if slices.Contains(blocks, s.block) {
			continue
		}
		blocks = append(blocks, s.block)
		errors = errors && endsInError(s.block)
		n, ok := p.executed(s.pos)
		known = known && ok
		taken += min(n, p.leftFor(s.block, made.Block(), calls))
	}
	how := "these branches end in an error"
	switch {
	case known && calls > 0 && taken > calls/seldomUsed:
		return nil
	case known && calls > 0:
		how = fmt.Sprintf("the benchmarks make the variable %d times, and execute these branches %d times", calls, taken)
	case !errors:
		return nil
	}
	evidence := []Evidence{p.at(made.Pos(), fmt.Sprintf("%s, a %s, is moved to the heap%s; %s", made.Comment, short(elemOf(made)), p.inEach(), how))}
	for _, s := range e.sites {
		evidence = append(evidence, p.at(s.pos, "only here and in the like branches its address "+s.what))
	}
	return evidence
}

// leftFor bounds how often a block is executed: not when the other branch of a condition before it is, as a case of a switch
// is not looked at when one above it is taken.
func (p *Line) leftFor(b, from *ssa.BasicBlock, calls int64) int64 {
	left := calls
	for b != from && b.Idom() != nil {
		above := b.Idom()
		if _, ok := above.Instrs[len(above.Instrs)-1].(*ssa.If); ok && !comesBack(above, from) {
			for _, other := range above.Succs {
				if len(other.Preds) != 1 || other.Dominates(b) {
					continue
				}
				if n, ok := p.executedIn(other); ok {
					left = min(left, max(0, calls-n))
				}
			}
		}
		b = above
	}
	return left
}

// madeTimes returns how often the benchmarks came to the declaration of a variable; ok is false if that is not known.
func (p *Line) madeTimes(made *ssa.Alloc) (n int64, ok bool) {
	if n, ok := p.executed(made.Pos()); ok {
		return n, true
	}
	u := p.unitOf(made.Pos()) // a parameter is made when the function is called
	body := bodyOf(made.Parent().Syntax())
	if u == nil || body == nil || len(body.List) == 0 || p.Executed == nil || p.generated(u) || made.Block().Index != 0 {
		return 0, false
	}
	return p.executedAt(u, body.List[0].Pos())
}

// bodyOf is the body of a function of the source, or nil.
func bodyOf(node ast.Node) *ast.BlockStmt {
	switch node := node.(type) {
	case *ast.FuncDecl:
		return node.Body
	case *ast.FuncLit:
		return node.Body
	}
	return nil
}

// An escapeSite is the line on which the address of a variable gets to code that may keep it.
type escapeSite struct {
	block *ssa.BasicBlock
	index int // in the block, of the instruction
	pos   token.Pos
	what  string // is done with it
}

// escapes finds the lines where the address of a variable leaves the function, or may, as the compiler takes it.
type escapes struct {
	leaks
	made    *ssa.Alloc
	seen    map[ssa.Value]bool
	sites   []escapeSite
	unknown bool // a use is not understood
}

func (e *escapes) value(v ssa.Value) {
	if e.seen[v] {
		return
	}
	e.seen[v] = true
	if v.Referrers() == nil {
		e.unknown = true
		return
	}
	for _, in := range *v.Referrers() {
		e.use(v, in)
	}
}

func (e *escapes) site(in ssa.Instruction, what string) {
	pos := in.Pos()
	if !pos.IsValid() || pos == e.made.Pos() { // a store among arguments has that of its value
		pos = e.made.Pos()
		for _, beside := range in.Block().Instrs { // the nearest that the source shows
			if beside.Pos().IsValid() && beside.Pos() != e.made.Pos() {
				pos = beside.Pos()
			}
			if beside == in && pos != e.made.Pos() {
				break
			}
		}
	}
	e.sites = append(e.sites, escapeSite{in.Block(), slices.Index(in.Block().Instrs, in), pos, what})
}

func (e *escapes) use(v ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.If, *ssa.BinOp:
	case *ssa.UnOp:
		e.unknown = e.unknown || in.Op != token.MUL
	case *ssa.Store:
		if in.Val == v {
			e.site(in, "is stored")
		}
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface:
		e.value(in.(ssa.Value))
	case *ssa.Phi:
		for i, edge := range in.Edges {
			if edge == v {
				from := in.Block().Preds[i]
				last := from.Instrs[len(from.Instrs)-1]
				e.site(last, "is used")
			}
		}
	case *ssa.Return:
		e.site(in, "is returned")
	case *ssa.MakeClosure:
		if e.changes(v, in) {
			e.unknown = true
			return
		}
		e.site(in, "is captured by a function literal")
	case *ssa.Call:
		e.call(v, in)
	case *ssa.MapUpdate, *ssa.Send:
		e.site(in, "is stored")
	default:
		e.unknown = true
	}
}

// changes reports whether a function literal stores into a variable that it captures.
func (e *escapes) changes(v ssa.Value, in *ssa.MakeClosure) bool {
	fn := in.Fn.(*ssa.Function)
	for i, bound := range in.Bindings {
		if bound == v && writesTo(fn.FreeVars[i]) {
			return true
		}
	}
	return false
}

// writesTo reports whether something may be stored where an address leads to, or in part of it.
func writesTo(address ssa.Value) bool {
	return slices.ContainsFunc(*address.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
			return false
		case *ssa.FieldAddr:
			return writesTo(in)
		case *ssa.IndexAddr:
			return writesTo(in)
		}
		return true
	})
}

// call looks at a call that is given the address.
func (e *escapes) call(v ssa.Value, in *ssa.Call) {
	c := in.Common()
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return
	}
	callee := c.StaticCallee()
	if callee == nil {
		e.site(in, "is given to a function that is not known")
		return
	}
	if len(callee.Blocks) == 0 {
		if name := fullName(callee); !ownMethods(name) && !readsOnly[name] {
			e.site(in, "is given to "+name)
		}
		return
	}
	for i, arg := range c.Args {
		if arg != v {
			continue
		}
		if found := e.param(callee.Params[i]); found.other || len(found.messages)+len(found.always)+len(found.results) > 0 {
			e.site(in, "is given to "+nameOf(callee))
		}
	}
}

// writesAfter reports whether the variable, or part of it, may be stored to after the position, until it is declared again.
func (s escapeSite) writesAfter(made *ssa.Alloc) bool {
	var reached map[*ssa.BasicBlock]bool
	return slices.ContainsFunc(storesInto(made), func(store *ssa.Store) bool {
		if store.Block() == s.block && slices.Index(s.block.Instrs, ssa.Instruction(store)) > s.index {
			return true
		}
		if reached == nil {
			reached = reachedFrom(s.block, made.Block())
		}
		return reached[store.Block()]
	})
}

// storesInto are the stores to what an address leads to, and to its parts.
func storesInto(address ssa.Value) (all []*ssa.Store) {
	for _, in := range *address.Referrers() {
		switch in := in.(type) {
		case *ssa.Store:
			if in.Addr == address {
				all = append(all, in)
			}
		case *ssa.FieldAddr:
			all = append(all, storesInto(in)...)
		case *ssa.IndexAddr:
			all = append(all, storesInto(in)...)
		}
	}
	return all
}

// reachedFrom are the blocks that may be executed after the end of one, without going through another.
func reachedFrom(from, without *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := slices.Clone(from.Succs)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == without || seen[b] {
			continue
		}
		seen[b] = true
		work = append(work, b.Succs...)
	}
	return seen
}
