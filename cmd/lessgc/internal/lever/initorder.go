package lever

import (
	"bytes"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// initialized reports whether a new variable of the package has its value whenever a declared function runs. The
// compiler initializes a variable before all that refer to it, by way of functions too; it does not see a method
// that an interface calls. So none that initializers may call that way may lead to the function.
func (p *Line) initialized(top *ast.FuncDecl) bool {
	pkg := p.ssa.Package(p.pkg.Types)
	if pkg == nil || pkg.Func("init") == nil {
		return false
	}
	early := keptBy(&p.atInit, p.pkg, func(*packages.Package) objects { return p.runEarly(pkg.Func("init")) })
	return !early[p.pkg.TypesInfo.Defs[top.Name]]
}

// objects is a set of objects of a package.
type objects map[types.Object]bool

// runEarly returns the functions that may run before all variables of the package have their values: those that
// interfaces lead to which its initializers may call.
func (p *Line) runEarly(init *ssa.Function) objects {
	w := initWalk{pkg: p.pkg.Types, seen: map[*ssa.Function]bool{}, boxed: map[*types.TypeName]bool{}}
	w.function(init)
	if !w.calls || len(w.boxed) == 0 {
		return nil
	}
	return p.underMethods(w.boxed)
}

// underMethods returns the methods of some types, and what these refer to: directly, or by way of functions and
// initializers.
func (p *Line) underMethods(of map[*types.TypeName]bool) objects {
	refers := map[types.Object][]types.Object{}
	var work []types.Object
	for _, file := range p.pkg.Syntax {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				from := p.pkg.TypesInfo.Defs[d.Name]
				refers[from] = append(refers[from], p.refersTo(d)...)
				if receivedBy(from, of) {
					work = append(work, from)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					spec, ok := s.(*ast.ValueSpec)
					if !ok {
						continue
					}
					for _, name := range spec.Names {
						refers[p.pkg.TypesInfo.Defs[name]] = p.refersTo(spec)
					}
				}
			}
		}
	}
	seen := objects{}
	for len(work) > 0 {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[from] {
			seen[from] = true
			work = append(work, refers[from]...)
		}
	}
	return seen
}

// receivedBy reports whether a function is a method of some types.
func receivedBy(fn types.Object, of map[*types.TypeName]bool) bool {
	method, ok := fn.(*types.Func)
	if !ok || method.Signature().Recv() == nil {
		return false
	}
	named := namedOf(method.Signature().Recv().Type())
	return named == nil || of[named.Origin().Obj()]
}

// refersTo returns the functions and variables of the package that a declaration mentions.
func (p *Line) refersTo(d ast.Node) (all []types.Object) {
	ast.Inspect(d, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := p.pkg.TypesInfo.Uses[id].(type) {
		case *types.Func:
			if o.Pkg() == p.pkg.Types {
				all = append(all, o.Origin())
			}
		case *types.Var:
			if o.Parent() == p.pkg.Types.Scope() {
				all = append(all, o)
			}
		}
		return true
	})
	return all
}

// initWalk is a walk over the functions that initializers may call.
type initWalk struct {
	pkg  *types.Package
	seen map[*ssa.Function]bool

	boxed map[*types.TypeName]bool // types of the package with methods whose values become interfaces, or go to another package
	calls bool                     // an interface is called, or something goes to another package that may call one
}

func (w *initWalk) function(fn *ssa.Function) {
	initializes := fn.Name() == "init" || strings.HasPrefix(fn.Name(), "init#")
	if w.seen[fn] || initializes && fn.Signature.Recv() == nil && len(w.seen) > 0 {
		return // of other packages, which come first; or it runs when all variables have their values
	}
	w.seen[fn] = true
	for _, t := range fn.TypeArgs() {
		w.calls = w.box(t) || w.calls
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			w.instruction(in)
			for _, operand := range in.Operands(nil) {
				if used, ok := (*operand).(*ssa.Function); ok {
					w.function(used)
				}
			}
		}
	}
}

func (w *initWalk) instruction(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.MakeInterface:
		used := slices.ContainsFunc(*in.Referrers(), func(user ssa.Instruction) bool {
			_, debug := user.(*ssa.DebugRef)
			return !debug
		})
		if used {
			w.box(in.X.Type())
		}
	case ssa.CallInstruction:
		c := in.Common()
		callee := c.StaticCallee()
		if c.IsInvoke() {
			w.calls = true
		}
		if callee == nil || len(callee.Blocks) > 0 {
			return
		}
		for _, arg := range c.Args {
			if made, ok := arg.(*ssa.MakeInterface); ok {
				arg = made.X
			}
			w.calls = w.box(arg.Type()) || w.calls || composedOf(arg.Type(), types.IsInterface)
		}
	}
}

// box notes the types of the package with methods that a type is made of, and reports whether there are any.
func (w *initWalk) box(t types.Type) (any bool) {
	composedOf(t, func(t types.Type) bool {
		if named, ok := types.Unalias(t).(*types.Named); ok && named.NumMethods() > 0 && named.Obj().Pkg() == w.pkg {
			w.boxed[named.Origin().Obj()] = true
			any = true
		}
		return false
	})
	return any
}

// composedOf reports whether something holds of a type, or of one that it is made of; functions are not.
func composedOf(t types.Type, what func(types.Type) bool) bool {
	seen := map[types.Type]bool{}
	var of func(types.Type) bool
	of = func(t types.Type) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		if what(t) {
			return true
		}
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			return of(u.Elem())
		case *types.Slice:
			return of(u.Elem())
		case *types.Array:
			return of(u.Elem())
		case *types.Chan:
			return of(u.Elem())
		case *types.Map:
			return of(u.Key()) || of(u.Elem())
		case *types.Struct:
			for field := range u.Fields() {
				if of(field.Type()) {
					return true
				}
			}
		}
		return false
	}
	return of(t)
}

// free reports whether a variable of the package may have a name: no file of its folder has the word, those with tests
// and for other systems included.
func (p *Line) free(name string) bool {
	if p.named(name) || p.pkg.Types.Scope().Lookup(name) != nil {
		return false
	}
	return !p.inFolder(name, "")
}

// inFolder reports whether a file in the folder of the line, other than one, has a word. A folder that cannot be read may have it.
func (p *Line) inFolder(name, but string) bool {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(p.fset.PositionFor(p.file.Package, false).Filename), "*.go"))
	if err != nil {
		return true
	}
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	return slices.ContainsFunc(files, func(file string) bool {
		if file == but {
			return false
		}
		data, err := os.ReadFile(file)
		return err != nil || bytes.Contains(data, []byte(name)) && word.Match(data) // the expression alone takes ten times as long
	})
}
