// Package tested has tests that use other arenas than the program.
package tested

import (
	"sync"

	"lessgc/arena"
)

var arenas = arena.Pool{Policy: arena.RecycleAll}

type parser struct{ a *arena.Arena }

func (p *parser) badNode() *sync.Once {
	return arena.New[sync.Once](p.a) // want `arena\.New of sync\.Once panics`
}

func badNode(a *arena.Arena) *sync.Once {
	return arena.New[sync.Once](a) // want `arena\.New of sync\.Once panics`
}

// GoodNode is called with a recycling arena by no program.
func GoodNode(a *arena.Arena) *sync.Once { return arena.New[sync.Once](a) }

// Parse parses.
func Parse() {
	p := parser{a: arenas.Get()}
	defer p.a.Free()
	p.badNode()
	badNode(p.a)
}
