package lever

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var errorEscape = &Lever{
	Name:  "error-escape",
	Title: "format a copy in the error, so that the value stays on the stack",
	Looks: "a value that is on the heap only because a function that is given it formats it, or stores it in an error, in a branch that ends in an error or a panic: the compiler does not tell that branch from the others.",
	Wrong: "when most calls end in the error, or the value is on the heap for other reasons, such as its size. Of an interface with anything else than a number or text, the error then says less: where its text is a promise, leave it.",
	Before: `func parse(s string) (int, error) {
	if s == "" || s[0] < '0' {
		return 0, fmt.Errorf("bad number %q", s)
	}
	...
}

parse(string(b)) // a copy on the heap`,
	After: `return 0, fmt.Errorf("bad number %q", strings.Clone(s))
...
parse(string(b)) // a copy on the stack, if it is short`,
	Model:  "What callers make for the call stays on the stack. A string that is longer than 32 bytes still has its memory from the heap.",
	Risk:   API,
	Saves:  Saves{Alloc: Range{0.8, 1}, Collect: Range{0.9, 1}},
	callee: true,
	find:   findErrorEscape,
}

func findErrorEscape(p *Line) (f Finding) {
	direct := p.direct()
	all := p.allocators()
	if direct == 0 {
		return f
	}
	l := leaks{p.Program, map[*ssa.Parameter]*leak{}}
	mine := 0
	for _, in := range all {
		v, ok := in.(ssa.Value)
		if !ok || !fitsStack(p, in) || endsInError(in.Block()) {
			continue
		}
		found := l.of(v)
		if found.other || len(found.always) > 0 || len(found.messages) == 0 || slices.ContainsFunc(found.messages, func(m message) bool { return p.copyText(m) == "" }) {
			continue
		}
		mine++
		for _, m := range found.messages {
			e := p.at(m.pos, p.copyText(m))
			if !slices.Contains(f.Evidence, e) {
				f.Evidence = append(f.Evidence, e)
			}
		}
	}
	if mine < len(all) { // which bytes are whose is not known
		return Finding{}
	}
	f.Share = direct
	return f
}

// fitsStack reports whether what an instruction makes would be on the stack if it did not escape: its size is known and
// small, and a string is likely to be short.
func fitsStack(p *Line, in ssa.Instruction) bool {
	const largest = 64 << 10
	switch in := in.(type) {
	case *ssa.MakeInterface:
		return !hasTypeParameter(in.X.Type())
	case *ssa.Alloc:
		t := in.Type().Underlying().(*types.Pointer).Elem()
		return in.Comment != "varargs" && !hasTypeParameter(t) && p.pkg.TypesSizes.Sizeof(t) <= largest
	case *ssa.Convert, *ssa.BinOp:
		const short = 32 // the buffer for text that does not escape
		return p.objectSize() <= short
	}
	return false
}

// A leak describes how the memory that a value refers to gets to where the compiler takes it to be kept.
type leak struct {
	other    bool      // by what is not an error, or not understood
	messages []message // by errors
	always   []message // by text that is made each time that the function runs
	results  []int     // it is returned
}

// A message is a call where a value is formatted, or stored in an error.
type message struct {
	pos  token.Pos
	typ  types.Type
	verb string // letters; "" if there is no format
}

// leaks finds leaks of values, as the compiler would.
type leaks struct {
	program *Program
	params  map[*ssa.Parameter]*leak
}

// of is the leak of what an instruction makes.
func (l leaks) of(v ssa.Value) *leak {
	w := &leakWalk{l, new(leak), map[ssa.Value]bool{}, true}
	w.value(v)
	w.other = w.other || len(w.results) > 0
	return w.leak
}

// param is the leak of what a parameter refers to.
func (l leaks) param(v *ssa.Parameter) *leak {
	if known := l.params[v]; known != nil {
		return known // of a recursive function perhaps not all, which is enough
	}
	w := &leakWalk{l, new(leak), map[ssa.Value]bool{}, false}
	l.params[v] = w.leak
	if len(v.Parent().Blocks) == 0 {
		w.other = true
		return w.leak
	}
	w.value(v)
	return w.leak
}

// A leakWalk follows one value through a function.
type leakWalk struct {
	leaks
	*leak
	seen map[ssa.Value]bool
	home bool // the function makes it
}

