package tested

import (
	"sync"
	"testing"

	"lessgc/arena"
)

func TestNode(t *testing.T) {
	p := parser{a: arena.NewArena()}
	p.badNode()
	badNode(p.a)
	badNode(nil)
}

func TestPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	a := arenas.Get()
	GoodNode(a)
	arena.New[sync.Once](a) // want `arena\.New of sync\.Once panics`
}
