package lever

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A confinedField is a field that only its package can name, of a struct whose values stay where they are made: no code
// copies one, and none hands a pointer to one to code that looks at its fields by reflection.
type confinedField struct {
	v     *types.Var
	owner *types.Named
	decl  *ast.Field
	unit  *unit // that declares it
	uses  []fieldUse
	makes []fieldUse // the literals of the owner, and the calls of new
}

// A fieldUse is an expression with its file and the nodes around it: of uses of a field, the selector, or the key in a literal.
type fieldUse struct {
	*unit
	e     ast.Expr
	stack []ast.Node
}

// confinedField finds all uses of a field: nil if other code may have them, or may see what the owner is made of.
func (p *Line) confinedField(v *types.Var) *confinedField {
	c := &confinedField{v: v, unit: p.unitOf(v.Pos())}
	if v.Exported() || v.Embedded() || c.unit == nil || v.Pkg() != p.pkg.Types || p.inTest(v.Pos()) || p.generated(c.unit) {
		return nil
	}
	c.owner, c.decl = p.structOf(c.unit, v)
	if c.owner == nil || p.pkg.Name != "main" && (c.owner.Obj().Exported() || p.seenOutside(c.owner)) {
		return nil
	}
	if !p.allLoaded(c) || p.reflected(c.owner) {
		return nil
	}
	for _, u := range p.filesBeside(c.unit) {
		if !p.usesIn(u, c) {
			return nil
		}
	}
	return c
}

// structOf returns the struct that declares a field in a line of its own, without a tag.
func (p *Line) structOf(u *unit, v *types.Var) (owner *types.Named, decl *ast.Field) {
	for _, d := range u.file.Decls {
		general, ok := d.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE || v.Pos() < d.Pos() || d.End() < v.Pos() {
			continue
		}
		for _, s := range general.Specs {
			spec := s.(*ast.TypeSpec)
			struc, ok := spec.Type.(*ast.StructType)
			if !ok || spec.TypeParams != nil || spec.Assign.IsValid() {
				continue
			}
			for _, f := range struc.Fields.List {
				if len(f.Names) == 1 && f.Names[0].Pos() == v.Pos() && f.Tag == nil {
					owner, _ = p.pkg.Types.Scope().Lookup(spec.Name.Name).Type().(*types.Named)
					return owner, f
				}
			}
		}
	}
	return nil, nil
}

// filesBeside returns the files of a folder, tests too, in a fixed order.
func (p *Program) filesBeside(u *unit) (all []*unit) {
	dir := filepath.Dir(p.fset.Position(u.file.Package).Filename)
	for name, other := range p.units {
		if filepath.Dir(name) == dir {
			all = append(all, other)
		}
	}
	slices.SortFunc(all, func(a, b *unit) int { return int(a.file.Package - b.file.Package) })
	return all
}

// allLoaded reports whether the files of the folder that are not loaded, as those of other systems, have neither the field nor its
// struct.
func (p *Program) allLoaded(c *confinedField) bool {
	dir := filepath.Dir(p.fset.Position(c.v.Pos()).Filename)
	files, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, f := range files {
		name := filepath.Join(dir, f.Name())
		if f.IsDir() || filepath.Ext(name) != ".go" || p.units[name] != nil {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				found = found || n.Name == c.owner.Obj().Name()
			case *ast.SelectorExpr:
				found = found || n.Sel.Name == c.v.Name()
			case *ast.KeyValueExpr:
				key, ok := n.Key.(*ast.Ident)
				found = found || ok && key.Name == c.v.Name()
			}
			return !found
		})
		if found {
			return false
		}
	}
	return true
}

// reflected reports whether a pointer to a struct becomes an interface that says nothing of it, or a pointer of another type: what
// has it may look at the fields.
func (p *Program) reflected(named *types.Named) bool {
	isOne := func(t types.Type) bool { return isPointerAt(t, named.Obj().Pos()) }
	bare := func(t types.Type) bool {
		it, ok := t.Underlying().(*types.Interface)
		return ok && it.NumMethods() == 0
	}
	boxed, opened := false, false
	all := slices.Collect(maps.Values(p.fns))
	for _, pkg := range p.ssa.AllPackages() {
		if init := pkg.Func("init"); init != nil { // of variables
			all = append(all, init)
		}
	}
	for _, fn := range all {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.MakeInterface:
					if isOne(in.X.Type()) {
						if boxed = true; bare(in.Type()) {
							return true
						}
					}
				case *ssa.ChangeType:
					if isOne(in.X.Type()) || isOne(in.Type()) {
						return true
					}
				case *ssa.ChangeInterface:
					opened = opened || bare(in.Type()) && mayHave(in.X.Type(), named)
				case *ssa.TypeAssert:
					opened = opened || bare(in.AssertedType) && mayHave(in.X.Type(), named)
				}
			}
		}
	}
	return boxed && opened
}