func (w *leakWalk) value(v ssa.Value) {
	if w.other || w.seen[v] || !pointsInto(v.Type()) {
		return
	}
	w.seen[v] = true
	if v.Referrers() == nil || len(w.seen) > longest {
		w.other = true
		return
	}
	for _, in := range *v.Referrers() {
		w.use(v, in)
	}
}

func (w *leakWalk) use(v ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.If, *ssa.BinOp, *ssa.Lookup, *ssa.Next, *ssa.Field, *ssa.Index, *ssa.UnOp:
		w.read(v, in)
	case *ssa.Phi:
		w.other = w.other || w.home // it may be made in a loop, for a variable outside
		w.value(in)
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Slice, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.SliceToArrayPointer:
		w.value(in.(ssa.Value))
	case *ssa.TypeAssert:
		w.asserted(in)
	case *ssa.Convert:
		w.other = w.other || !isCopy(in)
	case *ssa.Range:
		w.other = w.other || !isString(v.Type())
	case *ssa.MakeInterface:
		w.boxed(in, v)
	case *ssa.Store:
		w.store(v, in)
	case *ssa.Return:
		for i, r := range in.Results {
			if r == v && !slices.Contains(w.results, i) {
				w.results = append(w.results, i)
			}
		}
	case *ssa.Call:
		w.call(v, in)
	default:
		w.other = true
	}
}

// read looks at an instruction that takes something out of what a value refers to: part of a struct may be
// the reference itself.
func (w *leakWalk) read(v ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Field:
		w.value(in)
	case *ssa.Index:
		if !isString(v.Type()) {
			w.value(in)
		}
	case *ssa.UnOp:
		w.other = w.other || in.Op != token.MUL
	}
}

// isCopy reports whether a conversion copies text.
func isCopy(in *ssa.Convert) bool {
	_, from := in.X.Type().Underlying().(*types.Slice)
	_, to := in.Type().Underlying().(*types.Slice)
	return from && isString(in.Type()) || to && isString(in.X.Type())
}

// asserted follows what an interface has: a copy, unless it is a pointer.
func (w *leakWalk) asserted(in *ssa.TypeAssert) {
	if !types.IsInterface(in.AssertedType) && !pointerShaped(in.AssertedType) {
		return
	}
	if !in.CommaOk {
		w.value(in)
		return
	}
	for i, part := range parts(in) {
		if i == 0 {
			w.value(part)
		}
	}
}

// boxed follows a reference that becomes an interface of its own: for text only.
func (w *leakWalk) boxed(in *ssa.MakeInterface, v ssa.Value) {
	for _, user := range *in.Referrers() {
		switch user := user.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if user.Val != in || !w.formatted(v, user) {
				w.other = true
			}
		default:
			w.other = true
		}
	}
}

// store follows a reference that is stored: among the arguments of a call that formats, in an error, or in a variable
// of the function.
func (w *leakWalk) store(v ssa.Value, in *ssa.Store) {
	if in.Val != v || w.formatted(v, in) {
		return
	}
	to, ok := base(in.Addr).(*ssa.Alloc)
	switch {
	case !ok:
		w.other = true
	case endsInError(in.Block()) && makesError(to):
		w.messages = append(w.messages, message{in.Pos(), v.Type(), ""})
	case w.home || to != in.Addr:
		w.other = true
	default:
		w.variable(to)
	}
}

// variable follows what a local variable has.
func (w *leakWalk) variable(v *ssa.Alloc) {
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			w.other = w.other || in.Addr != v
		case *ssa.UnOp:
			w.value(in)
		default:
			w.other = true
		}
	}
}

// makesError reports whether an object is used for nothing but to be an error.
func makesError(v *ssa.Alloc) bool {
	found := false
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr:
		case *ssa.MakeInterface:
			found = found || isError(in.Type())
		case *ssa.UnOp: // its value is the error
			for _, user := range *in.Referrers() {
				if made, ok := user.(*ssa.MakeInterface); ok && isError(made.Type()) {
					found = true
				}
			}
		default:
			return false
		}
	}
	return found
}

