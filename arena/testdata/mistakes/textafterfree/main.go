// Command textafterfree makes a string in an arena that was freed.
package main

import "lessgc/arena"

func main() {
	a := arena.NewArena() // opened
	a.Free()              // freed
	_ = a.String("text")  // used
}
