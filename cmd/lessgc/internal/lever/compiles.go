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
	case "Replacer", "Table":
		return true // they take any
	case "Pattern":
		compile := regexp.Compile
		if strings.HasSuffix(fn.Name(), "POSIX") {
			compile = regexp.CompilePOSIX
		}
		_, err := compile(text)
		return ok && err == nil && p.writtenOut(arg, 0) && (p.goes("1.22") || !strings.Contains(text, "(?<"))
	case "Encoding":
		return ok && p.writtenOut(arg, 0) && encodes(fn.Pkg().Path(), text)
	case "Template":
		_, err := template.New("").Parse(text)
		return ok && err == nil && p.writtenOut(arg, 0)
	}
	return false
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

// sharers are the functions that may be given the same value by several goroutines, and do not change it.
var sharers = map[string]bool{
	"hash/crc32.Checksum": true, "hash/crc32.Update": true, "hash/crc32.New": true, "hash/crc64.Checksum": true, "hash/crc64.Update": true, "hash/crc64.New": true,
	"encoding/base64.NewEncoder": true, "encoding/base64.NewDecoder": true, "encoding/base32.NewEncoder": true, "encoding/base32.NewDecoder": true,
}

// changers are the methods that change a value, or make another of it that may share its memory.
var changers = map[string]bool{"Longest": true, "UnmarshalText": true, "Copy": true}

// onlyShared reports whether all that is done with what a call makes may be done with one value, by several goroutines: it
// goes nowhere else, where it could be changed or told from another one.
func (p *Line) onlyShared(call *ast.CallExpr, kind string) bool {
	stack := stackOf(p.file, call)
	var v *types.Var
	switch parent := innermost(stack).(type) {
	case *ast.AssignStmt:
		if parent.Tok == token.DEFINE && len(parent.Lhs) == 1 {
			v = p.local(parent.Lhs[0])
		}
	case *ast.ValueSpec:
		if len(parent.Names) == 1 {
			v = p.local(parent.Names[0])
		}
	default:
		return p.shares(call, stack, kind)
	}
	return v != nil && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return !p.shares(m.id, m.stack, kind) })
}

// shares reports whether an expression is the receiver of a method that does not change it, or an argument of such
// a function.
func (p *Line) shares(e ast.Expr, stack []ast.Node, kind string) bool {
	switch parent := innermost(stack).(type) {
	case *ast.SelectorExpr:
		selection := p.pkg.TypesInfo.Selections[parent]
		if selection == nil || selection.Kind() != types.MethodVal || changers[parent.Sel.Name] {
			return false
		}
		return kind != "Template" || parent.Sel.Name == "Execute" || parent.Sel.Name == "ExecuteTemplate"
	case *ast.CallExpr:
		fn := p.callee(parent)
		return fn != nil && ast.Unparen(parent.Fun) != e && sharers[fn.FullName()]
	}
	return false
}
