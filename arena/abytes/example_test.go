package abytes_test

import (
	"fmt"

	"lessgc/arena"
	"lessgc/arena/abytes"
)

func ExampleBuffer() {
	a := arena.NewArena()
	defer a.Free()
	b := abytes.NewBuffer(a)
	b.WriteString("total")
	fmt.Fprintf(b, ": %d", 42)
	fmt.Println(b.String())
	// Output:
	// total: 42
}
