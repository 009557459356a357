package arena

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestValue(t *testing.T) {
	if v, err := Value("1+(2+3)+4"); v != 10 || err != nil {
		t.Error(v, err)
	}
	if _, err := Value("1+"); err != errEnd {
		t.Error(err)
	}
	if v, err := Value("1" + strings.Repeat("+(2+3)", 1000)); v != 5001 || err != nil {
		t.Error(v, err)
	}
}

func TestTrees(t *testing.T) {
	if got := links(200); got != 1333300 {
		t.Error("links:", got)
	}
	if got := elsewhere(3); got != 11 {
		t.Error("elsewhere:", got)
	}
	for text, want := range map[string]string{"7": "14 0 <nil>", "1+2-3": "9 2 <nil>", "1+2-": "3 0 missing operand at 4", "1+!": "0 0 not an operand"} {
		v, n, err := evaluate(text)
		if got := fmt.Sprint(v, n, err); got != want {
			t.Errorf("evaluate(%q) = %s, want %s", text, got, want)
		}
	}
	if got := Leaves(10); got != 1024 {
		t.Error("leaves:", got)
	}
	a, b := Grow(9), Grow(9) // of two arenas, which are freed
	runtime.GC()
	for range 3 {
		Leaves(9)
	}
	if a == b || a.leaves() != 512 || b.leaves() != 512 || a.Left == a.Right {
		t.Error("leaves:", a.leaves(), b.leaves())
	}
	if got := Shrubs(4); got != 15 {
		t.Error("shrubs:", got)
	}
	if got := countCells(5); got != 114 {
		t.Error("cells:", got)
	}
}

func TestOrder(t *testing.T) {
	want := []int{36, 0, 35, 0, 34, 0, 66, 0, 5, 0, 2, 2, 0, 0, 6, 7, 5, 32, 30, 31, 29, 29, 14, 0, 12, 0, 12, 0, 11, 0, 10, 0, 18, 0, 5, 0, 2, 2, 0, 0, 6, 7, 5, 8, 6, 7, 5, 5, 2, 0, 0, 0}
	if got := walk(2); !slices.Equal(got, want) {
		t.Error(got)
	}
	w := &walker{all: []int{1, 2}}
	if got := w.panics(2); got != "runtime error: index out of range [2] with length 2" {
		t.Error(got)
	}
	w.all = nil
	if got := w.panicsToo(); got != "runtime error: index out of range [0] with length 0" {
		t.Error(got)
	}
}
