package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var sortFunc = &Lever{
	Name:    "sort-func",
	Title:   "sort with slices.SortFunc",
	Subject: "sort with slices.SortFunc",
	Looks:   "sort.Slice and sort.SliceStable of a slice whose elements are small, with a function literal that only compares two of its elements; and sort.Sort and sort.Stable of a slice.",
	Wrong:   "when the elements are large: slices.SortFunc passes them to the function by value. A slice that is sorted already takes somewhat longer than with sort.Slice, which then only compares.",
	Before: `sort.Slice(users, func(i, j int) bool { return users[i].ID < users[j].ID })
sort.Sort(byName(users))`,
	After: `slices.SortFunc(users, func(a, b User) int { return cmp.Compare(a.ID, b.ID) })
slices.SortFunc(users, func(a, b User) int { return strings.Compare(a.Name, b.Name) })`,
	Model: "The boxed slice, the swapper and the function go; what takes the time of swaps by reflection, or of calls by an interface, goes by half or more.",
	Saves: Saves{Alloc: Range{0.9, 1}, Collect: Range{0.9, 1}, Work: Range{0.3, 0.8}},
	Rewrite: "The function literal compares by < or > the same field, or the element itself, of two elements of the slice that is sorted, or one such field after another where those before are the same: integers or strings, which cmp.Compare orders as < does, and no method is called. " +
		"The elements are passed in registers: they have four words and four fields at most, and no array, and no lock; no file of another build names their type, or that of the field. The slice is a variable or a field of one, and the call is not one of go or defer, which would read it later. " +
		"For sort.Sort and sort.Stable it has, or is converted to, a slice type of the package with methods of its values: Len returns the length, Swap exchanges two elements, Less is such a comparison, and no file for another system has the name of the type, or declares a method of these names. " +
		"Calls for one type change together, if the package has no more than five; where the type stays, those that the profile has are changes by themselves. If nothing else uses it, a test included, and it is not exported, the type goes with its methods and their comments; no call changes where it cannot go: its methods have other comments or directives, one elsewhere names it, it is declared with others, or is all that its file declares. " +
		"sort.Slice, sort.Sort and slices.SortFunc of Go 1.21 to 1.27 are generated from the same text, and so are those that are stable: they compare and swap the same elements in the same order, so equal elements come out in the same order, and where a comparison panics the slice is the same. slices.Sort gets integers and strings only, of which equal ones are the same." + otherCalls,
	find: findSortFunc,
}

// inRegisters reports whether the values of a type are passed in registers, as the compiler does with structs of four words and four fields at most, and without arrays.
// Each comparison gets two elements: of larger ones copies, which take longer than what is saved, in a slice that is sorted already eight times as long.
func (p *Line) inRegisters(t types.Type) bool {
	var small func(t types.Type) bool
	small = func(t types.Type) bool {
		switch u := t.Underlying().(type) {
		case *types.Array:
			return u.Len() <= 1 && (u.Len() == 0 || small(u.Elem()))
		case *types.Struct:
			if u.NumFields() > mostInRegisters {
				return false
			}
			for field := range u.Fields() {
				if !small(field.Type()) {
					return false
				}
			}
		}
		return true
	}
	return small(t) && p.pkg.TypesSizes.Sizeof(t) <= mostInRegisters*p.pkg.TypesSizes.Sizeof(types.Typ[types.Uintptr])
}

// mostInRegisters is the number of words, and of fields, of a struct that the compiler keeps in registers.
const mostInRegisters = 4

func findSortFunc(p *Line) Finding {
	f, c := p.sortedOnLine()
	if f.Edits == nil || c.fn.Name() != "Slice" && c.fn.Name() != "SliceStable" {
		return f
	}
	f.InPlace = true
	return p.alikeCalls(f, []called{c}, onlyOfForm, func(other *ast.CallExpr) []Edit {
		f, c := p.lineAt(other.Pos()).sortedOnLine()
		if c.call != other {
			return nil
		}
		return f.Edits
	})
}

