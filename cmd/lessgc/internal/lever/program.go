package lever

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// A Program is the source of some packages.
type Program struct {
	// Reasons, unless nil, are those of the compiler for putting on the heap what a line makes, as
	// escape.Record has them. They veto levers that rest on an object's not leaving.
	Reasons func(file string, line int) []string

	// Ops is of how many operations of one benchmark the profile is; 0 if that is not known.
	Ops int64

	// OpsOf are the numbers of operations of several benchmarks, by their functions as profiles
	// name them; those of a package's external tests have the name without _test.
	OpsOf map[string]int64

	// Executed, unless nil, is how often the statement at a position was executed, with those that it
	// runs with: in the same benchmarks, and so often as they were run for it. The file is named by the
	// import path of its package, and its own name.
	Executed func(file string, line, col int) (n int64, ok bool)

	// Texts says how many short strings functions return in an operation, by their names in profiles, as
	// far as that is known.
	Texts map[string]TextCount

	// Repeats holds the functions that do the same work again in an operation, as far as that is known.
	Repeats []Repeat

	// Sites are all sites of the profile; nil where only those that are asked about are known.
	Sites []*site.Site

	// Parts are the sites of each benchmark of the profile; none if its samples do not say of which they are.
	Parts [][]*site.Site

	repetitions map[string]*repetition // by function; filled as it is asked for

	fset  *token.FileSet
	units map[string]*unit // by file
	names map[*token.File]string
	lined map[string]*function // of files with lines of others, by package, file and line; nil until it is asked for
	decls map[types.Object]*function
	calls map[*ssa.Function][]ssa.CallInstruction // static ones
	fns   map[ast.Node]*ssa.Function              // by ast.FuncDecl or ast.FuncLit
	uses  map[types.Object][]*ast.Ident           // of functions
	loads map[*types.Var][]ssa.Value              // of fields

	values map[*ssa.Function]bool // those that are used other than by calling them

	recursive map[*types.Named]*types.Var

	dir    string              // where packages are loaded from
	others map[string]*Program // packages beside, by path; nil for what cannot be loaded

	ssa        *ssa.Program
	graph      *callgraph.Graph                // nil until it is asked for
	boxedTypes []types.Type                    // that are made interfaces, but by tests and generic functions
	closures   []*ssa.MakeClosure              // those of tests and generic functions left out
	addresses  map[*types.Var][]*ssa.FieldAddr // see addressesOf; nil until it is asked for
	confined   map[*types.Named]*confinement
	copies     map[types.Type]bool              // types of which values are loaded whole; nil until it is asked for
	passing    map[*ssa.Parameter]bool          // those that their function returns; filled as it is asked for
	makers     map[*types.TypeName][]*ssa.Alloc // see makersOf; nil until it is asked for
	invoked    map[string][]*ssa.Call           // see invokes; nil until it is asked for
	varsSet    map[*ssa.Global]bool             // see setLater; nil until it is asked for
	singles    []ssa.Value                      // see pooled; nil until it is asked for
	back       map[*ssa.Function]bool           // see leadsBack; filled as it is asked for
	deletes    []*ssa.Call                      // see deletesOf; nil until it is asked for
	lentKept   *bool                            // see keepsLent; nil until it is asked for
	buffers    *bufferGrowth                    // see growthOf; nil until it is asked for
	otherNames map[string]map[string]bool       // by folder: see builtElsewhere
	testNames  map[string]map[string]bool       // by folder: see namedInTests
	symbols    map[string]map[string]bool       // by the module's folder: see linkedElsewhere
	writers    []textWriter                     // see textWriters; nil until it is asked for
	withArena  map[string]bool                  // by go.mod: see importsArena
	atInit     map[*packages.Package]objects    // see runEarly; filled as it is asked for
	methods    map[string]map[string]bool       // of interfaces, by folder: see inInterface
	newOfPools map[*ast.File]map[ast.Node]bool  // see isNewOfPool; filled as it is asked for

	allAddresses  fieldAddresses  // by the field's place; see indexAddresses
	structChanges []*types.Struct // what structs of other types are converted to
}

// leavesBy reports whether the compiler says that something which a line makes is stored or sent,
// or returned if that counts.
func (p *Program) leavesBy(pos token.Pos, returned bool) bool {
	if p.Reasons == nil {
		return false
	}
	at := p.fset.Position(pos)
	return slices.ContainsFunc(p.Reasons(at.Filename, at.Line), func(reason string) bool {
		return strings.HasPrefix(reason, "assign") || reason == "send" || reason == "key of map put" || returned && reason == "return"
	})
}

