package differ

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// A program is a package with those of its module that it imports, from source.
type program struct {
	pkg     *packages.Package
	module  []*packages.Package
	overlay map[string][]byte

	decls map[string]*decl       // by key
	of    map[types.Object]*decl // by what they declare
}

// A decl is a declaration at the level of the package: of a function or method, a type, variables of one
// specification, or a group of constants.
type decl struct {
	keys    []string // of each name: T.M for a method
	objects []types.Object
	node    ast.Node
	text    string // without comments
	uses    []*decl
}

func (d *decl) function() bool { _, ok := d.node.(*ast.FuncDecl); return ok }

func (d *decl) body() *ast.BlockStmt { return d.node.(*ast.FuncDecl).Body }

// method reports whether d is a method.
func (d *decl) method() bool {
	f, ok := d.node.(*ast.FuncDecl)
	return ok && f.Recv != nil
}

// typeName is the type that d declares, or nil.
func (d *decl) typeName() *types.TypeName {
	t, _ := d.objects[0].(*types.TypeName)
	return t
}

func load(ctx context.Context, s Source) (*program, error) {
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return nil, err
	}
	p := &program{overlay: map[string][]byte{}, decls: map[string]*decl{}, of: map[types.Object]*decl{}}
	for name, data := range s.Files {
		p.overlay[filepath.Join(dir, name)] = data
	}
	config := &packages.Config{Context: ctx, Dir: dir, Overlay: p.overlay, Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule}
	names, err := modulePackages(config)
	if err != nil {
		return nil, err
	}
	config.Mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule
	if p.module, err = packages.Load(config, names...); err != nil {
		return nil, err
	}
	for _, pkg := range p.module {
		if len(pkg.Errors) > 0 {
			return nil, fmt.Errorf("load %s: %w", pkg.PkgPath, pkg.Errors[0])
		}
		if pkg.PkgPath == names[0] {
			p.pkg = pkg
		}
	}
	if p.pkg == nil {
		return nil, fmt.Errorf("no package in %s", dir)
	}
	return p, p.declare()
}

// modulePackages returns the path of the package in a folder, followed by those of the packages of its module that it
// imports.
func modulePackages(config *packages.Config) ([]string, error) {
	pkgs, err := packages.Load(config, ".")
	if err != nil {
		return nil, err
	}
	if len(pkgs) != 1 {
		return nil, fmt.Errorf("%d packages in %s", len(pkgs), config.Dir)
	}
	if len(pkgs[0].Errors) > 0 {
		return nil, fmt.Errorf("load %s: %w", config.Dir, pkgs[0].Errors[0])
	}
	var names []string
	packages.Visit(pkgs, func(pkg *packages.Package) bool {
		if pkg == pkgs[0] || pkg.Module != nil && pkgs[0].Module != nil && pkg.Module.Path == pkgs[0].Module.Path {
			names = append(names, pkg.PkgPath)
			return true
		}
		return false
	}, nil)
	return names, nil
}

// declare finds the declarations of the package, and which ones each uses.
func (p *program) declare() error {
	for _, file := range p.pkg.Syntax {
		for _, d := range file.Decls {
			if err := p.add(d); err != nil {
				return err
			}
		}
	}
	for _, d := range p.of {
		known := map[*decl]bool{}
		ast.Inspect(d.node, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if used := p.declOf(id); used != nil && used != d && !known[used] {
				known[used] = true
				d.uses = append(d.uses, used)
			}
			return true
		})
	}
	return nil
}

// declOf returns the declaration that a name means, or nil.
func (p *program) declOf(id *ast.Ident) *decl {
	object := p.pkg.TypesInfo.Uses[id]
	switch o := object.(type) {
	case *types.Func:
		object = o.Origin()
	case *types.Var:
		object = o.Origin()
	}
	return p.of[object]
}

func (p *program) add(d ast.Decl) error {
	switch d := d.(type) {
	case *ast.FuncDecl:
		key := d.Name.Name
		f, ok := p.pkg.TypesInfo.Defs[d.Name].(*types.Func)
		if !ok || key == "_" || key == "init" && d.Recv == nil {
			return nil
		}
		if recv := f.Signature().Recv(); recv != nil {
			named := namedOf(recv.Type())
			if named == nil {
				return nil
			}
			key = named.Obj().Name() + "." + key
		}
		bare := *d
		bare.Doc = nil
		return p.put(&decl{keys: []string{key}, objects: []types.Object{f}, node: d}, &bare)
	case *ast.GenDecl:
		if d.Tok == token.CONST {
			group := &decl{node: d}
			for _, spec := range d.Specs {
				p.name(group, spec.(*ast.ValueSpec).Names)
			}
			bare := *d
			bare.Doc = nil
			return p.put(group, &bare)
		}
		for _, spec := range d.Specs {
			one := &decl{node: spec}
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				p.name(one, []*ast.Ident{spec.Name})
			case *ast.ValueSpec:
				p.name(one, spec.Names)
			}
			if err := p.put(one, spec); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *program) name(d *decl, names []*ast.Ident) {
	for _, id := range names {
		if object := p.pkg.TypesInfo.Defs[id]; object != nil && id.Name != "_" {
			d.keys = append(d.keys, id.Name)
			d.objects = append(d.objects, object)
		}
	}
}

// put registers a declaration; bare is its syntax without its comment.
func (p *program) put(d *decl, bare ast.Node) error {
	if len(d.keys) == 0 {
		return nil
	}
	var text bytes.Buffer
	if err := format.Node(&text, token.NewFileSet(), withoutComments(bare)); err != nil {
		return err
	}
	d.text = text.String()
	for i, key := range d.keys {
		p.decls[key] = d
		p.of[d.objects[i]] = d
	}
	return nil
}

// withoutComments returns the specification of a type or of variables without its comments; those in other nodes are
// not printed.
func withoutComments(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.TypeSpec:
		bare := *n
		bare.Doc, bare.Comment = nil, nil
		return &bare
	case *ast.ValueSpec:
		bare := *n
		bare.Doc, bare.Comment = nil, nil
		return &bare
	}
	return n
}

// namedOf returns the named type of T or *T.
func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// source returns the text of a file.
func (p *program) source(name string) ([]byte, error) {
	if data, ok := p.overlay[name]; ok {
		return data, nil
	}
	return os.ReadFile(name)
}
