package lever

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// needs selects the fields of packages that check uses.
const needs = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedModule

// check reads the source of packages, and of what imports them, which has to see the same
// objects; everything else has its types from export data. It takes one package after another:
// go/packages, asked for syntax, checks several at a time, and then go/types, as of Go 1.26 and
// 1.27, reads what it imports from two goroutines while one of them completes it (golang/go#81122).
func check(fset *token.FileSet, roots []*packages.Package) {
	read, direct := map[*packages.Package]bool{}, map[*packages.Package]bool{}
	parsed := map[string]*ast.File{} // the same for all variants of a package: an instance may be of one only
	for _, pkg := range roots {
		read[pkg] = true
	}
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		for _, imported := range pkg.Imports {
			read[pkg] = read[pkg] || read[imported]
		}
		if !read[pkg] {
			return
		}
		for _, imported := range pkg.Imports {
			direct[imported] = true
		}
		if len(pkg.Errors) == 0 {
			checkOne(fset, pkg, parsed)
		}
	})
	packages.Visit(roots, nil, func(pkg *packages.Package) {
		if !read[pkg] && !direct[pkg] {
			pkg.Types = nil // which takes its time when functions are built, and nobody asks
		}
	})
}

// checkOne reads the source of a package whose imports have been checked.
func checkOne(fset *token.FileSet, pkg *packages.Package, parsed map[string]*ast.File) {
	pkg.Syntax, pkg.IllTyped = nil, false
	for _, name := range pkg.CompiledGoFiles {
		if parsed[name] == nil {
			file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				pkg.Errors = append(pkg.Errors, packages.Error{Pos: name, Msg: err.Error(), Kind: packages.ParseError})
				pkg.IllTyped = true
				return
			}
			parsed[name] = file
		}
		pkg.Syntax = append(pkg.Syntax, parsed[name])
	}
	config := types.Config{
		Sizes: pkg.TypesSizes,
		Error: func(err error) {
			pkg.Errors = append(pkg.Errors, packages.Error{Msg: err.Error(), Kind: packages.TypeError})
			pkg.IllTyped = true
		},
		Importer: importer(func(path string) (*types.Package, error) {
			if path == "unsafe" {
				return types.Unsafe, nil
			}
			imported := pkg.Imports[path]
			if imported == nil || imported.Types == nil {
				return nil, fmt.Errorf("no package %s", path)
			}
			pkg.IllTyped = pkg.IllTyped || imported.IllTyped
			return imported.Types, nil
		}),
	}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		config.GoVersion = "go" + pkg.Module.GoVersion
	}
	pkg.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	pkg.Types, _ = config.Check(pkg.PkgPath, fset, pkg.Syntax, pkg.TypesInfo) // config.Error gets the errors
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }
