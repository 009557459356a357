// Package arenagrpc stands for the package of this name: it has what the cases use.
package arenagrpc

import "lessgc/arena"

// Options configures the arenas of a server's RPCs.
type Options struct {
	Policy  arena.Policy
	Heap    bool
	Methods map[string]MethodOptions
}

// MethodOptions configures the RPCs of one method.
type MethodOptions struct {
	Policy arena.Policy
	Heap   bool
}
