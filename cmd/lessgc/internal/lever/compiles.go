package lever

import (
	"encoding/base32"
	"encoding/base64"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

// compilesAlways reports whether a call cannot fail, on any system: what it is given is written out, and has been tried.
// Where it fails, it would do so when the program starts.
func (p *Line) compilesAlways(call *ast.CallExpr, kind string) bool {
	fn := p.callee(call)
	arg := call.Args[0]
	if kind == "Template" {
		arg = p.chain(call)[0].Args[0]
	}
	text, ok := p.stringOf(arg)
	switch kind {
	case "Replacer", "Table", "Zone", "Number", "IP", "Mask":
		return true // they take any
	case "Text":
		return p.writtenOut(arg, 0) && p.writtenOut(call.Args[1], 0)
	case "Pattern":
		compile := regexp.Compile
		if strings.HasSuffix(fn.Name(), "POSIX") {
			compile = regexp.CompilePOSIX
		}
		_, err := compile(text)
		return ok && err == nil && p.writtenOut(arg, 0) && (p.goes("1.22") || !strings.Contains(text, "(?<"))
	case "Encoding":
		if fn.Name() == "WithPadding" {
			return p.pads(arg)
		}
		return ok && p.writtenOut(arg, 0) && encodes(fn.Pkg().Path(), text)
	case "Template":
		_, err := template.New("").Parse(text)
		return ok && err == nil && p.writtenOut(arg, 0)
	}
	return false
}

// pads reports whether a padding is the one of the standard, or none, by its name.
func (p *Line) pads(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	c, ok := p.pkg.TypesInfo.Uses[sel.Sel].(*types.Const)
	return ok && c.Pkg() != nil && strings.HasPrefix(c.Pkg().Path(), "encoding/base") && (c.Name() == "NoPadding" || c.Name() == "StdPadding")
}

// encodes reports whether a package makes an encoding of an alphabet.
func encodes(path, alphabet string) (ok bool) {
	defer func() { ok = recover() == nil }()
	if path == "encoding/base32" {
		base32.NewEncoding(alphabet)
	} else {
		base64.NewEncoding(alphabet)
	}
	return true
}

// deepestConstant bounds constants that are made of others.
const deepestConstant = 8

// writtenOut reports whether a constant is the same on all systems: it is made of literals, and of constants of the
// package in files that all systems have.
func (p *Line) writtenOut(e ast.Expr, depth int) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.BinaryExpr:
		return p.writtenOut(e.X, depth) && p.writtenOut(e.Y, depth)
	case *ast.Ident:
		c, ok := p.object(e).(*types.Const)
		if !ok || c.Pkg() != p.pkg.Types || depth > deepestConstant {
			return false
		}
		value := p.constantValue(c)
		return value != nil && p.writtenOut(value, depth+1)
	}
	return false
}

// constantValue is the expression that a constant of the package is declared with; nil if it is that of another one, or
// if its file is another one that only some systems have.
func (p *Line) constantValue(c *types.Const) (value ast.Expr) {
	u := p.unitOf(c.Pos())
	if u == nil || u.file != p.file && constrained(p.fset, u.file) {
		return nil
	}
	ast.Inspect(u.file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != len(spec.Names) {
			return true
		}
		for i, name := range spec.Names {
			if name.Pos() == c.Pos() {
				value = spec.Values[i]
			}
		}
		return true
	})
	return value
}

// constrained reports whether a file is for some systems only, by its name or a comment.
func constrained(fset *token.FileSet, file *ast.File) bool {
	name := strings.TrimSuffix(filepath.Base(fset.PositionFor(file.Package, false).Filename), ".go")
	if strings.Contains(name, "_") {
		return true
	}
	return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
		return group.Pos() < file.Package && slices.ContainsFunc(group.List, func(c *ast.Comment) bool {
			return constraint.IsGoBuild(c.Text) || constraint.IsPlusBuild(c.Text)
		})
	})
}