// A TextCount holds the number of strings in an operation of a benchmark, and the number of different ones.
type TextCount struct{ Made, Distinct float64 }

// A unit is a file.
type unit struct {
	pkg  *packages.Package
	file *ast.File
}

// A function is one with a body, with its file.
type function struct {
	*unit
	node ast.Node // *ast.FuncDecl or *ast.FuncLit
	body *ast.BlockStmt
	typ  *ast.FuncType
}

// Load reads packages, by patterns as the go command has them, and what they are made of;
// with tests, their tests too. Packages with errors are left out, and it is an error if
// none is left.
func Load(ctx context.Context, dir string, patterns []string, tests bool) (*Program, error) {
	p := &Program{dir: dir, fset: token.NewFileSet(), units: map[string]*unit{}, names: map[*token.File]string{}, decls: map[types.Object]*function{},
		calls: map[*ssa.Function][]ssa.CallInstruction{}, fns: map[ast.Node]*ssa.Function{}, uses: map[types.Object][]*ast.Ident{},
		loads: map[*types.Var][]ssa.Value{}, recursive: map[*types.Named]*types.Var{}, values: map[*ssa.Function]bool{},
		confined: map[*types.Named]*confinement{}, passing: map[*ssa.Parameter]bool{}}
	all, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, Fset: p.fset, Tests: tests, Mode: needs}, patterns...)
	if err != nil {
		return nil, err
	}
	check(p.fset, all)
	var sound []*packages.Package
	var broken error
	for _, pkg := range all {
		switch {
		case len(pkg.Errors) > 0:
			broken = fmt.Errorf("%s: %s", pkg.PkgPath, pkg.Errors[0].Msg)
		case pkg.IllTyped:
			broken = fmt.Errorf("%s does not type-check", pkg.PkgPath)
		default:
			sound = append(sound, pkg)
		}
	}
	if len(sound) == 0 {
		if broken == nil {
			broken = errors.New("there are no packages")
		}
		return nil, broken
	}
	for _, pkg := range sound {
		p.add(pkg)
	}
	prog, _ := ssautil.Packages(sound, ssa.InstantiateGenerics)
	prog.Build()
	p.index(prog)
	return p, nil
}

// add takes the files of a package, unless a variant of it without its tests has come
// first: both have the same files.
func (p *Program) add(pkg *packages.Package) {
	for _, f := range pkg.Syntax {
		u := &unit{pkg, f}
		name := p.fset.Position(f.Package).Filename
		p.names[p.fset.File(f.Package)] = name
		if p.units[name] == nil {
			p.units[name] = u
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				p.decls[pkg.TypesInfo.Defs[d.Name]] = &function{u, d, d.Body, d.Type}
			}
		}
	}
	for id, object := range pkg.TypesInfo.Uses {
		if f, ok := object.(*types.Func); ok {
			p.uses[f.Origin()] = append(p.uses[f.Origin()], id)
		}
	}
}

// index finds functions by their source, the calls of each, and where fields are read.
func (p *Program) index(prog *ssa.Program) {
	p.ssa = prog
	known := ssautil.AllFunctions(prog)
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		known[fn] = true
		for _, inner := range fn.AnonFuncs {
			add(inner)
		}
	}
	for object := range p.decls { // methods that nothing is seen to call, as of generic types without an instance
		if f, ok := object.(*types.Func); ok && prog.FuncValue(f) != nil {
			add(prog.FuncValue(f))
		}
	}
	all := slices.SortedFunc(maps.Keys(known), bySource)
	boxed := map[types.Type]bool{}
	for _, fn := range all {
		runs := !p.inTest(fn.Pos()) && !generic(fn)
		if node := fn.Syntax(); node != nil && p.rather(fn, p.fns[node]) {
			p.fns[node] = fn
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				p.indexValues(in)
				if runs {
					p.indexHolders(in, boxed)
				}
				switch in := in.(type) {
				case ssa.CallInstruction:
					p.indexCall(in)
				case *ssa.FieldAddr:
					p.indexField(in)
				}
			}
		}
	}
}

// generic reports whether a function is one of type parameters, or inside of one: what runs are its
// instances, which are functions of their own.
func generic(fn *ssa.Function) bool {
	fn = outermost(fn)
	return fn.TypeParams().Len() > 0 && len(fn.TypeArgs()) == 0
}