// sortedOnLine is about a call on the line, and those that change with it as they are for the same type.
func (p *Line) sortedOnLine() (f Finding, _ called) {
	for _, c := range p.called() {
		if _, ok := ast.Unparen(c.call.Fun).(*ast.SelectorExpr); !ok || !p.goes("1.21") || c.fn.Pkg() == nil || c.fn.Pkg().Path() != "sort" || len(c.call.Args) == 0 {
			continue // an import with a dot does not go
		}
		x := c.call.Args[0]
		slice, ok := p.typeOf(x).Underlying().(*types.Slice)
		if !ok || p.pkg.TypesSizes == nil || hasTypeParameter(slice.Elem()) || !p.inRegisters(slice.Elem()) || copiesLock(slice.Elem()) {
			continue
		}
		share := p.below(c.fn)
		var change func(f *Finding)
		switch c.fn.Name() {
		case "Slice", "SliceStable":
			less, ok := ast.Unparen(c.call.Args[1]).(*ast.FuncLit)
			if !ok || !p.simple(x) || !p.comparesTwo(less, x) {
				continue
			}
			share += p.alone(func(n ast.Node) bool { return n == c.call || n == less })
			change = func(f *Finding) {
				f.Edits = p.sortsBy(c, less, slice.Elem())
			}
		case "Sort", "Stable":
			if !p.swapsPlainly(p.typeOf(x)) {
				continue
			}
			share += p.convertsAlone(c.call)
			change = func(f *Finding) { p.withSortType(f, c) }
		default:
			continue
		}
		if share == 0 {
			continue
		}
		f.Share, f.Calls = share, []string{profiled(c.fn)}
		f.Evidence = []Evidence{p.at(c.call.Pos(), fmt.Sprintf("%s converts the slice to an interface; slices.SortFunc takes it as it is", c.name))}
		if !runsLater(c.parent()) { // else it reads the slice when its variable may have another one
			change(&f)
		}
		return f, c
	}
	return Finding{}, called{}
}

// copiesLock reports whether a value of a type may not be copied: it has in it what has the methods Lock and Unlock, as vet says.
func copiesLock(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return copiesLock(u.Elem())
	case *types.Struct:
		if all := types.NewMethodSet(types.NewPointer(t)); all.Lookup(nil, "Lock") != nil && all.Lookup(nil, "Unlock") != nil {
			return true
		}
		for field := range u.Fields() {
			if copiesLock(field.Type()) {
				return true
			}
		}
	}
	return false
}

// comparesTwo reports whether a function literal uses its parameters only as indexes of a slice.
func (p *Line) comparesTwo(less *ast.FuncLit, x ast.Expr) bool {
	only := true
	ast.PreorderStack(less.Body, nil, func(n ast.Node, stack []ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || !p.isParameter(less, id) {
			return only
		}
		index, ok := innermost(stack).(*ast.IndexExpr)
		only = only && ok && index.Index == id && p.text(index.X) == p.text(x)
		return only
	})
	return only
}

// swapsPlainly reports whether the method Swap of a slice type does no more than its name says.
func (p *Line) swapsPlainly(t types.Type) bool {
	object, _, _ := types.LookupFieldOrMethod(t, true, p.pkg.Types, "Swap")
	if object == nil {
		return false
	}
	fn := p.declared(object)
	if fn == nil {
		return object.Pkg() != nil && object.Pkg().Path() == "sort"
	}
	if len(fn.body.List) != 1 {
		return false
	}
	assign, ok := fn.body.List[0].(*ast.AssignStmt)
	return ok && len(assign.Lhs) == 2
}

// isParameter reports whether an identifier is a parameter of a function literal.
func (p *Line) isParameter(f *ast.FuncLit, id *ast.Ident) bool {
	v, ok := p.pkg.TypesInfo.Uses[id].(*types.Var)
	return ok && f.Type.Params.Pos() <= v.Pos() && v.Pos() < f.Type.Params.End()
}

