package programs

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
)

type keeper struct {
	visited *visitedRing
	logged  []any
	hooked  *hookedRing
	thrown  any
}

func (k *keeper) Visit(r *visitedRing) { k.visited = r }
func (k *keeper) Log(args ...any)      { k.logged = args }

func BenchmarkLives(b *testing.B) {
	keeps := new(keeper)
	h := &ringHolder{map[string]*givenRing{}}
	var closers []io.Closer
	var later func() bool
	var part *int
	var used *usedRing
	shared, literals := map[*sharedRing]bool{}, map[int]*literalRing{}
	var address uintptr
	w := &keepingWriter{ResponseWriter: httptest.NewRecorder()}
	r := httptest.NewRequest("GET", "/path", strings.NewReader(strings.Repeat(".", 100)))
	server := newSumServer()
	for b.Loop() {
		branches(4)
		useRings()
		makeReturned(100)
		makeGlobal(100)
		h.fill(100)
		makeBoxed(100, &closers)
		makeSent(100)
		makeCaptured(100, &later)
		makePart(100, &part)
		makeGone(100)
		makeUsed(100, func(r *usedRing) { used = r })
		makeAway(100)
		dropShared(150)
		keepShared(100, shared)
		clear(shared)
		makeLiteral(100, literals)
		makeSingle()
		makeVisited(100, keeps)
		makeLogged(100, keeps)
		makeHooked(100, &hooks{func(r *hookedRing) { keeps.hooked = r }})
		func() {
			defer func() { keeps.thrown = recover() }()
			makeThrown(100)
		}()
		makeUnsafe(100, &address)
		makeOuter(100)
		makePooled(100)
		makeAtomic(100)
		makeDeep(100)
		measure(b)
		server.total(b.Context(), &sumRequest{100})
		server.rings(b.Context(), &sumRequest{100})
		serveAnswer(w, r)
		serveBody(w, r.Clone(b.Context()))
		serveKept(w, r)
		serveContext(w, r)
		makeLabelled(100, ringLabels())
	}
	if later() || *part != 99 || len(closers) != 1 || used == nil || literals[0] == nil {
		b.Error("they are gone")
	}
}
