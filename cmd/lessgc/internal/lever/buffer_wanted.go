package lever

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// wanted reports whether the text of the buffer is read, from a position behind its declaration, on every way that leaves the function or begins
// with another buffer. Ways that return an error or panic do not count, but there is one that reads.
func (m madeBuffer) wanted(from token.Pos) bool {
	w := &wants{of: func(v ssa.Value) bool { return m.p.madeBy(v, nil, 0) == m.root }, root: m.root, from: from}
	all := m.root.Parent().DomPreorder()
	block := all[slices.IndexFunc(all, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, w.begins) })]
	return !w.missed(block, block.Instrs[slices.IndexFunc(block.Instrs, w.begins)+1:]) && w.read
}

// A wants looks for ways through a function on which the text of a builder or buffer is not read.
type wants struct {
	of    func(ssa.Value) bool // whether a value leads to the buffer
	root  ssa.Value            // makes the buffer; nil if the function is given it
	from  token.Pos            // returns before it, behind root, do not count
	depth int                  // of calls
	read  bool                 // some way reads the text
	seen  map[*ssa.BasicBlock]bool
}

// begins reports whether an instruction makes the buffer.
func (w *wants) begins(in ssa.Instruction) bool {
	v, ok := in.(ssa.Value)
	return ok && v == w.root
}

// missed reports whether the text is not read on a way through the rest of a block.
func (w *wants) missed(b *ssa.BasicBlock, rest []ssa.Instruction) bool {
	for _, in := range rest {
		switch in := in.(type) {
		case *ssa.Return:
			if w.root != nil && w.root.Pos() < in.Pos() && in.Pos() < w.from || returnsError(in) {
				return false
			}
			returned := slices.ContainsFunc(in.Results, w.of)
			w.read = w.read || returned
			return !returned
		case *ssa.Call:
			if w.reads(in) {
				w.read = true
				return false
			}
		}
		if w.begins(in) {
			return true
		}
	}
	missed := false
	for _, next := range b.Succs {
		if w.seen == nil {
			w.seen = map[*ssa.BasicBlock]bool{}
		}
		if !w.seen[next] {
			w.seen[next] = true
			missed = w.missed(next, next.Instrs) || missed
		}
	}
	return missed
}

// deepestReader bounds the calls by which a buffer is followed to where its text is read.
const deepestReader = 3

// reads reports whether a call is sure to read the text, unless it returns an error.
func (w *wants) reads(call *ssa.Call) bool {
	c := call.Common()
	if c.IsInvoke() {
		return w.of(c.Value) && readingMethods[c.Method.Name()]
	}
	callee := c.StaticCallee()
	if callee == nil {
		return false
	}
	i := slices.IndexFunc(c.Args, w.of)
	if i < 0 {
		return false
	}
	if bufferKind(c.Args[i].Type()) != "" && i == 0 && callee.Signature.Recv() != nil && bufferKind(callee.Signature.Recv().Type()) != "" {
		return readingMethods[callee.Name()]
	}
	if len(callee.Blocks) == 0 || i >= len(callee.Params) || w.depth >= deepestReader {
		return false
	}
	param := callee.Params[i]
	below := &wants{of: func(v ssa.Value) bool { return carried(v) == param }, depth: w.depth + 1}
	return !below.missed(callee.Blocks[0], callee.Blocks[0].Instrs) && below.read
}

// readingMethods are the methods of builders and buffers that read all of the text, or begin to.
var readingMethods = map[string]bool{"String": true, "Bytes": true, "WriteTo": true, "Read": true}

// carried is the value that an interface was made of.
func carried(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return carried(x.X)
	case *ssa.ChangeInterface:
		return carried(x.X)
	}
	return v
}

// returnsError reports whether a return has an error that is not nil, as far as the return itself shows.
func returnsError(in *ssa.Return) bool {
	return slices.ContainsFunc(in.Results, func(v ssa.Value) bool { return isError(v.Type()) && !shownNil(v, nil) })
}

// shownNil reports whether a value is nil, on some way to it: it is the constant, or a result with a name that is not set where the function
// returns.
func shownNil(v ssa.Value, seen []ssa.Value) bool {
	if slices.Contains(seen, v) {
		return false
	}
	seen = append(seen, v)
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return shownNil(e, seen) })
	case *ssa.UnOp:
		cell, ok := v.X.(*ssa.Alloc)
		if !ok || v.Op != token.MUL {
			return false
		}
		for _, in := range slices.Backward(v.Block().Instrs) {
			if s, ok := in.(*ssa.Store); ok && s.Addr == cell {
				return shownNil(s.Val, seen)
			}
		}
		body := bodyOf(v.Parent().Syntax())
		return body == nil || cell.Pos() < body.Pos()
	}
	return false
}
