package plainformat

import (
	"fmt"
	"testing"
)

func TestOrder(t *testing.T) {
	add := func(m map[string]int) string { m[fmt.Sprint(len(m))] = 1; return "added" }
	lengthOfMap(map[string]int{}, add) // the language leaves open what comes first
	lengthOfField(new(items))
	for _, c := range [][2]string{
		{capturedField(), "1 x"},
		{converted(new(counter)), "1 next"},
		{jumped(new(items), false), "0"},
		{jumped(new(items), true), ""},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
}
