package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// mostNodes is the number of objects in a chunk of nodes that their function returns: one that is kept keeps no more.
const mostNodes = 16

// firstChunk is the number of objects in the first chunk. An operation makes leastChunks or more, as half of the last one is not used.
const (
	firstChunk  = 4
	leastChunks = 16
)

// chunkOfParameter is chunkOf of a function that is given the object by a parameter, as a constructor of nodes is given
// the parser.
func (p *Line) chunkOfParameter(made *ssa.Alloc) (named *types.Named, evidence []Evidence) {
	fn := made.Parent()
	param := chunkParameter(fn)
	if param == nil || fn.Signature.Recv() != nil || p.follow(made).stays() {
		return nil, nil
	}
	named = namedOf(param.Type())
	s, ok := named.Underlying().(*types.Struct)
	if !ok || hasLock(s, 0) || linked(named, s) || p.copied(named) || p.copiedInside(named) || p.beside(fn) {
		return nil, nil
	}
	pos, ok := p.storesOnEachWay(param, made.Block(), deepest)
	if !ok {
		return nil, nil
	}
	again, ok := p.sameReceiver(fn, named)
	if !ok {
		return nil, nil
	}
	return named, []Evidence{again, p.at(pos, "the "+named.Obj().Name()+" is changed without a lock: only one goroutine has it")}
}

// chunkParameter is the receiver of a method, or the only parameter of a function that points to a struct of its package
// which is not exported; nil for none.
func chunkParameter(fn *ssa.Function) (found *ssa.Parameter) {
	if fn.Signature.Recv() != nil {
		if named, _ := receiverOf(fn); named == nil {
			return nil
		}
		return fn.Params[0]
	}
	if fn.Parent() != nil || fn.Pkg == nil {
		return nil
	}
	for _, param := range fn.Params {
		_, pointer := param.Type().(*types.Pointer)
		named := namedOf(param.Type())
		if !pointer || named == nil || named.Obj().Exported() || named.Obj().Pkg() != fn.Pkg.Pkg || named.TypeArgs().Len() > 0 {
			continue
		}
		if found != nil {
			return nil
		}
		found = param
	}
	return found
}

// inTree reports whether objects that a function makes are nodes: they refer to others of their type, or of an interface
// that they implement, and objects of one tree are dropped together.
func inTree(made *ssa.Alloc) bool {
	named := namedOf(elemOf(made))
	s, ok := elemOf(made).Underlying().(*types.Struct)
	if !ok || named == nil {
		return false
	}
	for field := range s.Fields() {
		t := types.Unalias(field.Type())
		if slice, ok := t.Underlying().(*types.Slice); ok {
			t = types.Unalias(slice.Elem())
		}
		if isPointerTo(t, named) {
			return true
		}
		iface, ok := t.Underlying().(*types.Interface)
		if ok && iface.NumMethods() > 0 && types.Implements(types.NewPointer(named), iface) {
			return true
		}
	}
	return false
}

// storesOnEachWay returns a line on which each way through a block of a function stores to a field of the object that a
// parameter points to, there or in functions that are given it: goroutines that share it would be racing already. ok is
// false if there is none, or the functions may wait for other goroutines.
func (p *Program) storesOnEachWay(param *ssa.Parameter, by *ssa.BasicBlock, depth int) (pos token.Pos, ok bool) {
	if depth == 0 || synchronizes(param.Parent(), deepest) {
		return token.NoPos, false
	}
	for _, b := range param.Parent().Blocks {
		if !b.Dominates(by) && endsWithout(by, b) {
			continue
		}
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if to, ok := in.Addr.(*ssa.FieldAddr); ok && to.X == param {
					return in.Pos(), true
				}
			case *ssa.Call:
				callee := in.Call.StaticCallee()
				i := slices.Index(in.Call.Args, ssa.Value(param))
				if callee == nil || len(callee.Blocks) == 0 || i < 0 || i >= len(callee.Params) {
					continue
				}
				if pos, ok := p.storesOnEachWay(callee.Params[i], callee.Blocks[0], depth-1); ok {
					return pos, true
				}
			}
		}
	}
	return token.NoPos, false
}

