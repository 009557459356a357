package collect

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
)

// A line is one of a file, by its path.
type line struct {
	file string
	line int
}

// stoppedLines returns the lines of the tests of a folder that only run while the timer of a benchmark is stopped, by the order in
// which StopTimer and StartTimer are called in the source, these calls included. What they do is not an operation's: ns/op
// and B/op leave it out, and comparisons do. Where the source does not tell, the timer runs.
func stoppedLines(folder string) map[line]bool {
	files, _ := filepath.Glob(filepath.Join(folder, "*_test.go"))
	out := map[line]bool{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(source, []byte("StopTimer")) {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, source, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		t := timers{fset: fset, runs: map[line]bool{}, stopped: map[line]bool{}}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					t.block(n.Body.List, true)
				}
			case *ast.FuncLit:
				t.block(n.Body.List, true)
			}
			return true
		})
		for l := range t.stopped {
			if !t.runs[l] {
				out[l] = true
			}
		}
	}
	return out
}

// timers follows the statements of functions.
type timers struct {
	fset          *token.FileSet
	runs, stopped map[line]bool // lines with statements during which the timer runs, or is stopped
}

// block follows statements, and reports whether the timer may run at their end, if it may at their begin.
func (t *timers) block(list []ast.Stmt, runs bool) bool {
	for _, s := range list {
		runs = t.statement(s, runs)
	}
	return runs
}

func (t *timers) statement(s ast.Stmt, runs bool) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		switch timerCall(s.X) {
		case "StopTimer":
			t.note(s, false)
			return false
		case "StartTimer":
			t.note(s, false)
			return true
		}
	case *ast.BlockStmt:
		return t.block(s.List, runs)
	case *ast.LabeledStmt:
		return t.statement(s.Stmt, runs)
	case *ast.IfStmt:
		t.note(s.Cond, runs)
		if s.Init != nil {
			t.note(s.Init, runs)
		}
		after := t.block(s.Body.List, runs)
		if s.Else == nil {
			return after || runs
		}
		return t.statement(s.Else, runs) || after
	case *ast.ForStmt:
		for _, n := range []ast.Stmt{s.Init, s.Post} {
			if n != nil {
				t.note(n, runs)
			}
		}
		if s.Cond != nil {
			if timerCall(s.Cond) == "Loop" {
				t.loop(s.Body, true)
				return false // B.Loop stops the timer when it is over
			}
			t.note(s.Cond, runs)
		}
		return t.loop(s.Body, runs)
	case *ast.RangeStmt:
		t.note(s.X, runs)
		return t.loop(s.Body, runs)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		if calls(s, "StopTimer", "StartTimer") {
			runs = true // it is not followed
		}
	}
	t.note(s, runs)
	return runs
}

// loop follows the body of a loop. The timer may run at its begin if it may before the loop, or at its end.
func (t *timers) loop(body *ast.BlockStmt, runs bool) bool {
	if !runs {
		first := timers{fset: t.fset, runs: map[line]bool{}, stopped: map[line]bool{}}
		runs = first.block(body.List, false)
	}
	return t.block(body.List, runs) || runs
}

// note notes the lines of a node, but for those of the functions in it, which are followed by themselves.
func (t *timers) note(n ast.Node, runs bool) {
	to := t.stopped
	if runs {
		to = t.runs
	}
	inner := map[line]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok {
			t.lines(f.Body, inner)
			return false
		}
		return true
	})
	all := map[line]bool{}
	t.lines(n, all)
	for l := range all {
		if !inner[l] {
			to[l] = true
		}
	}
}

// lines adds the lines of a node.
func (t *timers) lines(n ast.Node, to map[line]bool) {
	from, end := t.fset.Position(n.Pos()), t.fset.Position(n.End())
	for i := from.Line; i <= end.Line; i++ {
		to[line{from.Filename, i}] = true
	}
}

// calls reports whether one of the methods is called in n.
func calls(n ast.Node, methods ...string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && slices.Contains(methods, timerCall(e)) {
			found = true
		}
		return !found
	})
	return found
}

// timerCall is the name of the method of a variable that an expression calls without arguments; "" if it is something else.
func timerCall(e ast.Expr) string {
	if c, ok := e.(*ast.CallExpr); ok && len(c.Args) == 0 {
		if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
			if _, ok := sel.X.(*ast.Ident); ok {
				return sel.Sel.Name
			}
		}
	}
	return ""
}

// leaveOutStopped removes from the profile of benchmarks what they do in the given lines, unless it is all that they do. What is
// live stays.
func leaveOutStopped(p *prof.Profile, lines map[line]bool) {
	stopped := func(s *profile.Sample) bool {
		return slices.ContainsFunc(prof.Stack(s), func(f prof.Frame) bool { return lines[line{f.File, f.Line}] })
	}
	if len(lines) == 0 || !slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool { return !stopped(s) }) {
		return
	}
	n := len(p.Sample)
	p.Sample = slices.DeleteFunc(p.Sample, func(s *profile.Sample) bool {
		if !stopped(s) {
			return false
		}
		left := int64(0)
		for i, t := range p.SampleType {
			if !strings.HasPrefix(t.Type, "inuse_") {
				s.Value[i] = 0
			}
			left |= s.Value[i]
		}
		return left == 0
	})
	if len(p.Sample) < n {
		p.Profile = p.Compact()
	}
}
