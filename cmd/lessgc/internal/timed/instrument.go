package timed

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// instrument returns the source of package testing's benchmark.go with the calls of
// folder region in it. What it looks for stands there since Go 1.1; if any of it is
// missing, nothing is guessed. Lines keep their numbers.
func instrument(source []byte) ([]byte, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "benchmark.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	e := &editor{source: source, files: files, want: map[string]int{
		"a field of B":        1,
		"the flags":           1,
		"turns in ResetTimer": 1,
		"begin in StartTimer": 2, // before and after
		"begin in ResetTimer": 2,
		"reset in ResetTimer": 1,
		"end in StopTimer":    2,
		"report in launch":    1,
	}}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if !ok || t.Name.Name != "B" {
					continue
				}
				if s, ok := t.Type.(*ast.StructType); ok {
					e.insert("a field of B", s.Fields.Closing, "lessgc lessgcRegion ")
				}
			}
		case *ast.FuncDecl:
			e.function(d)
		}
	}
	return e.result()
}

// function inserts what belongs into a function.
func (e *editor) function(d *ast.FuncDecl) {
	name := d.Name.Name
	if d.Recv == nil {
		if name == "initBenchmarkFlags" && d.Body != nil {
			e.insert("the flags", d.Body.Rbrace, `lessgcTimed = flag.String("test.lessgctimed", "", "append what lessgc asks of each benchmark to `+"`file`"+`"); `+
				`lessgcCounter = flag.Int("test.lessgccounter", 0, "count instructions by this `+"`descriptor`"+`"); `+
				`lessgcTurns = flag.String("test.lessgcturns", "", "take turns with others, in the `+"`turns`"+` that lessgc gives") `)
		}
		return
	}
	if d.Body == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 {
		return
	}
	b := d.Recv.List[0].Names[0].Name
	if name == "ResetTimer" { // before it counts allocations
		e.insert("turns in ResetTimer", d.Body.Lbrace+1, " lessgcTakeTurns("+b+".N);")
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 {
			return true
		}
		to, ok := s.Lhs[0].(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := to.X.(*ast.Ident); !ok || x.Name != b {
			return true
		}
		switch field := to.Sel.Name; {
		case field == "start" && s.Tok == token.ASSIGN && (name == "StartTimer" || name == "ResetTimer"):
			e.insert("begin in "+name, s.Pos(), b+".lessgc.begin(); for "+b+".lessgc.starts() { ")
			e.insert("begin in "+name, s.End(), " }")
		case field == "duration" && s.Tok == token.ADD_ASSIGN && name == "StopTimer":
			e.insert("end in StopTimer", s.Pos(), "lessgcBefore := "+b+".duration; for "+b+".lessgc.ends() { "+b+".duration = lessgcBefore; ")
			e.insert("end in StopTimer", s.End(), " }; "+b+".duration -= "+b+".lessgc.end()")
		case field == "duration" && s.Tok == token.ASSIGN && name == "ResetTimer":
			e.insert("reset in ResetTimer", s.End(), "; "+b+".lessgc.reset()")
		case field == "result" && s.Tok == token.ASSIGN && name == "launch":
			e.insert("report in launch", s.Pos(), b+".lessgc.report("+b+".name, "+b+".N); ")
		}
		return true
	})
}

// An editor inserts text into a file.
type editor struct {
	source []byte
	files  *token.FileSet
	want   map[string]int // how many insertions of each kind are still to come
	all    []insertion
}

type insertion struct {
	at   int
	text string
}

func (e *editor) insert(kind string, at token.Pos, text string) {
	e.want[kind]--
	e.all = append(e.all, insertion{e.files.Position(at).Offset, text})
}

// result is the file with all insertions, if each was found as often as it should be.
func (e *editor) result() ([]byte, error) {
	for kind, left := range e.want {
		if left != 0 {
			return nil, errors.New("there is not exactly one position for " + kind)
		}
	}
	slices.SortStableFunc(e.all, func(a, b insertion) int { return a.at - b.at })
	var out []byte
	from := 0
	for _, i := range e.all {
		out = append(append(out, e.source[from:i.at]...), i.text...)
		from = i.at
	}
	return append(out, e.source[from:]...), nil
}