// inTest reports whether a position is in a test.
func (p *Program) inTest(pos token.Pos) bool {
	return strings.HasSuffix(p.fset.Position(pos).Filename, "_test.go")
}

// indexHolders notes what is made an interface, and what functions capture.
func (p *Program) indexHolders(in ssa.Instruction, boxed map[types.Type]bool) {
	switch in := in.(type) {
	case *ssa.MakeInterface:
		if t := in.X.Type(); !boxed[t] {
			boxed[t] = true
			p.boxedTypes = append(p.boxedTypes, t)
		}
	case *ssa.MakeClosure:
		p.closures = append(p.closures, in)
	}
}

func bySource(a, b *ssa.Function) int {
	return cmp.Or(cmp.Compare(a.Pos(), b.Pos()), cmp.Compare(a.String(), b.String()))
}

func (p *Program) indexCall(in ssa.CallInstruction) {
	callee := in.Common().StaticCallee()
	if callee == nil {
		return
	}
	if callee.Origin() != nil {
		callee = callee.Origin()
	}
	p.calls[callee] = append(p.calls[callee], in)
}

// callsOf are the calls of a function, or of what is an instance of the same one.
func (p *Program) callsOf(fn *ssa.Function) []ssa.CallInstruction {
	if fn != nil && fn.Origin() != nil {
		fn = fn.Origin()
	}
	return p.calls[fn]
}

// indexValues notes the functions that an instruction uses other than by calling them.
func (p *Program) indexValues(in ssa.Instruction) {
	for i, operand := range in.Operands(nil) {
		fn, ok := (*operand).(*ssa.Function)
		if _, call := in.(ssa.CallInstruction); !ok || call && i == 0 {
			continue
		}
		p.values[fn] = true
	}
}

// valuesOf returns the functions that are used as values of a type.
func (p *Program) valuesOf(sig *types.Signature) (all []*ssa.Function) {
	for fn := range p.values {
		if sameSignature(fn.Signature, sig) {
			all = append(all, fn)
		}
	}
	slices.SortFunc(all, bySource)
	return all
}

// sameSignature reports whether two functions have the same type, receivers left out. A package and its
// variant with tests are two to the type checker, and functions of both are loaded: types are
// the same if they are written the same.
func sameSignature(a, b *types.Signature) bool {
	return a.Variadic() == b.Variadic() && sameTuple(a.Params(), b.Params()) && sameTuple(a.Results(), b.Results())
}

func sameTuple(a, b *types.Tuple) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if x, y := a.At(i).Type(), b.At(i).Type(); !types.Identical(x, y) && types.TypeString(x, nil) != types.TypeString(y, nil) {
			return false
		}
	}
	return true
}

func (p *Program) indexField(in *ssa.FieldAddr) {
	field := fieldOf(in)
	for _, r := range *in.Referrers() {
		if load, ok := r.(*ssa.UnOp); ok && field != nil && load.Op == token.MUL {
			p.loads[field] = append(p.loads[field], load)
		}
	}
}

// typesWith are the types of a method's package that may have it, and those that point to them: nil if a
// generic type has one, as what its instances are is not known.
func typesWith(method *types.Func) (all []types.Type) {
	scope := method.Pkg().Scope()
	for _, name := range scope.Names() {
		object, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(object.Type()) {
			continue
		}
		pointer := types.NewPointer(object.Type())
		if named, ok := object.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
			if found, _, _ := types.LookupFieldOrMethod(pointer, true, method.Pkg(), method.Name()); found != nil {
				return nil
			}
			continue
		}
		all = append(all, object.Type(), pointer)
	}
	return all
}

// rather reports whether a function is to stand for its source, rather than another one: one with a body; an instance, which
// has the types that run; of these, one of the variant of the package whose types are used.
func (p *Program) rather(fn, than *ssa.Function) bool {
	switch {
	case than == nil:
		return true
	case (len(fn.Blocks) > 0) != (len(than.Blocks) > 0):
		return len(fn.Blocks) > 0
	}
	if (fn.Origin() != nil) != (than.Origin() != nil) {
		return fn.Origin() != nil
	}
	return p.first(fn) && !p.first(than)
}

// first reports whether a function is of the variant of its package whose types are used.
func (p *Program) first(fn *ssa.Function) bool {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	u := p.unitOf(fn.Pos())
	return u != nil && fn.Pkg != nil && fn.Pkg.Pkg == u.pkg.Types
}

