package ssautil_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	. "lessgc/vet/internal/ssautil"
)

const source = `package p

import "strings"

type pair[T any] struct{ a, b T }

type node struct {
	next *node
	name string
	pair pair[int]
}

type doer interface{ do() }

func mark(s string) {}

func loop(n int) {
	mark("before")
	for i := 0; i < n; i++ {
		if i == 3 {
			mark("in")
		} else {
			mark("else")
		}
		mark("end")
	}
	mark("after")
	mark("last")
}

func nested(n int) {
	for range n {
		mark("outer")
		for {
			if n == 3 {
				break
			}
			mark("inner")
		}
	}
	mark("after")
}

func generic[T any](x T) T { return x }

func calls(d doer, f func(), s []int) {
	d.do()
	f()
	generic(1)
	func() {}()
	_ = append(s, 1)
	var b strings.Builder
	b.Len()
}

func fields(n *node) (*int, *string) { return &n.next.pair.b, &n.next.name }

func stores(n *node, twice bool) (name *string) {
	n.name = "first"
	if twice {
		n.name = "second"
		return &n.name
	}
	list := [...]*node{n, n}
	_ = list
	n.next = n
	return nil
}

func bodyless()

func roots(n *node, x any, s []byte) {
	_ = s[1:]
	_ = x.(doer).(*impl)
	v, ok := x.(*impl)
	_, _ = v, ok
}

type impl struct{}

func (*impl) do() {}

type alias = node
`

// build returns the functions of source by name.
func build(t *testing.T) map[string]*ssa.Function {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*ssa.Function{}
	for name, m := range pkg.Members {
		if fn, ok := m.(*ssa.Function); ok {
			all[name] = fn
		}
	}
	return all
}

// find returns the instructions of fn that are of a type.
func find[T ssa.Instruction](fn *ssa.Function) []T { return slices.Collect(InstructionsOf[T](fn)) }

// TestLoops checks how many loops a call of mark is in, and that the inner one is smaller.
func TestLoops(t *testing.T) {
	for name, want := range map[string]int{`"outer"`: 1, `"inner"`: 2, `"after"`: 0} {
		for _, c := range find[*ssa.Call](build(t)["nested"]) {
			if k, ok := c.Call.Args[0].(*ssa.Const); !ok || k.Value.String() != name {
				continue
			}
			loops := slices.Collect(Loops(c.Block()))
			if len(loops) != want || len(loops) == 2 && len(loops[0]) >= len(loops[1]) {
				t.Errorf("%s is in %v; want %d loops", name, loops, want)
			}
		}
	}
}

// TestBlocks checks the order of calls of mark in a loop.
func TestBlocks(t *testing.T) {
	fn := build(t)["loop"]
	at := map[string]ssa.Instruction{}
	for _, c := range find[*ssa.Call](fn) {
		if k, ok := c.Call.Args[0].(*ssa.Const); ok {
			at[strings.Trim(k.Value.String(), `"`)] = c
		}
	}
	order := func(i, j string, before, follows, sameLoop bool) {
		t.Helper()
		if got := Before(at[i], at[j]); got != before {
			t.Errorf("Before(%s, %s) = %v", i, j, got)
		}
		if got := Follows(at[i], at[j]); got != follows {
			t.Errorf("Follows(%s, %s) = %v", i, j, got)
		}
		if got := SameLoop(at[i].Block(), at[j].Block()); got != sameLoop {
			t.Errorf("SameLoop(%s, %s) = %v", i, j, got)
		}
	}
	order("before", "in", true, true, false)
	order("before", "before", true, false, false)
	order("in", "before", false, false, false)
	order("in", "in", true, true, true)
	order("in", "else", false, true, true)
	order("in", "end", false, true, true)
	order("end", "in", false, true, true)
	order("end", "after", false, true, false)
	order("after", "last", true, true, false)
	order("last", "after", false, false, false)
	if b := at["after"].Block(); !Reachable(b, b) || Reaches(b, b) || Reachable(b, at["in"].Block()) {
		t.Error("the block behind the loop is reachable from itself only, over no edge")
	}
	for name, equal := range map[string]bool{"before": false, "in": true, "else": false, "end": false} {
		if c := EqualAt(at[name].Block()); (c != nil) != equal || equal && c.Op != token.EQL {
			t.Errorf("EqualAt the block of %s = %v", name, c)
		}
	}
}

