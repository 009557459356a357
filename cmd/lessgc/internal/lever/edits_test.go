package lever

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/imports"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// TestEdits makes, in a copy of another module, all edits but sketches that the levers named in LESSGC_RULES make if
// every line, or that of LESSGC_LINE, allocates by itself and by way of all that it calls. It is run by hand: whether the
// module builds and its tests pass is for who calls it to see.
func TestEdits(t *testing.T) {
	dir := os.Getenv("LESSGC_EDITS")
	if dir == "" {
		t.Skip("LESSGC_EDITS is not a folder with a copy of a module")
	}
	t.Chdir(dir)
	program, err := Load(t.Context(), ".", []string{"./..."}, false)
	if err != nil {
		t.Fatal(err)
	}
	edits := map[string][]Edit{}
	for file, u := range program.units {
		for line := range program.fset.File(u.file.Package).LineCount() {
			for _, r := range strings.Split(os.Getenv("LESSGC_RULES"), ",") {
				if at := os.Getenv("LESSGC_LINE"); at != "" && !strings.HasSuffix(fmt.Sprintf("/%s:%d", file, line+1), "/"+at) {
					continue
				}
				f := everything(program, file, line+1, ByName(r))
				if f.Sketch {
					f.Edits = nil // it would not build
				}
				if len(f.Evidence) > 0 {
					t.Logf("%s:%d %s %d edits: %s", file, line+1, r, len(f.Edits), f.Evidence[0].Text)
				}
				if !slices.ContainsFunc(f.Edits, func(e Edit) bool {
					return slices.ContainsFunc(edits[e.File], func(o Edit) bool { return o != e && e.Pos <= o.End && o.Pos <= e.End })
				}) {
					for _, e := range f.Edits {
						edits[e.File] = append(edits[e.File], e)
					}
				}
			}
		}
	}
	for file, all := range edits {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(all, func(a, b Edit) int { return cmp.Or(cmp.Compare(b.Pos, a.Pos), cmp.Compare(a.Text, b.Text)) })
		for _, e := range slices.Compact(all) {
			data = slices.Concat(data[:e.Pos], []byte(e.Text), data[e.End:])
		}
		if done, err := imports.Process(file, data, nil); err == nil {
			data = done
		} else {
			t.Error(err)
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// everything returns the finding of a lever at a line that allocates by itself and by way of all calls.
func everything(program *Program, file string, line int, r *Lever) Finding {
	s := &site.Site{Frame: prof.Frame{File: file, Line: line}, Bytes: 4096, Objects: 1, Leaves: []site.Leaf{{Bytes: 2048}}}
	fn := program.function(s.Frame)
	if fn == nil {
		return Finding{}
	}
	p := &Line{program, fn.unit, s, fn, nil}
	if method, ok := fn.node.(*ast.FuncDecl); ok && r == chunk { // it wants many objects, and a method by its name
		s.Objects, s.Frame.Func = leastChunked, profiled(fn.pkg.TypesInfo.Defs[method.Name].(*types.Func))
		s.Leaves[0].Callers = []prof.Frame{s.Frame} // it calls itself
	}
	for _, c := range p.called() {
		s.Leaves = append(s.Leaves, site.Leaf{Path: []prof.Frame{{Func: profiled(c.fn)}}, Bytes: 1024})
	}
	if r == arenas { // it wants many objects, and the functions below which they are made
		s.Objects = leastSafe
		if decl, ok := fn.node.(*ast.FuncDecl); ok {
			s.Frame.Func = profiled(fn.pkg.TypesInfo.Defs[decl.Name].(*types.Func))
		}
		callers := program.callersAbove(program.fns[fn.node])
		for i := range s.Leaves {
			s.Leaves[i].Callers = callers
		}
	}
	return r.find(p)
}

// callersAbove returns the calls that lead to a function, nearest first, in which those of a recursion are twice.
func (p *Program) callersAbove(fn *ssa.Function) (all []prof.Frame) {
	seen := map[*ssa.Function]bool{fn: true}
	for work := []*ssa.Function{fn}; len(work) > 0 && work[0] != nil; work = work[1:] {
		calls := slices.Clone(p.callsOf(work[0]))
		slices.SortStableFunc(calls, func(a, b ssa.CallInstruction) int { // those of a recursion first
			switch {
			case seen[a.Parent()] == seen[b.Parent()]:
				return 0
			case seen[a.Parent()]:
				return -1
			}
			return 1
		})
		for _, c := range calls {
			caller := c.Parent()
			object, ok := outermost(caller).Object().(*types.Func)
			if !ok || p.inTest(c.Pos()) {
				continue
			}
			all = append(all, prof.Frame{Func: profiled(object), File: p.fset.Position(c.Pos()).Filename, Line: p.line(c.Pos())})
			if !seen[caller] {
				seen[caller] = true
				work = append(work, caller)
			}
		}
	}
	return all
}
