package lever

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A mapUse lists the uses of the maps that a value may be.
type mapUse struct {
	p       *Line
	makes   []*ssa.MakeMap
	updates []*ssa.MapUpdate
	shown   bool         // others may get it: by an exported function or field, an interface, or what is not understood
	fields  []*types.Var // that it is stored in

	seen map[ssa.Value]bool
	work []ssa.Value
}

// mostOfMap bounds the values that are looked at for a map.
const mostOfMap = 1000

// mapOfValue follows a map to where it is made, and to all its uses.
func (p *Line) mapOfValue(v ssa.Value) *mapUse {
	u := &mapUse{p: p, seen: map[ssa.Value]bool{}}
	u.push(v)
	for len(u.work) > 0 && len(u.seen) < mostOfMap {
		v := u.work[len(u.work)-1]
		u.work = u.work[:len(u.work)-1]
		u.origin(v)
		if v.Referrers() == nil {
			continue
		}
		for _, in := range *v.Referrers() {
			u.use(v, in)
		}
	}
	u.shown = u.shown || len(u.work) > 0
	return u
}

func (u *mapUse) push(v ssa.Value) {
	if v != nil && !u.seen[v] {
		u.seen[v] = true
		u.work = append(u.work, v)
	}
}

// origin follows a value to where it comes from. It notes the instructions that make the map.
func (u *mapUse) origin(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.MakeMap:
		u.makes = append(u.makes, v)
	case *ssa.Phi:
		for _, e := range v.Edges {
			u.push(e)
		}
	case *ssa.ChangeType:
		u.push(v.X)
	case *ssa.Parameter:
		u.parameter(v)
	case *ssa.FreeVar, *ssa.Const:
	case *ssa.UnOp:
		u.address(v.X)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			u.result(call, v.Index)
		} else {
			u.shown = true
		}
	case *ssa.Call:
		u.result(v, 0)
	default:
		u.shown = true
	}
}

func (u *mapUse) parameter(v *ssa.Parameter) {
	fn := v.Parent()
	i := slices.Index(fn.Params, v)
	if isPublic(fn) {
		u.shown = true
	}
	for _, in := range u.p.callsOf(fn) {
		if args := in.Common().Args; i >= 0 && i < len(args) && !u.p.inTest(in.Pos()) {
			u.push(args[i])
		}
	}
	if !u.p.mayBeInvoked(fn) {
		return
	}
	for _, in := range u.p.invokes(fn.Name()) {
		if args := in.Call.Args; i >= 1 && i <= len(args) && types.Implements(fn.Signature.Recv().Type(), in.Call.Value.Type().Underlying().(*types.Interface)) {
			u.push(args[i-1])
		}
	}
}

func (u *mapUse) result(call *ssa.Call, i int) {
	callee := call.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 {
		u.shown = true
		return
	}
	for _, b := range callee.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) {
			u.push(ret.Results[i])
		}
	}
}

// address is a variable or field that has the map.
func (u *mapUse) address(to ssa.Value) {
	switch to := to.(type) {
	case *ssa.FieldAddr:
		u.field(fieldOf(to), namedOf(to.X.Type()))
	case *ssa.Alloc, *ssa.FreeVar:
		if u.seen[to] {
			return
		}
		u.seen[to] = true
		for _, in := range *to.Referrers() {
			switch in := in.(type) {
			case *ssa.DebugRef:
			case *ssa.Store:
				if in.Addr == to {
					u.push(in.Val)
				} else {
					u.shown = true
				}
			case *ssa.UnOp:
				u.push(in)
			case *ssa.MakeClosure:
				u.captured(to, in)
			case *ssa.Call:
				u.pointed(to, in)
			default:
				u.shown = true
			}
		}
	case *ssa.Parameter:
		if u.seen[to] {
			return
		}
		u.seen[to] = true
		i := slices.Index(to.Parent().Params, to)
		u.shown = u.shown || isPublic(to.Parent()) || u.p.mayBeInvoked(to.Parent())
		for _, in := range u.p.callsOf(to.Parent()) {
			if args := in.Common().Args; i >= 0 && i < len(args) && !u.p.inTest(in.Pos()) {
				u.address(args[i])
			}
		}
	default:
		u.shown = true
	}
}

// pointed follows the address of a variable that has a map into a function, which may only take the map there.
func (u *mapUse) pointed(to ssa.Value, in *ssa.Call) {
	callee := in.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 {
		u.shown = true
		return
	}
	for i, arg := range in.Call.Args {
		if arg != to || i >= len(callee.Params) {
			continue
		}
		for _, use := range *callee.Params[i].Referrers() {
			switch use := use.(type) {
			case *ssa.DebugRef:
			case *ssa.UnOp:
				u.push(use)
			default:
				u.shown = true
			}
		}
	}
}

// captured follows a value, or the variable of it, into a function literal.
func (u *mapUse) captured(v ssa.Value, in *ssa.MakeClosure) {
	fn, ok := in.Fn.(*ssa.Function)
	if !ok {
		u.shown = true
		return
	}
	for i, b := range in.Bindings {
		if b != v {
			continue
		}
		if _, variable := v.(*ssa.Alloc); variable {
			u.address(fn.FreeVars[i])
		} else if _, outer := v.(*ssa.FreeVar); outer {
			u.address(fn.FreeVars[i])
		} else {
			u.push(fn.FreeVars[i])
		}
	}
}