// TestCalls checks who is called.
func TestCalls(t *testing.T) {
	var names []string
	literals := 0
	for _, c := range find[*ssa.Call](build(t)["calls"]) {
		full := "-"
		if f := Callee(&c.Call); f != nil {
			full = f.FullName()
		}
		names = append(names, full+" "+CalleeName(&c.Call))
		if n := len(Arguments(&c.Call)); c.Call.IsInvoke() && n != 1 {
			t.Errorf("%s has %d arguments", c, n)
		}
		if IsAppend(c) != (CalleeName(&c.Call) == "append") {
			t.Errorf("IsAppend(%s) = %v", c, IsAppend(c))
		}
		if IsBuiltin(c, "len", "append") != IsAppend(c) || IsBuiltin(c, "len") || IsBuiltin(c) {
			t.Errorf("IsBuiltin(%s): len or append %v, len %v, none %v", c, IsBuiltin(c, "len", "append"), IsBuiltin(c, "len"), IsBuiltin(c))
		}
		if fn := c.Call.StaticCallee(); fn != nil && fn.Parent() != nil {
			literals++
		}
	}
	if got, want := strings.Join(names, "; "), "(p.doer).do do; - ; p.generic generic; - ; - append; (*strings.Builder).Len Len"; got != want {
		t.Errorf("calls are %s, want %s", got, want)
	}
	if all := Literals(build(t)["calls"]); len(all) != 1 || literals != 1 {
		t.Errorf("literals: %v", all)
	}
	for _, c := range find[*ssa.Call](build(t)["calls"]) {
		if fn := c.Call.StaticCallee(); fn != nil && strings.HasPrefix(fn.Name(), "generic") && Generic(fn).Name() != "generic" {
			t.Errorf("Generic(%s) = %s", fn, Generic(fn))
		}
	}
}

// TestValues checks fields and roots.
func TestValues(t *testing.T) {
	fns := build(t)
	var names []string
	for _, fa := range find[*ssa.FieldAddr](fns["fields"]) {
		names = append(names, Field(fa).Name())
	}
	if got, want := strings.Join(names, " "), "next pair b next name"; got != want {
		t.Errorf("fields are %s, want %s", got, want)
	}
	for _, ret := range find[*ssa.Return](fns["fields"]) {
		for _, v := range ret.Results {
			load := Root(v)
			if fa := LoadedFrom(load); fa == nil || Field(fa).Name() != "next" || Root(fa) != ssa.Value(fns["fields"].Params[0]) {
				t.Errorf("%s begins with %s", v, load)
			}
		}
	}
	params := fns["roots"].Params
	for _, s := range find[*ssa.Slice](fns["roots"]) {
		if Root(s) != ssa.Value(params[2]) || LoadedFrom(s) != nil {
			t.Errorf("the slice begins with %s", Root(s))
		}
	}
	asserted := 0
	for _, a := range find[*ssa.TypeAssert](fns["roots"]) {
		asserted++
		if Root(a) != ssa.Value(params[1]) {
			t.Errorf("%s begins with %s", a, Root(a))
		}
	}
	if asserted != 3 {
		t.Errorf("%d type assertions, want 3", asserted)
	}
	if FieldOf(types.Typ[types.Int], 0) != nil || IsNil(params[0]) || !IsNil(ssa.NewConst(nil, params[0].Type())) {
		t.Error("an int has no field; a parameter is not nil, and nil is")
	}
}

// TestTypes checks names of types.
func TestTypes(t *testing.T) {
	pkg := build(t)["loop"].Pkg.Pkg
	of := func(name string) types.Type { return pkg.Scope().Lookup(name).Type() }
	check := func(typ types.Type, want string) {
		t.Helper()
		if got := TypeName(typ); got != want {
			t.Errorf("TypeName(%s) = %q, want %q", typ, got, want)
		}
	}
	check(of("node"), "p.node")
	check(of("alias"), "p.node")
	check(types.NewPointer(of("alias")), "p.node")
	check(types.NewPointer(types.NewPointer(of("node"))), "")
	check(types.Universe.Lookup("error").Type(), "")
	check(types.NewSlice(of("node")), "")
	field := of("node").Underlying().(*types.Struct).Field(2)
	check(field.Type(), "p.pair")
	if got := FieldOf(field.Type(), 1); got != FieldOf(of("pair"), 1) {
		t.Errorf("a field of an instance is %v, not that of the generic type", got)
	}
	slice := types.NewSlice(types.Typ[types.String])
	if !IsSlice(slice) || IsString(slice) || !IsString(Elem(slice)) || Elem(types.Typ[types.Int]) != nil || Deref(slice) != types.Type(slice) {
		t.Error("a slice of strings is a slice, and its elements are strings")
	}
	if param := build(t)["generic"].Params[0].Type(); !IsTypeParam(param) || IsTypeParam(slice) {
		t.Error("x is of a type parameter")
	}
}