// sortsBy makes a call of slices.SortFunc, if the function literal is return x[i] < x[j], or > , of
// the same field of both, which is a string or an integer: nil if it is not.
func (p *Line) sortsBy(c called, less *ast.FuncLit, elem types.Type) []Edit {
	o := p.orderOf(less.Type, less.Body, p.text(c.call.Args[0]))
	if o == nil {
		return nil
	}
	return p.sortedBy(c.call, c.call.Args[0], elem, o)
}

// An order is how a function compares two elements of a slice: by its first key, and where that is the same, by the next.
type order []sortKey

// A sortKey is a part of both elements that is compared.
type sortKey struct {
	part    string // such as .Name
	reverse bool   // the larger one comes first
	text    bool   // it is a string
}

// natural reports whether whole elements are compared, and the smaller one comes first.
func (o order) natural() bool { return len(o) == 1 && o[0].part == "" && !o[0].reverse }

// orderOf is the order of a function that has two indexes of a slice and does no more than compare the same fields of both, which are strings or integers, by < or >:
// each but the last where it differs, or where those before are the same; nil if it does anything else.
func (p *Line) orderOf(typ *ast.FuncType, body *ast.BlockStmt, slice string) (o order) {
	i, j, ok := twoParams(typ)
	if !ok {
		return nil
	}
	for k, s := range body.List {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			if len(s.Results) != 1 || k != len(body.List)-1 {
				return nil
			}
			last := p.keysOf(s.Results[0], slice, i, j)
			if last == nil {
				return nil
			}
			return append(o, last...)
		case *ast.IfStmt:
			if s.Init != nil || s.Else != nil {
				return nil
			}
			result := returned(s.Body)
			if result == nil {
				return nil
			}
			key, same, ok := p.comparedKey(s.Cond, slice, i, j)
			keys := p.keysOf(result, slice, i, j)
			switch {
			case !ok || keys == nil:
				return nil
			case !same && len(keys) == 1 && keys[0].part == key:
				o = append(o, keys...)
			case same && k == len(body.List)-2: // the keys behind come first
				then, _ := body.List[k+1].(*ast.ReturnStmt)
				if then == nil || len(then.Results) != 1 {
					return nil
				}
				first := p.keysOf(then.Results[0], slice, i, j)
				if len(first) != 1 || first[0].part != key {
					return nil
				}
				return slices.Concat(o, first, keys)
			default:
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// keysOf are the keys of a comparison: one of x[i] < x[j], and those of a < b || a == b && (...); nil if it is another one.
func (p *Line) keysOf(e ast.Expr, slice, i, j string) []sortKey {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	switch {
	case !ok:
		return nil
	case b.Op == token.LOR:
		first := p.keysOf(b.X, slice, i, j)
		and, ok := ast.Unparen(b.Y).(*ast.BinaryExpr)
		if len(first) != 1 || !ok || and.Op != token.LAND {
			return nil
		}
		part, same, ok := p.comparedKey(and.X, slice, i, j)
		rest := p.keysOf(and.Y, slice, i, j)
		if !ok || !same || part != first[0].part || rest == nil {
			return nil
		}
		return append(first, rest...)
	case b.Op != token.LSS && b.Op != token.GTR || !ordered(p.typeOf(b.X)):
		return nil
	}
	part, reverse, ok := p.sortKey(b, slice, i, j)
	if !ok {
		return nil
	}
	return []sortKey{{part, reverse, types.Identical(p.typeOf(b.X), types.Typ[types.String])}}
}

// comparedKey is the part of both elements that a comparison by == or != is of; same is whether it is by ==.
func (p *Line) comparedKey(e ast.Expr, slice, i, j string) (part string, same, ok bool) {
	b, isBinary := ast.Unparen(e).(*ast.BinaryExpr)
	if !isBinary || b.Op != token.EQL && b.Op != token.NEQ || !ordered(p.typeOf(b.X)) {
		return "", false, false
	}
	part, _, ok = p.sortKey(b, slice, i, j)
	return part, b.Op == token.EQL, ok
}

// twoParams are the names of the parameters of a function that has two.
func twoParams(typ *ast.FuncType) (i, j string, ok bool) {
	var names []string
	for _, field := range typ.Params.List {
		for _, id := range field.Names {
			names = append(names, id.Name)
		}
	}
	if len(names) != 2 {
		return "", "", false
	}
	return names[0], names[1], true
}

// returned is what a function returns that does nothing else; nil if it does.
func returned(body *ast.BlockStmt) ast.Expr {
	if len(body.List) != 1 {
		return nil
	}
	ret, ok := body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	return ret.Results[0]
}

// sorters are the functions of package slices that sort as those of package sort do.
var sorters = map[string]string{"Slice": "SortFunc", "Sort": "SortFunc", "SliceStable": "SortStableFunc", "Stable": "SortStableFunc"}

// sortedBy has slices.SortFunc, or slices.Sort where whole elements are compared, sort a slice in the place of a call: nil if the names that this
// needs mean something else there.
func (p *Line) sortedBy(call *ast.CallExpr, slice ast.Expr, elem types.Type, o order) []Edit {
	typ, ok := p.spelled(elem, call.Pos())
	if !ok {
		return nil
	}
	if !o.natural() && !ofLanguage(p.objectAt("int", call.Pos())) {
		return nil
	}
	if o.natural() {
		return p.imports(call, p.qualify("slices")+".Sort("+p.text(slice)+")", "slices")
	}
	var body strings.Builder
	packages := []string{"slices"}
	for k, key := range o {
		a, b := "a"+key.part, "b"+key.part
		if key.reverse {
			a, b = b, a
		}
		of := "cmp"
		if key.text {
			of = "strings" // which looks at both texts once
		}
		name := p.qualify(of)
		if name == "a" || name == "b" || name == "c" && len(o) > 1 {
			return nil
		}
		if !slices.Contains(packages, of) {
			packages = append(packages, of)
		}
		compare := fmt.Sprintf("%s.Compare(%s, %s)", name, a, b)
		switch {
		case len(o) == 1:
			body.WriteString(" return " + compare + " ")
		case k < len(o)-1:
			fmt.Fprintf(&body, "\nif c := %s; c != 0 {\nreturn c\n}", compare)
		default:
			body.WriteString("\nreturn " + compare + "\n")
		}
	}
	name := sorters[p.callee(call).Name()]
	return p.imports(call, fmt.Sprintf("%s.%s(%s, func(a, b %s) int {%s})", p.qualify("slices"), name, p.text(slice), typ, body.String()), slices.Sorted(slices.Values(packages))...)
}

// sortKey returns the part of both elements of a slice that a comparison compares, such as .Name, and
// whether it puts the larger one first.
func (p *Line) sortKey(b *ast.BinaryExpr, slice, i, j string) (key string, reverse, ok bool) {
	x, y := p.text(b.X), p.text(b.Y)
	i, j = slice+"["+i+"]", slice+"["+j+"]"
	if b.Op == token.GTR {
		x, y = y, x
	}
	if reverse = strings.HasPrefix(x, j); reverse {
		i, j = j, i
	}
	key, ok = strings.CutPrefix(x, i)
	return key, reverse, ok && y == j+key && !strings.ContainsAny(key, "[( \n") && p.selectsFields(b.X) && p.selectsFields(b.Y) && p.sameInBuilds(b.X)
}

// sameInBuilds reports whether no file of another build names a variable or type that an expression has, or that an element of it is of.
func (p *Line) sameInBuilds(e ast.Expr) bool {
	same := func(t types.Type) bool {
		for {
			switch named := t.(type) {
			case *types.Alias:
				if p.builtElsewhere(named.Obj()) {
					return false
				}
			case *types.Named:
				if p.builtElsewhere(named.Obj()) {
					return false
				}
			}
			switch u := types.Unalias(t).(type) {
			case *types.Pointer:
				t = u.Elem()
			case *types.Slice:
				t = u.Elem()
			case *types.Named:
				slice, ok := u.Underlying().(*types.Slice)
				if !ok {
					return true
				}
				t = slice.Elem()
			default:
				return true
			}
		}
	}
	return !below(e, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return false
		}
		if id, ok := x.(*ast.Ident); ok {
			if v, ok := p.object(id).(*types.Var); ok && !v.IsField() && p.local(id) == nil && p.builtElsewhere(v) {
				return true
			}
		}
		t := p.pkg.TypesInfo.TypeOf(x)
		return t != nil && !same(t)
	})
}

// selectsFields reports whether an expression selects fields, and no methods.
func (p *Line) selectsFields(e ast.Expr) bool {
	for {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			_, ok = ast.Unparen(e).(*ast.IndexExpr)
			return ok
		}
		if selection := p.pkg.TypesInfo.Selections[sel]; selection == nil || selection.Kind() != types.FieldVal {
			return false
		}
		e = sel.X
	}
}

