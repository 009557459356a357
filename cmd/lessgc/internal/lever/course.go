package lever

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// A course follows references to an object, with the values that they are stored in. Unlike a fate it is not proof:
// values that are read out of fields again are not followed.
type course struct {
	place   *Line
	keeps   []ownership
	unknown []ssa.CallInstruction // of functions that are not known, and are given the object
	lent    []ssa.CallInstruction // of the standard library, which does not keep it
	away    []token.Pos           // stored where no owner is known, sent, or given to a goroutine
	apart   []token.Pos           // the same of a value that holds it
	users   []*ssa.Function       // that return it to callers which are not in the program
	owners  []*ssa.Function       // that return what holds it to such callers

	returned bool // by the function that makes it, itself
	public   bool // by a function that users of the package may call
	handed   bool // a value that holds it is returned by such a function
	invoked  bool // callers by an interface or function value count, as far as the profile shows them

	home    *ssa.Function
	origin  types.Type         // of the pointer to a struct that is followed; nil for other values
	seen    map[ssa.Value]link // a struct that has it holds it; a variable, array or map boxes it
	entered map[*ssa.Function][]ssa.CallInstruction
	work    []ssa.Value
}

// An ownership is a field that refers to the object.
type ownership struct {
	field *types.Var
	owner *types.Named // nil for a struct without a name
	pos   token.Pos
	fresh bool // the owner is made here, and followed
	by    *ssa.Function
	whole bool // the field has the object itself, not what holds it
	heap  bool // the owner is made here as an object of its own
}

// widest bounds the values of a course.
const widest = 1500

// course follows an object.
func (p *Line) course(v ssa.Value) *course { return p.courseBy(v, false) }

// courseBy is course, which may follow what is returned to the callers in the profile by an interface or function value.
func (p *Line) courseBy(v ssa.Value, invoked bool) *course {
	c := &course{place: p, home: v.Parent(), invoked: invoked, seen: map[ssa.Value]link{}, entered: map[*ssa.Function][]ssa.CallInstruction{}}
	if made, ok := v.(*ssa.Alloc); ok && made.Comment != "varargs" {
		c.origin = made.Type()
	}
	c.mark(v, refers)
	for len(c.work) > 0 {
		next := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		if next.Referrers() == nil {
			continue
		}
		for _, in := range *next.Referrers() {
			c.use(next, in)
		}
	}
	return c
}

// dropped reports whether nothing is left of the object when the calls end that the course has seen, but for
// calls of what is not known.
func (c *course) dropped() bool {
	return len(c.away) == 0 && len(c.apart) == 0 && len(c.users) == 0 && len(c.owners) == 0 && len(c.seen) < widest &&
		!slices.ContainsFunc(c.keeps, func(k ownership) bool { return !k.fresh })
}

func (c *course) mark(v ssa.Value, how link) {
	if v == nil || how == 0 || len(c.seen) >= widest || c.seen[v]|how == c.seen[v] {
		return
	}
	c.seen[v] |= how
	c.work = append(c.work, v)
}

// leaves notes that a value gets to where it is not followed.
func (c *course) leaves(v ssa.Value, pos token.Pos) {
	if c.direct(v) {
		c.away = append(c.away, pos)
	} else {
		c.apart = append(c.apart, pos)
	}
}

// direct reports whether a value leads to the object by something else than a struct that has it.
func (c *course) direct(v ssa.Value) bool { return c.seen[v]&(refers|boxes) != 0 }

// inside returns the link from a variable, array or map in which v is stored to the object.
func (c *course) inside(v ssa.Value) link {
	how := c.seen[v] & (holds | boxes)
	if c.seen[v]&refers != 0 {
		how |= boxes
	}
	return how
}

func (c *course) use(v ssa.Value, in ssa.Instruction) {
	how := c.seen[v]
	switch in := in.(type) {
	case *ssa.Phi, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Slice, *ssa.SliceToArrayPointer:
		if assert, ok := in.(*ssa.TypeAssert); ok && c.invoked && how == refers && c.isOther(assert.AssertedType) {
			return
		}
		c.mark(in.(ssa.Value), how)
	case *ssa.Extract:
		if pointsInto(in.Type()) {
			c.mark(in, how)
		}
	case *ssa.FieldAddr:
		c.mark(in, how&refers)
	case *ssa.IndexAddr: // an element of an array that has the object may be it
		c.mark(in, how&(refers|boxes))
	case *ssa.Lookup:
		if in.X == v && how&boxes != 0 {
			c.mark(in, refers)
		}
	case *ssa.UnOp:
		c.load(v, in)
	case *ssa.Store:
		if in.Val == v {
			c.store(in)
		}
	case *ssa.MapUpdate:
		if in.Value == v || in.Key == v {
			c.element(v, in)
		}
	case *ssa.MakeClosure:
		c.captured(v, in)
	case *ssa.Return:
		c.result(v, in)
	case *ssa.Go:
		if joins(in.Parent()) {
			c.call(v, in)
		} else {
			c.leaves(v, in.Pos())
		}
	case *ssa.Send, *ssa.Select:
		c.leaves(v, in.Pos())
	case *ssa.Call, *ssa.Defer:
		c.call(v, in.(ssa.CallInstruction))
	}
}

