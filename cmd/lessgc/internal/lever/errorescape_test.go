package lever

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestErrorEscape asks the compiler about each of the copies that error-escape knows: with it the parameter does
// not escape, and without it does.
func TestErrorEscape(t *testing.T) {
	const before = `package p

import ("bytes"; "errors"; "fmt"; "reflect"; "slices"; "strings")

var _, _, _, _, _ = bytes.Clone, errors.New, reflect.TypeOf, strings.Clone, slices.Clone[[]int]

type T struct{ a, b int }

type E struct{ s string }

func (e *E) Error() string { return e.s }

func text(x string) error { return fmt.Errorf("bad %q", x) }
func field(x string) error { return &E{x} }
func data(x []byte) error { return fmt.Errorf("bad %q", x) }
func list(x []int) error { return fmt.Errorf("bad %v", x) }
func typ(x any) error { return fmt.Errorf("bad %T", x) }
func value(x any) error { return fmt.Errorf("bad %v", x) }
func pointer(x *T) error { return fmt.Errorf("bad %v", x) }
`
	after := strings.NewReplacer(
		`"bad %q", x) }`+"\nfunc field", `"bad %q", strings.Clone(x)) }`+"\nfunc field", "&E{x}", "&E{strings.Clone(x)}", `"bad %q", x) }`+"\nfunc list", `"bad %q", bytes.Clone(x)) }`+"\nfunc list",
		`"bad %v", x) }`+"\nfunc typ", `"bad %v", slices.Clone(x)) }`+"\nfunc typ", `"bad %T", x)`, `"bad %v", reflect.TypeOf(x))`,
		`"bad %v", x) }`+"\nfunc pointer", `"bad %v", textOf(reflect.ValueOf(x))) }`+"\nfunc pointer", `x *T) error { return fmt.Errorf("bad %v", x)`, `x *T) error { c := *x; return fmt.Errorf("bad %v", &c)`,
	).Replace(before) + `
func textOf(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		return v.Int()
	case reflect.String:
		return strings.Clone(v.String())
	}
	return v.Type()
}
`
	for source, want := range map[string]int{before: 7, after: 0} {
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module p\n\ngo 1.24\n", "p.go": source} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		build := exec.Command("go", "build", "-gcflags=-m", ".")
		build.Dir = dir
		build.Env = append(os.Environ(), "GOWORK=off")
		out, err := build.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got := strings.Count(string(out), "leaking param: x"); got != want {
			t.Errorf("%d parameters escape, want %d: %s", got, want, out)
		}
	}
}