// imports replaces a node by a text that needs packages: in one edit where these are added.
func (p *Line) imports(n ast.Node, text string, paths ...string) []Edit {
	edits, ok := p.instead(map[ast.Node]string{n: text})
	if !ok {
		return nil
	}
	for _, path := range paths {
		_, more, ok := p.importing(path)
		if !ok {
			return nil
		}
		for _, e := range more {
			at := -1
			for k, o := range edits {
				if o.File == e.File && o.Pos == e.Pos && o.End == e.End {
					at = k
				}
			}
			if at >= 0 {
				edits[at].Text += e.Text
			} else {
				edits = append(edits, e)
			}
		}
	}
	return edits
}

// ordered reports whether cmp.Compare orders a type as < does: floats have NaN.
func ordered(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsString) != 0
}

// spelled returns a type as the file writes it at a position; ok is false if it cannot.
func (p *Line) spelled(t types.Type, pos token.Pos) (text string, ok bool) {
	ok = p.writable(t, pos)
	text = types.TypeString(t, func(other *types.Package) string {
		if other == p.pkg.Types {
			return ""
		}
		name, more, can := p.importing(other.Path())
		ok = ok && can && more == nil
		return name
	})
	return text, ok
}

// writable reports whether a type can be written at a position: the names in it mean the same there, and are exported or
// the package's own.
func (p *Line) writable(t types.Type, pos token.Pos) bool {
	switch t := t.(type) {
	case *types.Basic:
		name, ok := types.Universe.Lookup(t.Name()).(*types.TypeName)
		return ok && p.meansAt(name, pos)
	case *types.Alias:
		return t.TypeArgs().Len() == 0 && p.meansAt(t.Obj(), pos)
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if !p.writable(arg, pos) {
				return false
			}
		}
		return p.meansAt(t.Obj(), pos)
	case *types.Pointer:
		return p.writable(t.Elem(), pos)
	case *types.Slice:
		return p.writable(t.Elem(), pos)
	case *types.Array:
		return p.writable(t.Elem(), pos)
	case *types.Map:
		return p.writable(t.Key(), pos) && p.writable(t.Elem(), pos)
	case *types.Struct:
		for field := range t.Fields() {
			if !field.Exported() && field.Pkg() != p.pkg.Types || !p.writable(field.Type(), pos) {
				return false
			}
		}
		return true
	}
	return false
}

// meansAt reports whether the name of a type means it at a position, by itself or by way of its package.
func (p *Line) meansAt(name *types.TypeName, pos token.Pos) bool {
	if name.Pkg() != nil && name.Pkg() != p.pkg.Types {
		return name.Exported()
	}
	return p.objectAt(name.Name(), pos) == types.Object(name)
}
