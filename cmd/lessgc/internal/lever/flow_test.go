package lever

import (
	"go/ast"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestFates follows the first object that each function of testdata/fates makes.
func TestFates(t *testing.T) {
	program, err := Load(t.Context(), ".", []string{"./testdata/fates"}, false)
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]int{}
	for node, fn := range program.fns {
		decl, ok := node.(*ast.FuncDecl)
		if !ok {
			continue
		}
		want := ""
		for _, kind := range []string{"leaves", "stays", "lent", "zeroedLeaves", "zeroed"} {
			if want == "" && strings.HasPrefix(decl.Name.Name, kind) {
				want = kind
			}
		}
		if want == "" {
			continue
		}
		tested[want]++
		object := firstObject(fn)
		if object == nil {
			t.Errorf("%s makes no object", fn.Name())
			continue
		}
		f, got := program.follow(object), ""
		if strings.HasPrefix(want, "zeroed") {
			if f.stays() {
				t.Errorf("%s stays", fn.Name())
			}
			f = program.followZeroed(refers, nil, object)
			want = strings.Replace(strings.Replace(want, "zeroedLeaves", "leaves", 1), "zeroed", "stays", 1)
		}
		switch {
		case !f.stays():
			got = "leaves"
		case len(f.lent) > 0:
			got = "lent"
		default:
			got = "stays"
		}
		if got != want {
			t.Errorf("%s: %s: %+v", fn.Name(), got, f)
			for _, pos := range append(f.kept, f.returned...) {
				t.Log(program.fset.Position(pos))
			}
		}
	}
	if tested["leaves"] < 79 || tested["stays"] < 20 || tested["lent"] < 1 {
		t.Errorf("%v", tested)
	}
}

// firstObject is the first slice or struct that a function makes on the heap, or nil.
func firstObject(fn *ssa.Function) ssa.Value {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.MakeSlice, *ssa.MakeMap:
				return in.(ssa.Value)
			case *ssa.Alloc:
				if in.Comment == "makeslice" || in.Comment == "new" || in.Comment == "complit" && in.Heap {
					return in
				}
			}
		}
	}
	return nil
}

// TestLongest checks that an object of which more values are made than are followed counts as kept.
func TestLongest(t *testing.T) {
	for n, stays := range map[int]bool{longest / 2: true, longest + 1: false} {
		dir := t.TempDir()
		var b strings.Builder
		b.WriteString("package long\n\nfunc long() int {\n\tb := make([]byte, 512)\n")
		for range n {
			b.WriteString("\tb = b[1:]\n")
		}
		b.WriteString("\treturn len(b)\n}\n")
		for name, text := range map[string]string{"go.mod": "module example.com/long\n\ngo 1.26\n", "long.go": b.String()} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("GOWORK", "off")
		program, err := Load(t.Context(), dir, []string{"."}, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, fn := range program.fns {
			if got := program.follow(firstObject(fn)).stays(); got != stays {
				t.Errorf("%d values: stays %v", n, got)
			}
		}
	}
}
