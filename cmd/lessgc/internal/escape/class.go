package escape

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"sync"

	"lessgc/cmd/lessgc/internal/input"
)

// A Class names the operation by which a line allocates, by its source. It is for
// allocations that the runtime makes for the program, of which the compiler says
// nothing: that a map needs room, that a slice of unknown size does.
type Class string

// The classes, the likeliest first for a line with several.
const (
	MapGrowth  Class = "a map grows"
	Append     Class = "append finds no room"
	Make       Class = "make with a size that is not known"
	Concat     Class = "strings are put together"
	Conversion Class = "a string becomes bytes, or bytes a string"
	Goroutine  Class = "a goroutine starts"
	Closure    Class = "a function literal"
	Object     Class = "a composite literal or new"
	Boxing     Class = "a value becomes an interface, or is formatted"
)

var classes = []Class{MapGrowth, Append, Make, Concat, Conversion, Goroutine, Closure, Object, Boxing}

// Sources classify lines of files, which they read once.
type Sources struct {
	Files *input.Sources // what may be read

	mu    sync.Mutex
	files map[string]*sourceFile
}

type sourceFile struct {
	fset *token.FileSet
	file *ast.File // nil if there is none
}

// Class returns the kind of allocation on the line; "" if nothing that is known, or
// if the source is not there.
func (s *Sources) Class(p Pos) Class {
	f := s.open(p.File)
	if f.file == nil {
		return ""
	}
	var found []Class
	ast.Inspect(f.file, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		first, last := f.fset.Position(n.Pos()).Line, f.fset.Position(n.End()).Line
		if p.Line < first || p.Line > last {
			return false
		}
		found = append(found, f.classOf(n, p.Line)...)
		return true
	})
	if len(found) == 0 {
		return ""
	}
	return slices.MinFunc(found, func(a, b Class) int { return cmp.Compare(slices.Index(classes, a), slices.Index(classes, b)) })
}

// Known reports whether the source of a file is there.
func (s *Sources) Known(file string) bool { return s.open(file).file != nil }

func (s *Sources) open(name string) *sourceFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[name]; f != nil {
		return f
	}
	f := &sourceFile{fset: token.NewFileSet()}
	if data, err := s.Files.ReadFile(name); err == nil {
		f.file, _ = parser.ParseFile(f.fset, name, data, parser.SkipObjectResolution) // as far as it can be read
	}
	if s.files == nil {
		s.files = map[string]*sourceFile{}
	}
	s.files[name] = f
	return f
}

// classOf returns what a node does on a line. There are no types: a line that is known to
// allocate and adds something adds strings, and one that sets an element sets one of a
// map.
func (f *sourceFile) classOf(n ast.Node, line int) []Class {
	on := func(pos token.Pos) bool { return f.fset.Position(pos).Line == line }
	var all []Class
	add := func(pos token.Pos, c Class) {
		if on(pos) {
			all = append(all, c)
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			if _, ok := left.(*ast.IndexExpr); ok {
				add(n.TokPos, MapGrowth)
			}
		}
		if n.Tok == token.ADD_ASSIGN {
			add(n.TokPos, Concat)
		}
	case *ast.IncDecStmt:
		if _, ok := n.X.(*ast.IndexExpr); ok {
			add(n.TokPos, MapGrowth)
		}
	case *ast.BinaryExpr:
		if n.Op == token.ADD {
			add(n.OpPos, Concat)
			add(n.Pos(), Concat) // where the statement begins
		}
	case *ast.GoStmt:
		add(n.Go, Goroutine)
	case *ast.FuncLit:
		add(n.Pos(), Closure)
	case *ast.CompositeLit:
		add(n.Pos(), Object)
		add(n.Lbrace, Object)
	case *ast.CallExpr:
		if c := callClass(n); c != "" {
			add(n.Pos(), c)
			add(n.Lparen, c)
		}
	}
	return all
}

func callClass(n *ast.CallExpr) Class {
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		switch fun.Name {
		case "append":
			return Append
		case "make":
			return Make
		case "new":
			return Object
		case "string":
			return Conversion
		}
	case *ast.ArrayType: // []byte(s)
		return Conversion
	}
	if len(n.Args) > 0 {
		return Boxing
	}
	return ""
}
