package lever

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var reuseVariable = &Lever{
	Name:  "reuse-variable",
	Title: "declare the variable where it is used again",
	way:   reuse,
	Looks: "a buffer or slice that each iteration of a loop makes for itself, and drops. And a struct, slice, interface or pointer that is a variable of a loop or method and is moved to the heap, because its address is given to a method of an interface, a function value or another module, and to nothing else: it is made anew each time.",
	Wrong: "when what is called keeps the address, or a goroutine. When the method calls itself, or several goroutines call it: then each call needs a variable of its own.",
	Before: `func (s *series) Next() bool {
	var labels []label // its header is moved to the heap: index is an interface
	if err := s.index.Labels(s.id, &labels); err != nil {
		return false
	}
	s.labels = labels`,
	After: `func (s *series) Next() bool {
	s.labels = nil
	if err := s.index.Labels(s.id, &s.labels); err != nil {
		return false
	}`,
	Model: "One variable is left for all iterations of the loop, or calls of the method.",
	Risk:  Lifetime,
	Asks:  "Does what is called use the address during the call only?",
	Saves: Saves{Alloc: Range{0.4, 1}, Collect: Range{0.2, 0.9}},

	Subject: "reuse the memory across iterations",
	Rewrite: "A bytes.Buffer, a variable of it or a pointer to a new one, or a slice of elements without pointers that make makes with a length that is not constant, in a variable that a statement of its own declares in a loop, and whose name nothing else in the function has. " +
		"No reference to the memory outlives the iteration: none is returned, stored, sent, captured by a function literal or a method value, given to a goroutine, to a function value or to code that is not known, or deferred; a method of io.Writer, io.Reader and the like does not keep its argument by contract, and those of the program are looked at. A function value is known that is read from an unexported field or its array, if nothing but functions of the program is stored there. " +
		"Each call of the function has a variable of its own, also if it calls itself or runs in several goroutines; what a panic leaves behind, no iteration sees. There is no goto, recover, or loop over a function. The memory is as new: a slice has the same length and capacity, and zeroed elements; of a buffer, nothing sees the capacity, tells nil bytes from none, or uses bytes of it when others may have been written over them. make panics for the same sizes. What no iteration reaches is not made.",
	find: findReuseVariable,
}

func findReuseVariable(p *Line) (f Finding) {
	all := p.allocators()
	if len(all) == 0 || len(all) > 2 || !p.often() || p.direct() < 0.5 || p.pkg.TypesSizes == nil {
		return f
	}
	for _, in := range all {
		if v, ok := in.(ssa.Value); ok {
			if f, ok := p.reusedVariable(v); ok {
				f.Share = p.direct() / float64(len(all)) // of the objects
				return f
			}
		}
		made, ok := in.(*ssa.Alloc)
		if !ok || !isNamedVariable(made) || hasTypeParameter(elemOf(made)) || !p.lentOnly(made) {
			continue
		}
		text, ok := p.againFor(made)
		if !ok {
			continue
		}
		share := p.direct() / float64(len(all)) // of the objects
		what := fmt.Sprintf("%s, a %s of %d bytes, is moved to the heap%s", made.Comment, short(elemOf(made)), p.pkg.TypesSizes.Sizeof(elemOf(made)), p.inEach())
		c := p.course(made)
		if slices.ContainsFunc(c.lent, func(in ssa.CallInstruction) bool { return fullName(in.Common().StaticCallee()) == "errors.As" }) {
			text = "errors.AsType, of Go 1.26, returns the error, and needs no variable; else " + text
		}
		return Finding{Share: share, Evidence: []Evidence{p.at(made.Pos(), what), p.lastUse(owned{pos: made.Pos(), value: made}, c), p.at(made.Pos(), text)}}
	}
	return f
}

// lentOnly reports whether the address of a variable is only given to functions that are not known.
func (p *Line) lentOnly(made *ssa.Alloc) bool {
	captured := slices.ContainsFunc(*made.Referrers(), func(in ssa.Instruction) bool {
		_, ok := in.(*ssa.MakeClosure)
		return ok || isFormatted(in)
	})
	if captured {
		return false
	}
	c := p.course(made)
	return c.dropped() && len(c.keeps) == 0 && len(c.unknown)+len(c.lent) > 0 && !c.public && !c.returned && !c.retained()
}

// isFormatted reports whether an instruction makes an address one of the arguments of a variadic function of interfaces.
func isFormatted(in ssa.Instruction) bool {
	made, ok := in.(*ssa.MakeInterface)
	return ok && slices.ContainsFunc(*made.Referrers(), func(in ssa.Instruction) bool {
		store, ok := in.(*ssa.Store)
		if !ok {
			return false
		}
		element, ok := store.Addr.(*ssa.IndexAddr)
		if !ok {
			return false
		}
		rest, ok := element.X.(*ssa.Alloc)
		return ok && rest.Comment == "varargs"
	})
}

// againFor returns where a variable could be declared to be used again.
func (p *Line) againFor(made *ssa.Alloc) (string, bool) {
	fn := made.Parent()
	if repeats(made.Block()) {
		return fmt.Sprintf("the variable is declared in a loop: declare %s before the loop, and clear it in each iteration", made.Comment), true
	}
	if recv := receiverIn(fn); recv != nil && !callsItself(fn) {
		named := namedOf(recv.Type())
		if _, ok := p.ownReceiver(fn); ok && named != nil && p.inSourceOf(named) {
			return fmt.Sprintf("the receiver, a %s, is there for the next call, and only one goroutine at a time has it: make %s a field of it, and clear it at the start", named.Obj().Name(), made.Comment), true
		}
	}
	return "", false
}

// callsItself reports whether a function calls itself at once.
func callsItself(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			c, ok := in.(ssa.CallInstruction)
			return ok && c.Common().StaticCallee() == fn
		})
	})
}