// mayHave reports whether an interface may have a pointer to a type: one with methods of a package's variant is the same by name.
func mayHave(t types.Type, named *types.Named) bool {
	it, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range it.Methods() {
		if found, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), m.Name()); found == nil {
			return false
		}
	}
	return true
}

// isAt reports whether a type is the named one that is declared at a position. A package and its variant with tests declare
// it twice.
func isAt(t types.Type, pos token.Pos) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pos() == pos
}

func isPointerAt(t types.Type, pos token.Pos) bool {
	pointer, ok := t.Underlying().(*types.Pointer)
	return ok && isAt(pointer.Elem(), pos)
}

// leadsAt reports whether a type is made with the one that is declared at a position.
func leadsAt(t types.Type, pos token.Pos) bool {
	if isAt(t, pos) {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), func(arg types.Type) bool { return leadsAt(arg, pos) })
	case *types.Map:
		return leadsAt(t.Key(), pos) || leadsAt(t.Elem(), pos)
	case *types.Signature, *types.Struct, *types.Interface:
		return strings.Contains(t.String(), ".") // not followed
	case interface{ Elem() types.Type }:
		return leadsAt(t.Elem(), pos)
	}
	return false
}

// usesIn notes the uses of a field in a file: it reports false if the file may copy its struct, or look into its memory.
func (p *Program) usesIn(u *unit, c *confinedField) bool {
	owner := c.owner.Obj().Pos()
	if slices.ContainsFunc(u.file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"unsafe"` || spec.Path.Value == `"C"` }) {
		return false
	}
	if u.instantiates(c.owner) {
		return false
	}
	ok := true
	ast.PreorderStack(u.file, nil, func(n ast.Node, stack []ast.Node) bool {
		e, isExpr := n.(ast.Expr)
		if !ok || !isExpr {
			return ok
		}
		if id, is := n.(*ast.Ident); is && !p.nameStays(u, id, stack, c) {
			ok = false
		}
		ok = ok && u.noCopy(e, stack, owner)
		switch n := n.(type) {
		case *ast.CompositeLit:
			if t := u.typeOf(n); isAt(t, owner) || n.Type == nil && isPointerAt(t, owner) {
				c.makes = append(c.makes, fieldUse{u, n, slices.Clone(stack)})
			}
		case *ast.CallExpr:
			if u.builtin(n, "new") != nil && isAt(u.typeOf(n.Args[0]), owner) {
				c.makes = append(c.makes, fieldUse{u, n, slices.Clone(stack)})
			}
		}
		return ok
	})
	return ok
}

// nameStays notes a name if it is that of the field. It reports false if it is that of its struct, and stands for a value of it, or if
// it is that of a function which sees where objects begin.
func (p *Program) nameStays(u *unit, id *ast.Ident, stack []ast.Node, c *confinedField) bool {
	object := u.pkg.TypesInfo.ObjectOf(id)
	switch object := object.(type) {
	case *types.Func:
		return !singling[object.FullName()] || object.FullName() == "(*sync.Pool).Put"
	case *types.Var:
		if object.Pos() != c.v.Pos() || id.Pos() == c.v.Pos() {
			return true
		}
		if len(stack) == 0 {
			return false
		}
		use := fieldUse{u, id, slices.Clone(stack)}
		if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok {
			use.e, use.stack = sel, use.stack[:len(stack)-1]
		}
		c.uses = append(c.uses, use)
	case *types.TypeName:
		return object.Pos() != c.owner.Obj().Pos() || id.Pos() == object.Pos() || u.behindPointer(id, stack)
	}
	return true
}

// behindPointer reports whether the name of a type stands for a pointer to it, or makes a new object.
func (u *unit) behindPointer(id *ast.Ident, stack []ast.Node) bool {
	switch n := stack[len(stack)-1].(type) {
	case *ast.StarExpr:
		return true
	case *ast.CompositeLit:
		and, ok := stack[len(stack)-2].(*ast.UnaryExpr)
		return ok && and.Op == token.AND && n.Type == id
	case *ast.CallExpr:
		return u.builtin(n, "new") != nil
	}
	return false
}

// noCopy reports whether an expression is no value of a type, but for a literal of which the address is taken, and for what a field is
// selected of.
func (u *unit) noCopy(e ast.Expr, stack []ast.Node, owner token.Pos) bool {
	tv, ok := u.pkg.TypesInfo.Types[e]
	if !ok || !tv.IsValue() || !isAt(tv.Type, owner) {
		return true
	}
	switch n := stack[len(stack)-1].(type) {
	case *ast.UnaryExpr:
		_, lit := e.(*ast.CompositeLit)
		return lit && n.Op == token.AND
	case *ast.ParenExpr, *ast.SelectorExpr:
		if sel, ok := n.(*ast.SelectorExpr); ok {
			selection := u.pkg.TypesInfo.Selections[sel]
			return selection != nil && selection.Kind() == types.FieldVal
		}
		_, star := e.(*ast.StarExpr)
		_, selects := stack[len(stack)-2].(*ast.SelectorExpr)
		return star && selects
	}
	return false
}
