// Command tool has an arena that ends with it.
package main

import (
	"fmt"
	"os"

	"lessgc/arena"
)

func main() {
	a := arena.NewArena()
	var lines []string
	for _, arg := range os.Args[1:] {
		lines = arena.Append(a, lines, a.String("- "+arg))
	}
	for _, line := range lines {
		fmt.Println(line)
	}
}
