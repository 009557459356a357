package collect

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
)

// stoppedLines returns the lines (File and Line) of the tests of a folder that only run while the timer of a benchmark is stopped, by
// the order in which StopTimer and StartTimer are called in the source, these calls included. What they do is not an
// operation's: ns/op and B/op leave it out, and comparisons do. Where the source does not tell, as behind a break or a call
// of a function of these tests that starts the timer, it runs.
func stoppedLines(folder string) map[prof.Frame]bool {
	names, _ := filepath.Glob(filepath.Join(folder, "*_test.go"))
	t := timers{fset: token.NewFileSet(), starters: map[string]bool{}, runs: map[prof.Frame]bool{}, stopped: map[prof.Frame]bool{}}
	var files []*ast.File
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(source, []byte("Timer()")) {
			continue
		}
		f, err := parser.ParseFile(t.fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		files = append(files, f)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && calls(fn.Body, "StartTimer") {
				t.starters[fn.Name.Name] = true
			}
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				t.function(n.Body)
			case *ast.FuncLit:
				t.function(n.Body)
			}
			return true
		})
	}
	maps.DeleteFunc(t.stopped, func(l prof.Frame, _ bool) bool { return t.runs[l] })
	return t.stopped
}

// timers follows the statements of functions.
type timers struct {
	fset          *token.FileSet
	starters      map[string]bool     // functions and methods that call StartTimer
	runs, stopped map[prof.Frame]bool // lines with statements during which the timer runs, or is stopped
	jumped        bool                // the timer may run at a jump of the function that is followed
}

// function follows a function, nil for one without a body. Functions in it are followed by themselves.
func (t *timers) function(body *ast.BlockStmt) {
	if body != nil {
		t.jumped = false
		t.block(body.List, true)
	}
}

// block follows statements, and reports whether the timer may run at their end, if it may at their begin.
func (t *timers) block(list []ast.Stmt, runs bool) bool {
	for _, s := range list {
		runs = t.statement(s, runs)
	}
	return runs
}

// statement is block for one statement.
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
		if s.Init != nil {
			t.note(s.Init, runs)
		}
		if s.Cond != nil && timerCall(s.Cond) == "Loop" {
			t.loop(s.Body, true)
			return t.jumped // else B.Loop has stopped the timer
		}
		runs = t.loop(s.Body, runs)
		if s.Cond != nil {
			t.note(s.Cond, runs)
		}
		if s.Post != nil {
			t.note(s.Post, runs)
		}
		return runs
	case *ast.RangeStmt:
		after := t.loop(s.Body, runs)
		if sel, ok := s.X.(*ast.SelectorExpr); !ok || sel.Sel.Name != "N" {
			runs = after || calls(s.Body, "StartTimer") // X calls the body, if it is a function
		}
		t.note(s.X, runs)
		return after
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		if calls(s, "StopTimer", "StartTimer") {
			runs = true // it is not followed
		}
	case *ast.BranchStmt:
		t.jumped = t.jumped || runs
	}
	runs = runs || t.starts(s)
	t.note(s, runs)
	return runs
}

// loop follows the body of a loop. The timer may run at its begin, or behind it, if it may before the loop, at its end or at a jump.
func (t *timers) loop(body *ast.BlockStmt, runs bool) bool {
	if !runs {
		first := timers{fset: t.fset, starters: t.starters, runs: map[prof.Frame]bool{}, stopped: map[prof.Frame]bool{}}
		runs = first.block(body.List, false) || first.jumped
	}
	return t.block(body.List, runs) || runs || t.jumped
}

// starts reports whether a statement calls a function that may start the timer.
func (t *timers) starts(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			switch fn := ast.Unparen(c.Fun).(type) {
			case *ast.Ident:
				found = found || t.starters[fn.Name]
			case *ast.SelectorExpr:
				found = found || t.starters[fn.Sel.Name]
			}
		}
		return !found
	})
	return found
}

// note notes the lines of a node, but for those of the functions in it, which are followed by themselves.
func (t *timers) note(n ast.Node, runs bool) {
	to := t.stopped
	if runs {
		to = t.runs
	}
	inner := map[prof.Frame]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok {
			t.lines(f.Body, inner)
			return false
		}
		return true
	})
	all := map[prof.Frame]bool{}
	t.lines(n, all)
	for l := range all {
		if !inner[l] {
			to[l] = true
		}
	}
}

// lines adds the lines of a node.
func (t *timers) lines(n ast.Node, to map[prof.Frame]bool) {
	from, end := t.fset.Position(n.Pos()), t.fset.Position(n.End())
	for i := from.Line; i <= end.Line; i++ {
		to[prof.Frame{File: from.Filename, Line: i}] = true
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
func leaveOutStopped(p *prof.Profile, lines map[prof.Frame]bool) {
	stopped := func(s *profile.Sample) bool {
		return slices.ContainsFunc(prof.Stack(s), func(f prof.Frame) bool { return lines[prof.Frame{File: f.File, Line: f.Line}] })
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