// isOther reports whether an interface that has the object cannot have a value of a type.
func (c *course) isOther(t types.Type) bool {
	return c.origin != nil && !types.IsInterface(t) && !types.Identical(t, c.origin)
}

// load follows what is loaded from a variable, or a copy of a struct that has the object.
func (c *course) load(v ssa.Value, in *ssa.UnOp) {
	if in.Op != token.MUL || !pointsInto(in.Type()) {
		return
	}
	how := c.seen[v] & holds
	if c.seen[v]&boxes != 0 {
		how |= refers
	}
	c.mark(in, how)
}

// store follows a reference into what it is stored in.
func (c *course) store(in *ssa.Store) {
	switch to := in.Addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		c.mark(to, c.inside(in.Val))
	case *ssa.FieldAddr:
		c.field(to, in)
	case *ssa.IndexAddr:
		c.into(in.Val, to.X, in.Pos())
	default:
		c.leaves(in.Val, in.Pos())
	}
}

// field notes a field, and follows its struct if that is made here.
func (c *course) field(to *ssa.FieldAddr, in *ssa.Store) {
	pos := in.Pos()
	k := ownership{field: fieldOf(to), owner: namedOf(to.X.Type()), pos: pos, by: to.Parent(), whole: c.direct(in.Val)}
	if !pos.IsValid() {
		k.pos = to.Pos()
	}
	if inner, ok := to.X.(*ssa.FieldAddr); ok { // a struct in another
		k.fresh = true
		c.keeps = append(c.keeps, k)
		c.field(inner, in)
		return
	}
	made, fresh := to.X.(*ssa.Alloc)
	k.fresh, k.heap = fresh, fresh && made.Heap
	c.keeps = append(c.keeps, k)
	if fresh {
		c.mark(made, holds)
	}
}

// into follows a reference into a slice or array.
func (c *course) into(v, x ssa.Value, pos token.Pos) {
	switch root := base(x).(type) {
	case *ssa.Alloc, *ssa.MakeSlice:
		c.mark(root, c.inside(v))
	default:
		c.leaves(v, pos)
	}
}

// element follows a reference into a map that is made here.
func (c *course) element(v ssa.Value, in *ssa.MapUpdate) {
	if made, ok := in.Map.(*ssa.MakeMap); ok {
		c.mark(made, c.inside(v))
		return
	}
	c.leaves(v, in.Pos())
}

func (c *course) captured(v ssa.Value, in *ssa.MakeClosure) {
	fn := in.Fn.(*ssa.Function)
	for i, b := range in.Bindings {
		if b == v {
			c.mark(fn.FreeVars[i], c.seen[v])
		}
	}
	c.mark(in, c.inside(v))
}

// result follows a reference to those who call its function.
func (c *course) result(v ssa.Value, in *ssa.Return) {
	fn := in.Parent()
	c.returned = c.returned || fn == c.home && c.direct(v)
	if len(c.entered[fn]) == 0 && isPublic(fn) {
		c.public, c.handed = c.public || c.direct(v), c.handed || !c.direct(v)
	}
	calls, inside := c.entered[fn], false
	if len(calls) > 0 {
		inside = true
	} else {
		calls = c.place.ownCalls(fn)
		if len(calls) == 0 && c.invoked {
			calls = c.place.shownCalls(fn)
		}
	}
	switch {
	case inside || len(calls) > 0:
	case c.direct(v):
		c.users = append(c.users, fn)
	default:
		c.owners = append(c.owners, fn)
	}
	for i, r := range in.Results {
		if r != v {
			continue
		}
		for _, call := range calls {
			c.given(call, i, c.seen[v])
		}
	}
}

// isPublic reports whether users of the package may call a function.
func isPublic(fn *ssa.Function) bool {
	if !token.IsExported(fn.Name()) || fn.Pkg == nil || fn.Pkg.Pkg.Name() == "main" || strings.Contains(fn.Pkg.Pkg.Path()+"/", "internal/") {
		return false
	}
	recv := fn.Signature.Recv()
	return recv == nil || namedOf(recv.Type()) == nil || namedOf(recv.Type()).Obj().Exported()
}

// ownCalls are the calls of a function, tests left out: those that the profile shows, if it shows any.
func (p *Line) ownCalls(fn *ssa.Function) (all []ssa.CallInstruction) {
	var shown []ssa.CallInstruction
	for _, call := range p.callsOf(fn) {
		if p.inTest(call.Pos()) || !call.Pos().IsValid() {
			continue
		}
		all = append(all, call)
		if p.above(call.Pos()) {
			shown = append(shown, call)
		}
	}
	if len(shown) > 0 {
		return shown
	}
	return all
}

