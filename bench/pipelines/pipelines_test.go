package pipelines

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the loops for the other sizes")

// sizes are the sizes that files are made for.
var sizes = []string{"8", "16", "32", "40", "120"}

// TestGenerated checks that the files for the other sizes are what
// loops_56_test.go makes of them.
func TestGenerated(t *testing.T) {
	source, err := os.ReadFile("loops_56_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range sizes {
		name := "loops_" + size + "_test.go"
		want := bytes.ReplaceAll(source, []byte("elem56"), []byte("elem"+size))
		want = bytes.ReplaceAll(want, []byte("loops56"), []byte("loops"+size))
		want = append([]byte("// Code generated from loops_56_test.go by TestGenerated. DO NOT EDIT.\n\n"), want...)
		if *update {
			if err := os.WriteFile(name, want, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date (%v): go test -run TestGenerated -update", name, err)
		}
	}
}

// A visitor is called for each loop, with the sum of the op.
type visitor func(size int, shape, impl string, op func() int)

func visit[E any](size int, loops []loop[E], of func(i int) E, f visitor) {
	d := newData(of)
	for _, l := range loops {
		f(size, l.shape, l.impl, func() int { return l.run(d) })
	}
}

func visitAll(f visitor) {
	visit(8, loops8, func(i int) elem8 { return elem8{int64(i)} }, f)
	visit(16, loops16, func(i int) elem16 { return elem16{A: int64(i)} }, f)
	visit(32, loops32, func(i int) elem32 { return elem32{A: int64(i)} }, f)
	visit(40, loops40, func(i int) elem40 { return elem40{A: int64(i)} }, f)
	visit(56, loops56, func(i int) elem56 { return elem56{A: int64(i)} }, f)
	visit(120, loops120, func(i int) elem120 { return elem120{A: int64(i)} }, f)
}

// TestLoopsAgree compares the sums of all implementations of a shape, twice each.
func TestLoopsAgree(t *testing.T) {
	want := map[string]int{}
	visitAll(func(size int, shape, impl string, op func() int) {
		key := shape
		for range 2 {
			got := op()
			if got == 0 {
				t.Errorf("shape=%s/size=%d/impl=%s: sum 0", shape, size, impl)
			}
			if _, ok := want[key]; !ok {
				want[key] = got
			}
			if got != want[key] {
				t.Errorf("shape=%s/size=%d/impl=%s: sum %d, want %d", shape, size, impl, got, want[key])
			}
		}
	})
	if len(want) < 20 {
		t.Errorf("%d shapes", len(want))
	}
}

var sink int

func BenchmarkPipelines(b *testing.B) {
	visitAll(func(size int, shape, impl string, op func() int) {
		b.Run(fmt.Sprintf("shape=%s/size=%d/impl=%s", shape, size, impl), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink += op()
			}
		})
	})
}