// lineOf finds a site in the source; nil if it is not there.
func (p *Program) lineOf(s *site.Site) *Line {
	fn := p.function(s.Frame)
	if fn == nil || p.Stale(s.Frame) {
		return nil
	}
	return &Line{p, fn.unit, s, fn, nil}
}

// Stale reports whether a line of a file that is here belongs to another function than the
// profile says: the program was built of other source.
func (p *Program) Stale(f prof.Frame) bool {
	u := p.units[filepath.Clean(f.File)]
	if u == nil || p.generated(u) {
		return false
	}
	fn := p.function(f)
	_, name, _ := strings.Cut(f.Func[strings.LastIndexByte(f.Func, '/')+1:], ".")
	if fn == nil {
		ofVariables := name == "init" || strings.HasPrefix(name, "map.init.")
		return !ofVariables || !slices.ContainsFunc(u.file.Decls, func(d ast.Decl) bool {
			g, ok := d.(*ast.GenDecl)
			return ok && g.Tok == token.VAR && p.line(g.Pos()) <= f.Line && f.Line <= p.line(g.End())
		})
	}
	decl, ok := fn.node.(*ast.FuncDecl)
	if !ok {
		top := p.top(u, fn.node.Pos())
		if top == nil {
			return false // of a variable: it has no name
		}
		decl = top.node.(*ast.FuncDecl)
	}
	return !slices.Contains(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".()*[]-", r) }), decl.Name.Name)
}

// generated reports whether a file has lines of others, by //line.
func (p *Program) generated(u *unit) bool {
	return p.fset.PositionFor(u.file.Package, false) != p.fset.PositionFor(u.file.Package, true)
}

// function returns the innermost function around a line, or nil.
func (p *Program) function(f prof.Frame) *function {
	u := p.units[filepath.Clean(f.File)]
	if u == nil || p.generated(u) {
		return p.linedFunction(f)
	}
	var found *function
	ast.Inspect(u.file, func(n ast.Node) bool {
		if n == nil || p.line(n.Pos()) > f.Line || p.line(n.End()) < f.Line {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				found = &function{u, n, n.Body, n.Type}
			}
		case *ast.FuncLit:
			found = &function{u, n, n.Body, n.Type}
		}
		return true
	})
	return found
}

func (p *Program) line(pos token.Pos) int { return p.fset.Position(pos).Line }

// unitOf is the file of a position.
func (p *Program) unitOf(pos token.Pos) *unit {
	if file := p.fset.File(pos); file != nil {
		return p.units[p.names[file]]
	}
	return nil
}

// linedFunction is function of a line of another file, by //line: a grammar, or the text that a generator
// puts into each parser, which is not a file at all. Packages have one of a name.
func (p *Program) linedFunction(f prof.Frame) *function {
	if p.lined == nil {
		p.lined = map[string]*function{}
		for _, u := range p.units {
			if p.generated(u) {
				p.indexLines(u)
			}
		}
	}
	return p.lined[fmt.Sprintf("%s %s:%d", f.Package(), filepath.Base(f.File), f.Line)]
}

// indexLines notes the innermost function of each line of a file.
func (p *Program) indexLines(u *unit) {
	ast.PreorderStack(u.file, nil, func(n ast.Node, stack []ast.Node) bool {
		var fn *function
		for _, around := range append(slices.Clone(stack), n) {
			switch around := around.(type) {
			case *ast.FuncDecl:
				if around.Body != nil {
					fn = &function{u, around, around.Body, around.Type}
				}
			case *ast.FuncLit:
				fn = &function{u, around, around.Body, around.Type}
			}
		}
		if fn != nil {
			at := p.fset.Position(n.Pos())
			p.lined[fmt.Sprintf("%s %s:%d", u.pkg.PkgPath, filepath.Base(at.Filename), at.Line)] = fn
		}
		return true
	})
}

// onSite reports whether a position is on the site's line: of its file, where lines are those of others.
func (p *Line) onSite(pos token.Pos) bool {
	at := p.fset.Position(pos)
	return at.Line == p.site.Line && (!p.generated(p.unit) || filepath.Base(at.Filename) == filepath.Base(p.site.File))
}

// declared is the function that an object is, if its source is here.
func (p *Program) declared(o types.Object) *function {
	if f, ok := o.(*types.Func); ok {
		o = f.Origin()
	}
	return p.decls[o]
}
