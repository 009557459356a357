package lever

import (
	"go/ast"
	"testing"
)

// TestExecutedLabel checks that the statements of a loop's body count as often as the loop goes round, the first one with a label, too.
func TestExecutedLabel(t *testing.T) {
	program, err := Load(t.Context(), ".", []string{"./testdata/rewrites/size-map"}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, fn := range program.fns {
		decl, ok := fn.Syntax().(*ast.FuncDecl)
		if !ok || decl.Name.Name != "labelled" {
			continue
		}
		loop := decl.Body.List[1].(*ast.RangeStmt)
		inside := program.line(loop.Body.Lbrace)
		program.Executed = func(_ string, line, _ int) (int64, bool) {
			if line > inside {
				return 1000, true
			}
			return 1, true
		}
		if n, ok := program.executed(loop.Body.List[0].Pos()); !ok || n < 1000 {
			t.Errorf("the loop's first statement was executed %d times, %t", n, ok)
		}
		if n, ok := program.executed(loop.X.Pos()); !ok || n != 1 {
			t.Errorf("what the loop goes over was executed %d times, %t", n, ok)
		}
		return
	}
	t.Error("there is no function labelled")
}