// dereferencedBy reports whether a function has called another one, before it makes an object, that stores to a field of the
// object of a parameter: it would have panicked there without one.
func (p *Program) dereferencedBy(param *ssa.Parameter, made *ssa.Alloc) bool {
	return slices.ContainsFunc(*param.Referrers(), func(in ssa.Instruction) bool {
		call, ok := in.(*ssa.Call)
		if !ok {
			return false
		}
		callee, i := call.Call.StaticCallee(), slices.Index(call.Call.Args, ssa.Value(param))
		if callee == nil || len(callee.Blocks) == 0 || i < 0 || i >= len(callee.Params) {
			return false
		}
		all := made.Block().Instrs
		before := call.Block() == made.Block() && slices.Index(all, in) < slices.Index(all, ssa.Instruction(made)) ||
			call.Block() != made.Block() && call.Block().Dominates(made.Block())
		if !before {
			return false
		}
		_, stores := p.storesOnEachWay(callee.Params[i], callee.Blocks[0], deepest)
		return stores
	})
}

// synchronizes reports whether a function, or one that it calls, uses channels, locks or atomic variables, or starts a
// goroutine: two goroutines that share something may take turns by that.
func synchronizes(fn *ssa.Function, depth int) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			switch in := in.(type) {
			case *ssa.Send, *ssa.Select, *ssa.Go:
				return true
			case *ssa.UnOp:
				return in.Op == token.ARROW
			case ssa.CallInstruction:
				callee := in.Common().StaticCallee()
				if callee == nil {
					return in.Common().IsInvoke() && strings.HasSuffix(in.Common().Method.Name(), "ock")
				}
				if callee.Pkg != nil && strings.HasPrefix(callee.Pkg.Pkg.Path()+"/", "sync/") {
					return true
				}
				return depth > 0 && callee != fn && synchronizes(callee, depth-1)
			}
			return false
		})
	})
}

// returned reports whether a statement returns a new object first, and nothing else but constants: the chunking is of that
// statement, then, and of a variable with a new name.
func (c *chunking) returned(p *Line, e ast.Expr, s ast.Node) bool {
	ret, ok := s.(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 || ret.Results[0] != e {
		return false
	}
	if slices.ContainsFunc(ret.Results[1:], func(other ast.Expr) bool { return !p.constant(other) && !p.isNil(other) }) {
		return false
	}
	if p.commentedBetween(e.End(), ret.End()) {
		return false
	}
	x := &pooling{p: p, decl: p.fn.node.(*ast.FuncDecl)}
	c.stmt, c.name, c.made = ret, x.localName(lower(c.typ)), e
	return true
}

// finish returns the edits that make an object of a chunk the value of its statement, which begins with some text.
func (c *chunking) finish(p *Line, text, indent string) []Edit {
	if c.made == nil {
		end := c.stmt.End()
		if c.value != nil {
			end = c.value.Pos()
		}
		return []Edit{p.edit(c.stmt.Pos(), end, text)}
	}
	back := "\n" + indent + "return " + c.name + p.textBetween(c.made.End(), c.stmt.End())
	if c.value == nil {
		return []Edit{p.edit(c.stmt.Pos(), c.stmt.End(), text+back)}
	}
	return []Edit{p.edit(c.stmt.Pos(), c.value.Pos(), text), p.edit(c.made.End(), c.stmt.End(), back)}
}

// chunkRoom holds the lines that give a chunk twice the room of the last, within bounds.
func (p *Line) chunkRoom(chunk, typ string, most int64) []string {
	if most == firstChunk {
		return []string{fmt.Sprintf("\t%s = make([]%s, 0, %d)", chunk, typ, most)}
	}
	if p.goes("1.21") {
		return []string{fmt.Sprintf("\t%s = make([]%s, 0, min(max(4, 2*cap(%[1]s)), %[3]d))", chunk, typ, most)}
	}
	return []string{
		fmt.Sprintf("\troom := 2 * cap(%s)", chunk),
		"\tif room < 4 {",
		"\t\troom = 4",
		fmt.Sprintf("\t} else if room > %d {", most),
		fmt.Sprintf("\t\troom = %d", most),
		"\t}",
		fmt.Sprintf("\t%s = make([]%s, 0, room)", chunk, typ),
	}
}