// shownCalls are the calls of a function that the profile has above the site, those by an interface or function value too.
func (p *Line) shownCalls(fn *ssa.Function) (all []ssa.CallInstruction) {
	for _, l := range p.site.Leaves {
		stack := append([]prof.Frame{p.site.Frame}, l.Callers...)
		for i, f := range stack[:min(len(stack)-1, farthest)] {
			at := p.function(f)
			if at == nil || p.fns[at.node] != fn || strings.HasSuffix(stack[i+1].File, "_test.go") {
				continue
			}
			for _, call := range p.callsAbove(fn, stack[i+1]) {
				if !slices.Contains(all, ssa.CallInstruction(call)) {
					all = append(all, call)
				}
			}
		}
	}
	return all
}

// above reports whether a position is of a line that the profile has above the site.
func (p *Line) above(pos token.Pos) bool {
	at := p.fset.Position(pos)
	return slices.ContainsFunc(p.site.Leaves, func(l site.Leaf) bool {
		return slices.ContainsFunc(l.Callers, func(f prof.Frame) bool { return f.Line == at.Line && f.File == at.Filename })
	})
}

// given marks a result of a call.
func (c *course) given(call ssa.CallInstruction, result int, how link) {
	if v := call.Value(); v != nil {
		for i, part := range parts(v) {
			if i == result {
				c.mark(part, how)
			}
		}
	}
}

func (c *course) call(v ssa.Value, in ssa.CallInstruction) {
	common := in.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" && in.Value() != nil && (common.Args[0] == v || c.seen[v]&(holds|boxes) != 0) {
			c.mark(in.Value(), c.seen[v])
		}
		if b.Name() == "copy" && common.Args[1] == v {
			c.copied(v, in)
		}
		return
	}
	if common.Value == v && !common.IsInvoke() {
		return // a closure is called
	}
	callee := common.StaticCallee()
	switch {
	case callee != nil && len(callee.Blocks) > 0:
		c.enter(v, in, callee)
	case callee != nil:
		c.external(v, in, callee)
	case common.IsInvoke() && looks[common.Method.FullName()]:
	default:
		c.unknown = append(c.unknown, in)
	}
}

// copied follows the elements of a slice into another one.
func (c *course) copied(v ssa.Value, in ssa.CallInstruction) {
	how := c.seen[v] & (holds | boxes)
	if how == 0 {
		return
	}
	switch to := base(in.Common().Args[0]).(type) {
	case *ssa.Alloc, *ssa.MakeSlice:
		c.mark(to, how)
	default:
		c.leaves(v, in.Pos())
	}
}

// enter follows a reference into a function that is known.
func (c *course) enter(v ssa.Value, in ssa.CallInstruction, callee *ssa.Function) {
	if !slices.Contains(c.entered[callee], in) && callee != c.home {
		c.entered[callee] = append(c.entered[callee], in)
	}
	for i, arg := range in.Common().Args {
		if arg == v && i < len(callee.Params) {
			c.mark(callee.Params[i], c.seen[v])
		}
	}
}

// external follows a reference into a function whose source is not loaded.
func (c *course) external(v ssa.Value, in ssa.CallInstruction, callee *ssa.Function) {
	name := fullName(callee)
	args := in.Common().Args
	switch {
	case onlyCopies(name):
		c.lent = append(c.lent, in)
	case name == "errors.As":
		c.lent = append(c.lent, in)
	case strings.HasPrefix(name, "fmt.") || strings.HasPrefix(name, "errors."): // of errors, mostly
	case appends(name):
		if args[0] == v || len(args) > 1 && args[1] == v {
			c.given(in, 0, c.seen[v])
		}
	case wraps[name]:
		c.given(in, 0, holds)
	case name == "reflect.ValueOf":
		c.lent = append(c.lent, in)
		c.given(in, 0, c.seen[v])
	case strings.HasPrefix(name, "(reflect.Value).") && args[0] == v:
		c.given(in, 0, c.seen[v])
	case name == "strings.Join" || name == "bytes.Join": // these copy
		c.lent = append(c.lent, in)
	case givesParts(name):
		c.given(in, 0, c.seen[v])
	case callee.Signature.Recv() != nil && args[0] == v && ownMethods(name):
		if results := callee.Signature.Results(); results.Len() > 0 && isError(results.At(0).Type()) {
			c.lent = append(c.lent, in) // as that of Flush or Close, which is not of the object
			return
		}
		c.given(in, 0, c.seen[v])
	default:
		c.unknown = append(c.unknown, in)
	}
}

// fullName is the name of a function with its package, and its receiver.
func fullName(fn *ssa.Function) string {
	if object, ok := fn.Object().(*types.Func); ok {
		return object.Origin().FullName()
	}
	return fn.RelString(nil)
}

// namedOf is the named type that a type is, or points to; nil if it has no name.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// joins reports whether a function waits for the goroutines that it starts, with a sync.WaitGroup of its own.
func joins(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil || fullName(call.Call.StaticCallee()) != "(*sync.WaitGroup).Wait" {
				continue
			}
			if _, own := call.Call.Args[0].(*ssa.Alloc); own {
				return true
			}
		}
	}
	return false
}
