package repeats

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestFile checks that what is written is read again, and what makes no sense is refused.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	if all, err := Read(dir); all != nil || err != nil {
		t.Errorf("no file: %v, %v", all, err)
	}
	want := []Function{{Func: "m.F", Calls: 4, Inputs: 1, Across: 3, Places: []Line{{"m.G", "g.go", 3, 2, 1, 0}}, Lines: []Line{{"m.G", "g.go", 3, 4, 0, 1}}}}
	if err := Write(dir, want); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(dir); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	data, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{format, "lessgc repeats 9"}, {`"calls": 4`, `"calls": 2`}, {`"calls": 4`, `"calls": -4`}, {`"line": 3`, `"line": 0`}, {`"m.F"`, `""`}, {"{", "["}} {
		if err := os.WriteFile(filepath.Join(dir, File), []byte(strings.Replace(string(data), change[0], change[1], 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if all, err := Read(dir); err == nil {
			t.Errorf("%v: %v", change, all)
		}
	}
}

// TestInstrument checks what is put into a file.
func TestInstrument(t *testing.T) {
	const source = `package m // of its own

import "testing"

type T[K any] struct{}

func (*T[K]) Get(_ K, more ...int) (int, error) { return 0, nil }

func F(a, _ string) bool { return true }

func named() (n int, _ error) { return }

func void() {}

//go:noinline
func directed() int { return 0 }

func BenchmarkF(b *testing.B) {
	x := 1
	for i := 0; i < b.N; i++ {
		switch x {
		case 1:
			F("", "")
		}
		b.StopTimer()
	}
	for b.Loop() {
		func() { F("", "") }()
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			F("", "")
		}
	})
}
`
	e := parse("m.go", []byte(source))
	if n := e.operations(); n != 3 {
		t.Errorf("%d loops", n)
	}
	tests := string(e.result([]byte(source), "m/internal/x"))
	e = parse("m.go", []byte(source))
	wanted := map[string]wanted{"F": {1, "m.F"}, "(*T).Get": {2, "m.(*T).Get"}, "named": {3, "m.named"}, "void": {4, "m.void"}, "directed": {5, "m.directed"}}
	if n := e.functions(wanted); n != 3 {
		t.Errorf("%d functions", n)
	}
	out := string(e.result([]byte(source), "m/internal/x"))
	if a, b := strings.Count(source, "\n"), strings.Count(out, "\n"); a != b {
		t.Errorf("%d lines have become %d", a, b)
	}
	out += tests
	for _, want := range []string{
		`package m; import lessgcRecord "m/internal/x" // of its own`,
		`func (lessgcV0 *T[K]) Get(lessgcP0 K, more ...int) (lessgcR0 int, lessgcR1 error) { lessgcCall := lessgcRecord.Enter(2, "m.(*T).Get", lessgcV0, lessgcP0, more); ` +
			`defer func() { lessgcCall.Leave(); lessgcCall.Exit(lessgcR0, lessgcR1) }();  return 0, nil }`,
		`func F(a, lessgcP1 string) (lessgcR0 bool) { lessgcCall := `,
		`func named() (n int, lessgcR1 error) {`,
		`func void() { lessgcRecord.Count(4, "m.void"); }`,
		"func directed() int { return 0 }",
		"\tlessgcRecord.Next(); for i := 0; i < b.N; i++ { lessgcRecord.Begin(); \n",
		"\t\t\tlessgcRecord.Next(); F(",
		"lessgcRecord.Pause(); b.StopTimer()",
		"\t}; lessgcRecord.End()\n",
		`func() { F("", "") }()`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %s in\n%s", want, out)
		}
	}
	if parse("m.go", []byte("package m\n\nimport \"C\"\n")) != nil || parse("m.go", []byte("package")) != nil {
		t.Error("what cannot be instrumented is")
	}
}