func (u *mapUse) field(field *types.Var, owner *types.Named) {
	if field == nil || slices.Contains(u.fields, field) {
		return
	}
	u.fields = append(u.fields, field)
	// Of an exported field, other packages may have the maps, or package reflect.
	if field.Exported() && (field.Pkg() == nil || !strings.Contains(field.Pkg().Path()+"/", "internal/") || owner == nil || !owner.Obj().Exported()) {
		u.shown = true
	}
	for _, address := range u.p.addressesOf(field) {
		for _, in := range *address.Referrers() {
			switch in := in.(type) {
			case *ssa.DebugRef:
			case *ssa.Store:
				if in.Addr == address {
					u.push(in.Val)
				} else {
					u.shown = true
				}
			case *ssa.UnOp:
				u.push(in)
			default:
				u.shown = true
			}
		}
	}
}

func (u *mapUse) use(v ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.Range, *ssa.BinOp:
	case *ssa.Lookup:
		if in.X != v {
			u.shown = true
		}
	case *ssa.MapUpdate:
		if in.Map == v {
			u.updates = append(u.updates, in)
		}
		if in.Value == v || in.Key == v {
			u.shown = true
		}
	case *ssa.Phi, *ssa.ChangeType:
		u.push(in.(ssa.Value))
	case *ssa.Store:
		if in.Val == v {
			u.address(in.Addr)
		}
	case *ssa.MakeClosure:
		u.captured(v, in)
	case *ssa.Return:
		if isPublic(in.Parent()) {
			u.shown = true
		}
		for part := range u.p.atCallers(in, v) {
			u.push(part)
		}
		if in.Parent().Parent() != nil || u.p.mayBeInvoked(in.Parent()) {
			u.shown = true // who calls it is not known
		}
	case ssa.CallInstruction:
		u.call(v, in)
	default:
		u.shown = true
	}
}

// mayBeInvoked reports whether a function is a method that some interface of the program's packages has.
func (p *Program) mayBeInvoked(fn *ssa.Function) bool {
	return fn.Signature.Recv() != nil && len(p.invokes(fn.Name())) > 0
}

// invokes are the calls of methods of a name by interfaces, those of tests left out.
func (p *Program) invokes(name string) []*ssa.Call {
	if p.invoked == nil {
		p.invoked = map[string][]*ssa.Call{}
		for _, fn := range p.fns {
			if p.inTest(fn.Pos()) {
				continue
			}
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					if c, ok := in.(*ssa.Call); ok && c.Call.IsInvoke() {
						p.invoked[c.Call.Method.Name()] = append(p.invoked[c.Call.Method.Name()], c)
					}
				}
			}
		}
		for _, all := range p.invoked {
			slices.SortFunc(all, func(a, b *ssa.Call) int { return int(a.Pos()) - int(b.Pos()) })
		}
	}
	return p.invoked[name]
}

func (u *mapUse) call(v ssa.Value, in ssa.CallInstruction) {
	if b, ok := in.Common().Value.(*ssa.Builtin); ok {
		u.shown = u.shown || !slices.Contains([]string{"len", "delete", "clear"}, b.Name())
		return
	}
	callee := in.Common().StaticCallee()
	if callee == nil {
		u.invoke(v, in)
		return
	}
	if len(callee.Blocks) == 0 || callee.Pkg != nil && callee.Pkg.Pkg.Path() == "maps" {
		u.shown = u.shown || !strings.HasPrefix(fullName(callee), "maps.")
		return
	}
	for i, arg := range in.Common().Args {
		if arg == v && i < len(callee.Params) {
			u.push(callee.Params[i])
		}
	}
}

// invoke follows a map into the methods that a call by an interface of the package may be of.
func (u *mapUse) invoke(v ssa.Value, in ssa.CallInstruction) {
	if !in.Common().IsInvoke() || in.Common().Method.Exported() && !isUnexported(in.Common().Value.Type()) {
		u.shown = true
		return
	}
	all, _ := u.p.targets(in)
	for _, fn := range all {
		for i, arg := range in.Common().Args {
			if arg == v && i+1 < len(fn.Params) {
				u.push(fn.Params[i+1])
			}
		}
	}
}

// isUnexported reports whether a type has a name that only its package knows.
func isUnexported(t types.Type) bool {
	named := namedOf(t)
	return named != nil && !named.Obj().Exported()
}

// entries returns the mean number of entries that the benchmarks set in each map, an upper bound; ok is false if that
// is not known.
func (u *mapUse) entries() (n float64, ok bool) {
	made, set := int64(0), int64(0)
	for _, m := range u.makes {
		n, ok := u.p.executed(m.Pos())
		if !ok {
			return 0, false
		}
		made += n
	}
	for _, in := range u.updates {
		n, ok := u.p.executed(in.Pos())
		if !ok {
			n, ok = u.p.executedIn(in.Block())
		}
		if !ok {
			return 0, false
		}
		set += n
	}
	return float64(set) / float64(max(made, 1)), made > 0
}

// roomless returns the position at which one of the maps is made without a size.
func (u *mapUse) roomless() token.Pos {
	for _, m := range u.makes {
		if noRoom(m) && m.Pos().IsValid() {
			return m.Pos()
		}
	}
	return 0
}

// mapType is the type of a map; nil if it is a type parameter's.
func mapType(v ssa.Value) *types.Map {
	m, _ := v.Type().Underlying().(*types.Map)
	return m
}
