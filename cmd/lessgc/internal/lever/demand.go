package lever

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A need is an instruction for which a value has to be there, and how often it was executed at most: for
// how many of the values, that is.
type need struct {
	in  ssa.Instruction
	n   int64
	way []ssa.Instruction // the calls by which the value gets there, from the function that makes it
}

// demands finds what needs a value: what is not understood does.
type demands struct {
	p        *Line
	from, to token.Pos // of the expression that makes the value: what is in there makes it, too
	empty    bool      // it is a map or slice without elements: for reading, nil would serve
	unknown  bool      // a use has no execution count, or is not understood

	needs  []need
	fields []*types.Var // that it was stored in
	seen   map[ssa.Value]bool
}

// A reach is the way by which a value gets to where it is used.
type reach struct {
	home  *ssa.BasicBlock   // that has the value since it begins; nil if its function is entered with it
	most  int64             // values get there
	alone bool              // the instruction itself says how often; what is above it has other values
	way   []ssa.Instruction // calls
}

// deepestDemand bounds the calls that a value is followed into.
const deepestDemand = 3

// demandsOf finds what needs a value that an expression makes.
func (p *Line) demandsOf(made ssa.Instruction, e ast.Expr, most int64) *demands {
	v := made.(ssa.Value)
	d := &demands{p: p, from: e.Pos(), to: e.End(), empty: isEmpty(v), seen: map[ssa.Value]bool{}}
	d.value(v, reach{home: made.Block(), most: most})
	slices.SortFunc(d.needs, func(a, b need) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.in.Pos(), b.in.Pos())) })
	return d
}

// isEmpty reports whether a value is a new map or slice without elements.
func isEmpty(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeMap:
		return true
	case *ssa.MakeSlice:
		return isInt(v.Len, 0)
	case *ssa.Slice:
		made, ok := v.X.(*ssa.Alloc)
		return ok && made.Comment == "makeslice" && isInt(v.High, 0)
	}
	return false
}

// isInt reports whether a value is a constant number.
func isInt(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == n
}

// sum is for how many values there is a need, at most.
func (d *demands) sum() (n int64) {
	counted := map[*ssa.BasicBlock]bool{}
	for _, x := range d.needs { // the most first
		if !counted[x.in.Block()] {
			counted[x.in.Block()] = true
			n += x.n
		}
	}
	return n
}

func (d *demands) value(v ssa.Value, r reach) {
	for _, in := range *v.Referrers() {
		if pos := in.Pos(); pos.IsValid() && d.from <= pos && pos < d.to {
			continue
		}
		d.use(v, in, r)
	}
}

// again follows a value that may come from several sources, once.
func (d *demands) again(v ssa.Value, r reach) {
	if !d.seen[v] {
		d.seen[v] = true
		r.alone = true
		d.value(v, r)
	}
}

func (d *demands) use(v ssa.Value, in ssa.Instruction, r reach) {
	switch in := in.(type) {
	case *ssa.DebugRef:
	case *ssa.Phi:
		d.again(in, r)
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
		d.value(in.(ssa.Value), r)
	case *ssa.Slice:
		if d.empty && d.staysEmpty(in) {
			d.value(in, r)
		} else {
			d.need(in, r)
		}
	case *ssa.Store:
		d.store(v, in, r)
	case *ssa.MapUpdate:
		if in.Map == v && len(r.way) == 0 && !d.empty && !r.alone && in.Key != v && in.Value != v {
			return // it belongs to the making
		}
		d.need(in, r)
	case *ssa.Lookup:
		if !d.empty || in.X != v {
			d.need(in, r)
		}
	case *ssa.Range:
		if !d.empty {
			d.need(in, r)
		}
	case *ssa.Call:
		d.call(v, in, r)
	default:
		d.need(in, r)
	}
}

// staysEmpty reports whether what is cut out of a slice can be cut out of nil.
func (d *demands) staysEmpty(in *ssa.Slice) bool {
	return (in.Low == nil || isInt(in.Low, 0)) && (in.High == nil || isInt(in.High, 0)) && in.Max == nil
}

