package lever

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var poolFunction = &Lever{
	Name:  "pool-function",
	Title: "pool the object with the function that gives it back",
	way:   reuse,
	Looks: "a function literal that only puts back what was taken from a sync.Pool, or the object that such a one is stored in: both are made for each Get.",
	Wrong: "when the function is often not needed, or an owner may call it after the end: it would put back an object that another owner uses.",
	Before: `buf := pool.Get().([]byte)
return &Buffer{Bytes: buf, Close: func() { pool.Put(buf) }}`,
	After: `b := pool.Get().(*Buffer) // New makes Bytes, and sets Close to func() { pool.Put(b) }
b.Bytes = b.Bytes[:cap(b.Bytes)]
return b`,
	Model: "The object and the function are made once for each object of the pool; a slice is not boxed for Put any more.",
	Risk:  Lifetime,
	Asks:  "Is the object not used, and the function not called, after it was put back?",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}},
	find:  findPoolFunction,
}

func findPoolFunction(p *Line) (f Finding) {
	share := p.direct()
	if share < 0.5 {
		return f
	}
	for _, in := range p.allocators() {
		var all []*ssa.MakeClosure
		switch in := in.(type) {
		case *ssa.MakeClosure:
			all = append(all, in)
		case *ssa.Alloc:
			all = closuresIn(in)
		}
		for _, c := range all {
			if got := putsBack(c); got.IsValid() {
				return Finding{Share: share, Evidence: []Evidence{p.at(c.Fn.Pos(), "this function only puts back what it was made with"), p.at(got, "which is taken from the pool here")}}
			}
		}
	}
	return f
}

// closuresIn are the function literals that a struct gets.
func closuresIn(made *ssa.Alloc) (all []*ssa.MakeClosure) {
	for _, r := range *made.Referrers() {
		if field, ok := r.(*ssa.FieldAddr); ok {
			for _, s := range storesInto(field) {
				if c, ok := s.Val.(*ssa.MakeClosure); ok {
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// putsBack returns the position of the Get whose result a function literal puts back, if it does nothing else.
func putsBack(c *ssa.MakeClosure) (got token.Pos) {
	fn := c.Fn.(*ssa.Function)
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if nameOfCall(call) != "(*sync.Pool).Put" || got.IsValid() {
				return token.NoPos
			}
			got = takenFromPool(c, call.Call.Args[1])
			if !got.IsValid() {
				return token.NoPos
			}
		}
	}
	return got
}

// takenFromPool returns the position of the Get whose result is in a variable that a function literal has
// captured, and puts into a pool.
func takenFromPool(c *ssa.MakeClosure, v ssa.Value) token.Pos {
	switch boxed := v.(type) {
	case *ssa.MakeInterface:
		v = boxed.X
	case *ssa.ChangeInterface:
		v = boxed.X
	}
	read, ok := v.(*ssa.UnOp)
	if !ok {
		return token.NoPos
	}
	captured, ok := read.X.(*ssa.FreeVar)
	if !ok {
		return token.NoPos
	}
	i := slices.Index(c.Fn.(*ssa.Function).FreeVars, captured)
	stores := storesInto(c.Bindings[i])
	if len(stores) != 1 {
		return token.NoPos
	}
	from := stores[0].Val
	if assert, ok := from.(*ssa.TypeAssert); ok && !assert.CommaOk {
		from = assert.X
	}
	if get, ok := from.(*ssa.Call); ok && nameOfCall(get) == "(*sync.Pool).Get" {
		return get.Pos()
	}
	return token.NoPos
}