// TestSeq checks the order of the iterators, that each stops when its loop does, and that what has no
// instructions or no uses yields none.
func TestSeq(t *testing.T) {
	fns := build(t)
	fn := fns["stores"]
	node := fn.Params[0]
	var all []ssa.Instruction
	for _, b := range fn.Blocks {
		all = append(all, b.Instrs...)
	}
	if got := slices.Collect(Instructions(fn)); len(got) == 0 || !slices.Equal(got, all) {
		t.Errorf("Instructions yields %v, want %v", got, all)
	}
	if got := slices.Collect(Uses[ssa.Instruction](node)); len(got) == 0 || !slices.Equal(got, *node.Referrers()) {
		t.Errorf("Uses yields %v, want %v", got, *node.Referrers())
	}
	var constants []string
	for fa := range FieldAddrs(node, 1) {
		for s := range StoresTo(fa) {
			if k, ok := s.Val.(*ssa.Const); ok {
				constants = append(constants, k.Value.String())
			}
		}
	}
	if got, want := strings.Join(constants, " "), `"first" "second"`; got != want {
		t.Errorf("the stores to n.name are of %s, want %s", got, want)
	}
	count := func(what string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	count("returns", len(slices.Collect(Returns(fn))), 2)
	count("addresses of n.name", len(slices.Collect(FieldAddrs(node, 1))), 3)
	count("stores to n, which is not a variable", len(slices.Collect(StoresTo(node))), 0)
	count("stores of n: two elements, one field", len(slices.Collect(StoresOf(node))), 3)
	count("calls in a function without any", len(slices.Collect(InstructionsOf[ssa.CallInstruction](fn))), 0)
	count("instructions of a function without a body", len(slices.Collect(Instructions(fns["bodyless"]))), 0)
	count("returns of a function without a body", len(slices.Collect(Returns(fns["bodyless"]))), 0)
	count("uses of a constant", len(slices.Collect(Uses[ssa.Instruction](ssa.NewConst(nil, node.Type())))), 0)
	first := 0
	for range Instructions(fn) {
		first++
		break
	}
	for range InstructionsOf[*ssa.Store](fn) {
		first++
		break
	}
	for range Returns(fn) {
		first++
		break
	}
	for range Uses[*ssa.FieldAddr](node) {
		first++
		break
	}
	for range StoresOf(node) {
		first++
		break
	}
	for fa := range FieldAddrs(node, 1) {
		for range StoresTo(fa) {
			first++
			break
		}
		break
	}
	count("loops that end after one", first, 6)
}

// TestSeqAllocs checks that a loop over an iterator costs no allocation: analyses run such loops for
// each value of a program.
func TestSeqAllocs(t *testing.T) {
	fn := build(t)["stores"]
	node := ssa.Value(fn.Params[0])
	n := 0
	check := func(name string, loop func()) {
		t.Helper()
		if got := testing.AllocsPerRun(100, loop); got != 0 {
			t.Errorf("a loop over %s allocates %v times", name, got)
		}
	}
	check("Instructions", func() {
		for range Instructions(fn) {
			n++
		}
	})
	check("InstructionsOf", func() {
		for range InstructionsOf[*ssa.Store](fn) {
			n++
		}
	})
	check("Returns", func() {
		for range Returns(fn) {
			n++
		}
	})
	check("Uses", func() {
		for range Uses[*ssa.FieldAddr](node) {
			n++
		}
	})
	check("StoresOf", func() {
		for range StoresOf(node) {
			n++
		}
	})
	check("FieldAddrs and StoresTo", func() {
		for fa := range FieldAddrs(node, 1) {
			for range StoresTo(fa) {
				n++
			}
		}
	})
	if n == 0 {
		t.Error("the loops run no iterations")
	}
}

func TestIsComparison(t *testing.T) {
	for op := token.ADD; op <= token.NEQ; op++ {
		want := slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, op.String())
		if got := IsComparison(op); got != want {
			t.Errorf("IsComparison(%s) is %v", op, got)
		}
	}
	if !IsComparison(token.LEQ) || !IsComparison(token.GEQ) {
		t.Error("<= or >= is none")
	}
}
