package lever

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// ending holds the names of methods that end the use of their receiver, in small letters.
var ending = map[string]bool{
	"close": true, "release": true, "free": true, "commit": true, "rollback": true, "finish": true, "done": true, "stop": true, "destroy": true,
	"dispose": true, "recycle": true, "cleanup": true, "teardown": true, "shutdown": true, "releaseall": true, "closeall": true,
}

// endOf returns the statement that ends the use of objects of a type: a method whose name says so, a Read that meets the
// end of its input, or the counterpart of the function that makes them.
func (p *Program) endOf(t *types.Named) (Evidence, bool) {
	for m := range t.Methods() {
		if ending[strings.ToLower(m.Name())] && endsQuietly(m.Signature()) && p.decls[m] != nil {
			return p.at(m.Pos(), fmt.Sprintf("%s ends the use of a %s", m.Name(), t.Obj().Name())), true
		}
	}
	for m := range t.Methods() {
		if fn := p.ssa.FuncValue(m); m.Name() == "Read" && fn != nil && readsStream(m.Signature()) && meetsEOF(fn, 0) {
			return p.at(m.Pos(), fmt.Sprintf("Read of %s meets the end of its input (io.EOF)", t.Obj().Name())), true
		}
	}
	return p.counterpart(t)
}

// endsQuietly reports whether a signature is one of a method that ends something: it gives back an error at most.
func endsQuietly(sig *types.Signature) bool {
	return sig.Params().Len() <= 1 && (sig.Results().Len() == 0 || sig.Results().Len() == 1 && isError(sig.Results().At(0).Type()))
}

func readsStream(sig *types.Signature) bool {
	return sig.Params().Len() == 1 && sig.Results().Len() == 2 && isError(sig.Results().At(1).Type())
}

// meetsEOF reports whether a function, or a method that it calls, is about the end of a stream.
func meetsEOF(fn *ssa.Function, depth int) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if slices.ContainsFunc(in.Operands(nil), isEOF) {
				return true
			}
			if c, ok := in.(ssa.CallInstruction); ok && depth < 2 && c.Common().StaticCallee() != nil && meetsEOF(c.Common().StaticCallee(), depth+1) {
				return true
			}
		}
	}
	return false
}

func isEOF(v *ssa.Value) bool {
	variable, ok := (*v).(*ssa.Global)
	return ok && variable.Name() == "EOF" && variable.Pkg != nil && variable.Pkg.Pkg.Path() == "io"
}

// opens and closes are the beginnings of the names of functions that belong together.
var opens, closes = []string{"new", "acquire", "get", "alloc", "push", "enter", "begin", "borrow", "open", "create"},
	[]string{"release", "put", "free", "pop", "leave", "exit", "end", "recycle", "close", "drop", "return", "destroy"}

// counterpart is the function that ends the use of what another makes, by their names: newScope and releaseScope.
func (p *Program) counterpart(t *types.Named) (Evidence, bool) {
	if t.Obj().Pkg() == nil {
		return Evidence{}, false
	}
	for _, made := range p.makersOf(t) {
		fn := outermost(made.Parent())
		other := p.pairOf(fn)
		if other == nil {
			continue
		}
		return p.at(other.Pos(), fmt.Sprintf("%s ends the use of what %s makes", other.Name(), fn.Name())), true
	}
	return Evidence{}, false
}

// pairOf is the function that is the counterpart of another, of the same package and receiver; nil if there is none.
func (p *Program) pairOf(fn *ssa.Function) (found *types.Func) {
	lower := strings.ToLower(fn.Name())
	for _, open := range opens {
		rest, ok := strings.CutPrefix(lower, open)
		if !ok || rest == "" {
			continue
		}
		for object, decl := range p.decls {
			other, isFunc := object.(*types.Func)
			if !isFunc || decl == nil || other.Pkg() == nil || fn.Pkg == nil || other.Pkg().Path() != fn.Pkg.Pkg.Path() || !sameReceiver(other.Signature(), fn.Signature) {
				continue
			}
			name := strings.ToLower(other.Name())
			if slices.ContainsFunc(closes, func(close string) bool { return name == close+rest }) && (found == nil || other.Pos() < found.Pos()) {
				found = other
			}
		}
	}
	return found
}

func sameReceiver(a, b *types.Signature) bool {
	if a.Recv() == nil || b.Recv() == nil {
		return a.Recv() == b.Recv()
	}
	x, y := namedOf(a.Recv().Type()), namedOf(b.Recv().Type())
	return x != nil && y != nil && sameName(x, y)
}

// makersOf are the instructions that make structs of a type, tests left out.
func (p *Program) makersOf(t *types.Named) []*ssa.Alloc {
	if p.makers == nil {
		p.makers = map[*types.TypeName][]*ssa.Alloc{}
		for _, fn := range p.fns {
			if p.inTest(fn.Pos()) {
				continue
			}
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					if made, ok := in.(*ssa.Alloc); ok {
						if named, ok := types.Unalias(elemOf(made)).(*types.Named); ok {
							p.makers[named.Origin().Obj()] = append(p.makers[named.Origin().Obj()], made)
						}
					}
				}
			}
		}
		for _, all := range p.makers {
			slices.SortFunc(all, func(a, b *ssa.Alloc) int { return int(a.Pos()) - int(b.Pos()) })
		}
	}
	return p.makers[t.Origin().Obj()]
}

// holdersOf are the struct types of its package that have a field of a type, or one that points to it, or an
// interface of the package that it implements.
func (p *Program) holdersOf(t *types.Named) (all []ownership) {
	if t.Obj().Pkg() == nil {
		return nil
	}
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		object, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		owner, ok := object.Type().(*types.Named)
		if !ok || owner == t {
			continue
		}
		s, ok := owner.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for field := range s.Fields() {
			if inner := namedOf(field.Type()); inner != nil && (inner.Origin() == t.Origin() || p.standsFor(inner, t)) {
				all = append(all, ownership{field: field, owner: owner, pos: field.Pos()})
			}
		}
	}
	return all
}

// standsFor reports whether an interface of a type's package is one that a pointer to the type implements.
func (p *Program) standsFor(named, t *types.Named) bool {
	u, ok := named.Underlying().(*types.Interface)
	return ok && u.NumMethods() > 0 && named.Obj().Pkg() == t.Obj().Pkg() && types.Implements(types.NewPointer(t), u)
}