// need notes a need, as often as the instruction was executed, or anything since there was the value that
// is executed before it.
func (d *demands) need(in ssa.Instruction, r reach) {
	n, ok := d.p.executed(in.Pos())
	if !ok {
		n, ok = d.p.executedIn(in.Block())
	}
	if !ok {
		d.unknown = true
		return
	}
	n = min(n, r.most)
	for b := in.Block(); b != nil && !r.alone && b != r.home && (r.home == nil || r.home.Dominates(b)); b = b.Idom() {
		if above, ok := d.p.executedIn(b); ok {
			n = min(n, above)
		}
	}
	d.needs = append(d.needs, need{in, n, r.way})
}

// store follows a value into a variable or field.
func (d *demands) store(v ssa.Value, in *ssa.Store, r reach) {
	if in.Addr == v {
		d.need(in, r)
		return
	}
	switch to := in.Addr.(type) {
	case *ssa.Alloc:
		d.cell(to, r)
	case *ssa.FieldAddr:
		if !d.field(to) {
			d.need(in, r)
		}
	default:
		d.need(in, r)
	}
}

// cell follows the value of a variable, in function literals too.
func (d *demands) cell(v ssa.Value, r reach) {
	if d.seen[v] {
		return
	}
	d.seen[v] = true
	r.alone = true
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if in.Val == v {
				d.need(in, r)
			}
		case *ssa.UnOp:
			d.value(in, r)
		case *ssa.MakeClosure:
			fn := in.Fn.(*ssa.Function)
			for i, b := range in.Bindings {
				if b == v {
					d.cell(fn.FreeVars[i], r)
				}
			}
		default:
			d.need(in, r)
		}
	}
}

// field follows a value into a field, to whoever reads it. It reports whether all are known who do, and none
// has a copy of the field.
func (d *demands) field(to *ssa.FieldAddr) bool {
	field := fieldOf(to)
	pointer := to.X.Type().Underlying().(*types.Pointer)
	named, ok := types.Unalias(pointer.Elem()).(*types.Named)
	if !d.empty || field == nil || field.Exported() || field.Embedded() || !ok || named.TypeArgs().Len() > 0 || d.p.copiedInside(named) {
		return false
	}
	if slices.Contains(d.fields, field) {
		return true
	}
	d.fields = append(d.fields, field)
	for _, address := range d.p.addressesOf(field) {
		for _, in := range *address.Referrers() {
			d.fieldUse(address, in)
		}
	}
	return true
}

// fieldUse follows what is read of a field.
func (d *demands) fieldUse(address *ssa.FieldAddr, in ssa.Instruction) {
	r := reach{most: 1 << 62}
	switch made := address.X.(type) {
	case ssa.Instruction:
		r.home = made.Block()
	case *ssa.Parameter:
	default:
		r.alone = true
	}
	switch in := in.(type) {
	case *ssa.DebugRef:
	case *ssa.Store:
		if in.Val == address {
			d.need(in, r)
		}
	case *ssa.UnOp:
		d.value(in, r)
	default:
		d.need(in, r)
	}
}

// addressesOf returns the instructions that take the address of a field, tests left out.
func (p *Program) addressesOf(field *types.Var) []*ssa.FieldAddr {
	if p.addresses == nil {
		p.addresses = map[*types.Var][]*ssa.FieldAddr{}
		for _, fn := range p.fns {
			if p.inTest(fn.Pos()) {
				continue
			}
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					if address, ok := in.(*ssa.FieldAddr); ok && fieldOf(address) != nil {
						p.addresses[fieldOf(address)] = append(p.addresses[fieldOf(address)], address)
					}
				}
			}
		}
	}
	return p.addresses[field]
}

// call follows a value into a function that is called.
func (d *demands) call(v ssa.Value, in *ssa.Call, r reach) {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if !d.empty || !servesNil(b.Name(), c.Args, v) {
			d.need(in, r)
		}
		return
	}
	callee := c.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 || len(r.way) >= deepestDemand || c.Value == v {
		d.need(in, r)
		return
	}
	n := len(d.needs)
	d.need(in, r) // counts values that get there
	if d.unknown {
		return
	}
	inside := reach{most: d.needs[n].n, way: append(slices.Clone(r.way), in)}
	d.needs = d.needs[:n]
	for i, arg := range c.Args {
		if arg == v {
			d.value(callee.Params[i], inside)
		}
	}
}

// servesNil reports whether a builtin function does the same with nil as with a map or slice without
// elements. What append makes out of nil is not nil.
func servesNil(name string, args []ssa.Value, v ssa.Value) bool {
	switch name {
	case "len", "delete", "clear":
		return true
	case "append":
		return args[0] != v
	case "copy":
		return true
	}
	return false
}