// formatted notes a value that is one of the arguments of a call that formats, and reports whether it is.
func (w *leakWalk) formatted(v ssa.Value, in *ssa.Store) bool {
	element, ok := in.Addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	rest, ok := element.X.(*ssa.Alloc)
	if !ok || rest.Comment != "varargs" {
		return false
	}
	index, ok := element.Index.(*ssa.Const)
	if !ok {
		return false
	}
	for _, r := range *rest.Referrers() {
		s, ok := r.(*ssa.Slice)
		if !ok {
			continue
		}
		for _, user := range *s.Referrers() {
			call, ok := user.(*ssa.Call)
			if !ok || !makesTextOf(call) {
				return false
			}
			verb, ok := verbOf(call, int(index.Int64()))
			if !ok {
				return false
			}
			w.say(message{call.Pos(), v.Type(), verb}, call.Block())
		}
	}
	return true
}

// say notes a message that a block makes.
func (w *leakWalk) say(m message, b *ssa.BasicBlock) {
	switch {
	case endsInError(b):
		w.messages = append(w.messages, m)
	case b.Index == 0 && !w.home:
		w.always = append(w.always, m)
	default:
		w.other = true
	}
}

// makesTextOf reports whether a call is of a function that makes text of any values.
func makesTextOf(call *ssa.Call) bool {
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Pkg == nil {
		return false
	}
	switch callee.Pkg.Pkg.Path() {
	case "fmt":
		return !strings.Contains(callee.Name(), "Scan") && !strings.HasPrefix(callee.Name(), "Append")
	case "log":
		return true
	}
	return false
}

// verbOf are the letters by which a format shows an argument; ok is false if that is not known, or the error wraps it.
func verbOf(call *ssa.Call, index int) (verb string, ok bool) {
	callee := call.Call.StaticCallee()
	if !strings.HasSuffix(callee.Name(), "f") {
		return "", true
	}
	args := call.Call.Args
	format, isConst := args[len(args)-2].(*ssa.Const)
	if !isConst || format.Value == nil || format.Value.Kind() != constant.String {
		return "", callee.Name() != "Errorf"
	}
	all, known := verbs(constant.StringVal(format.Value))
	if !known || index >= len(all) {
		return "", !strings.Contains(constant.StringVal(format.Value), "w")
	}
	return all[index], all[index] != "w"
}

// verbs returns the verbs of a format, one for each argument; ok is false if it has numbers of arguments, or widths among them.
func verbs(format string) (all []string, ok bool) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		for i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0 {
			i++
		}
		if i == len(format) || format[i] == '*' || format[i] == '[' {
			return nil, false
		}
		if format[i] != '%' {
			all = append(all, format[i:i+1])
		}
	}
	return all, true
}

// call follows a reference into a call.
func (w *leakWalk) call(v ssa.Value, in *ssa.Call) {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		w.builtin(b, v, in)
		return
	}
	callee := c.StaticCallee()
	switch {
	case callee == nil || c.IsInvoke() || c.Value == v:
		w.other = true
	case len(callee.Blocks) == 0:
		w.external(v, in, callee)
	default:
		for i, arg := range c.Args {
			if arg == v {
				w.passed(callee.Params[i], in)
			}
		}
	}
}

// passed adds what a function does with a parameter.
func (w *leakWalk) passed(param *ssa.Parameter, in *ssa.Call) {
	found := w.param(param)
	w.other = w.other || found.other
	w.messages = append(w.messages, found.messages...)
	for _, m := range found.always {
		w.say(m, in.Block())
	}
	for i, part := range parts(in) {
		if slices.Contains(found.results, i) {
			w.value(part)
		}
	}
}

func (w *leakWalk) builtin(b *ssa.Builtin, v ssa.Value, in *ssa.Call) {
	switch b.Name() {
	case "len", "cap", "copy", "clear", "print", "println":
	case "append":
		if in.Call.Args[0] == v {
			w.value(in)
		}
	default:
		w.other = true
	}
}

// external follows a reference into a function whose source is not loaded.
func (w *leakWalk) external(v ssa.Value, in *ssa.Call, callee *ssa.Function) {
	name := callee.RelString(nil)
	switch {
	case readsOnly[name], strings.HasPrefix(name, "unicode/utf8."), strings.HasPrefix(name, "strconv.Parse"), strings.HasPrefix(name, "(encoding/binary.") && !strings.Contains(name, "Append"):
	case slices.Contains(trimming, name):
		w.value(in)
	default:
		w.other = true
	}
}

// readsOnly holds functions whose arguments do not leave them, by the compiler's word.
var readsOnly = map[string]bool{
	"strconv.Atoi": true, "reflect.TypeOf": true, "strings.Clone": true, "bytes.Clone": true,
	"strings.HasPrefix": true, "strings.HasSuffix": true, "strings.Contains": true, "strings.ContainsRune": true, "strings.ContainsAny": true,
	"strings.Index": true, "strings.IndexByte": true, "strings.IndexRune": true, "strings.IndexAny": true, "strings.LastIndex": true, "strings.LastIndexByte": true,
	"strings.EqualFold": true, "strings.Compare": true, "strings.Count": true,
	"bytes.HasPrefix": true, "bytes.HasSuffix": true, "bytes.Contains": true, "bytes.Index": true, "bytes.IndexByte": true, "bytes.LastIndexByte": true,
	"bytes.Equal": true, "bytes.EqualFold": true, "bytes.Compare": true, "bytes.Count": true,
}

// trimming are functions that return part of their argument and keep nothing.
var trimming = []string{"strings.TrimSpace", "strings.TrimPrefix", "strings.TrimSuffix", "strings.Trim", "strings.TrimLeft", "strings.TrimRight",
	"bytes.TrimSpace", "bytes.TrimPrefix", "bytes.TrimSuffix", "bytes.Trim", "bytes.TrimLeft", "bytes.TrimRight"}

// endsInError reports whether a block, which the function need not come to, leads to a panic or to the return of an error
// and to nothing else.
func endsInError(b *ssa.BasicBlock) bool {
	if b.Index == 0 {
		return false
	}
	for range 6 {
		switch last := b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.Panic:
			return true
		case *ssa.Return:
			n := len(last.Results)
			return n > 0 && isError(last.Results[n-1].Type()) && certainError(last.Results[n-1], b, 0)
		case *ssa.Jump:
			b = b.Succs[0]
			continue
		}
		break
	}
	return false
}

// certainError reports whether a value that a block returns is an error, and not nil.
func certainError(v ssa.Value, b *ssa.BasicBlock, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return true
	case *ssa.UnOp:
		if _, global := x.X.(*ssa.Global); global {
			return true
		}
		for _, in := range slices.Backward(b.Instrs) { // a named result
			if store, ok := in.(*ssa.Store); ok && store.Addr == x.X {
				return certainError(store.Val, b, depth+1)
			}
		}
	case *ssa.Call:
		callee := x.Call.StaticCallee()
		return callee != nil && callee.Signature.Results().Len() == 1 && makesErrors(callee, depth)
	}
	return knownError(v, b)
}

// makesErrors reports whether a function never returns nil: as its source says or, where that is not loaded, its name or
// its package.
func makesErrors(fn *ssa.Function, depth int) bool {
	if len(fn.Blocks) == 0 {
		return strings.Contains(strings.ToLower(fn.Name()), "errorf") || fn.Pkg != nil && strings.HasSuffix(fn.Pkg.Pkg.Path(), "errors") && fn.Name() == "New"
	}
	return !slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		return ok && !certainError(r.Results[0], b, depth+1)
	})
}

// knownError reports whether a condition around a block says that a value is not nil.
func knownError(v ssa.Value, b *ssa.BasicBlock) bool {
	for d := b.Idom(); d != nil; d = d.Idom() {
		cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		op, ok := cond.Cond.(*ssa.BinOp)
		if ok && op.Op == token.NEQ && (op.X == v && isConst(op.Y) || op.Y == v && isConst(op.X)) && d.Succs[0].Dominates(b) {
			return true
		}
	}
	return false
}

// copyText returns what to do at a message; "" if nothing can be done.
func (p *Line) copyText(m message) string {
	const why = "only this makes it escape: "
	switch t := m.typ.Underlying().(type) {
	case *types.Basic:
		if isString(t) {
			return why + "give the error strings.Clone of it"
		}
	case *types.Slice:
		if b, ok := t.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return why + "give the error bytes.Clone of it"
		}
		return why + "give the error slices.Clone of it"
	case *types.Pointer:
		if s, ok := t.Elem().Underlying().(*types.Struct); ok && m.verb != "" && m.verb != "p" && !hasLock(s, 0) {
			return why + "copy what it points to to a variable of that branch, and format a pointer to that"
		}
	case *types.Interface:
		switch {
		case m.verb == "T":
			return why + "format reflect.TypeOf of it with %v, which does not"
		case m.verb != "" && m.verb != "p":
			return why + "format what reflect.ValueOf of it has, by its Kind (Int, Float, a clone of String): of other kinds the error then shows the type alone"
		}
	}
	return ""
}
