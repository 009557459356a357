package stacktree

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"lessgc/arena"
	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
)

// TestStrategies checks that all strategies make the same tree of every input,
// in memory that was used for another one before.
func TestStrategies(t *testing.T) {
	for _, in := range inputs(t) {
		parse(t, Strategies[0], in, func(want *Tree) {
			for _, s := range Strategies {
				parse(t, s, in, func(got *Tree) {
					if err := equal(got.root, want.root); err != nil {
						t.Errorf("strategy=%s/format=%v: %v", s.Name, in.Format, err)
					}
					if got.Total() != want.Total() || got.Len() != want.Len() {
						t.Errorf("strategy=%s/format=%v: total %d and %d nodes, want %d and %d",
							s.Name, in.Format, got.Total(), got.Len(), want.Total(), want.Len())
					}
				})
			}
		})
	}
}

// TestNames checks that a tree has its names for itself: neither the caller,
// who writes to the input, nor another op changes them, also not one that
// parses while the tree is in use.
func TestNames(t *testing.T) {
	inputsOf := func(text []byte) []Input {
		samples := samplesOf(text)
		return []Input{
			{Data: text},
			{Format: Pprof, Data: encoder{}.encode(samples, 1)},
			{Format: Pprof, Data: encoder{gzip: true}.encode(samples, 1)},
		}
	}
	text := someStacks()
	want := collapsed(t, Strategies[0], Input{Data: text})
	mine, others := inputsOf(text), inputsOf(bytes.ToUpper(text))
	for _, s := range Strategies {
		for i, in := range mine {
			in.Data = bytes.Clone(in.Data)
			parse(t, s, in, func(tree *Tree) {
				clear(in.Data)
				parse(t, s, others[i], func(*Tree) {})
				if !bytes.Equal(tree.AppendCollapsed(nil), want) {
					t.Errorf("strategy=%s/format=%v: names changed while the tree was in use", s.Name, in.Format)
				}
			})
		}
	}
}

// TestCollected checks that a tree survives collections while it is in use: the
// collector finds every node, slice and name.
func TestCollected(t *testing.T) {
	in := Input{Data: someStacks()}
	want := collapsed(t, Strategies[0], in)
	for _, s := range Strategies {
		parse(t, s, in, func(tree *Tree) {
			runtime.GC()
			var garbage []string
			var nodes []*node
			for range tree.Len() {
				garbage = append(garbage, strings.Repeat("x", 40))
				nodes = append(nodes, &node{name: "garbage", children: make([]*node, 1)})
			}
			runtime.GC()
			if !bytes.Equal(tree.AppendCollapsed(nil), want) {
				t.Errorf("strategy=%s: the tree changed in a collection", s.Name)
			}
			runtime.KeepAlive(garbage)
			runtime.KeepAlive(nodes)
		})
	}
}

// TestConcurrent parses different profiles at the same time.
func TestConcurrent(t *testing.T) {
	for _, s := range Strategies {
		var wg sync.WaitGroup
		for g := range 4 {
			text := fmt.Appendf(nil, "main;f%d;g 1\nmain;h%d 2\n", g, g)
			profile := encoder{gzip: true}.encode(samplesOf(text), 1)
			wg.Go(func() {
				for range 50 {
					for _, in := range []Input{{Data: text}, {Format: Pprof, Data: profile}} {
						err := s.Do(in, func(tree *Tree) {
							runtime.Gosched()
							if got := tree.AppendCollapsed(nil); !bytes.Equal(got, text) {
								t.Errorf("strategy=%s: tree %q, want %q", s.Name, got, text)
							}
						})
						if err != nil {
							t.Errorf("strategy=%s: %v", s.Name, err)
						}
					}
				}
			})
		}
		wg.Wait()
	}
}

// TestAfterTrouble checks that a strategy works after an input with an error
// far behind, and after a use that panicked, and that a panic gives the memory
// of the tree to nobody else.
func TestAfterTrouble(t *testing.T) {
	text := someStacks()
	want := collapsed(t, Strategies[0], Input{Data: text})
	bad := append(bytes.ToUpper(text), "no count\n"...)
	for _, s := range Strategies {
		if err := s.Do(Input{Data: bad}, func(*Tree) {}); !errors.Is(err, errNoCount) {
			t.Errorf("strategy=%s: error %v, want %v", s.Name, err, errNoCount)
		}
		var held *Tree
		func() {
			defer func() { recover() }()
			s.Do(Input{Data: text}, func(tree *Tree) { held = tree; panic("use") })
		}()
		parse(t, s, Input{Data: bytes.ToUpper(text)}, func(*Tree) {})
		if !bytes.Equal(held.AppendCollapsed(nil), want) {
			t.Errorf("strategy=%s: the tree of a use that panicked was overwritten", s.Name)
		}
	}
}

// TestPoolBound checks that a store of a huge tree is not put back.
func TestPoolBound(t *testing.T) {
	s := &store{}
	for range maxPooled + 1 {
		s.node()
	}
	s.free()
	if s.used == 0 {
		t.Error("the store was emptied for reuse")
	}
}

// TestPoolNames checks that a pooled node holds no name of its last tree.
func TestPoolNames(t *testing.T) {
	s := &store{}
	n := s.node()
	n.name, n.self, n.total, n.children = "a", 1, 1, make([]*node, 3)
	s.free()
	if n.name != "" || n.self != 0 || n.total != 0 || len(n.children) != 0 || cap(n.children) != 3 {
		t.Errorf("after free a node is %+v with capacity %d, want capacity 3 and nothing else", n, cap(n.children))
	}
}

// shape counts what a tree needs.
type shape struct {
	nodes int
	names int // different ones
	lists int // slices of children that were made, at capacities 1, 2, 4 and so on
}

func shapeOf(t *Tree) shape {
	s := shape{nodes: t.Len()}
	names := map[string]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		names[n.name] = true
		if c := len(n.children); c > 0 {
			s.lists += 1 + bits.Len(uint(c-1))
		}
		for _, c := range n.children {
			visit(c)
		}
	}
	visit(t.root)
	s.names = len(names) - 1 // the root has none
	return s
}

// TestAllocs pins the counts in the package comment. The tree itself is always
// one object, and its root a node more.
func TestAllocs(t *testing.T) {
	if checked.Enabled || arena.NewArena() == nil {
		t.Skip("arenas are checked, or are the heap")
	}
	// A collection would empty the pools.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	text := Synthetic()
	check := func(in Input, names func(shape) int) {
		var n shape
		parse(t, Strategies[0], in, func(tree *Tree) { n = shapeOf(tree) })
		type bounds struct{ least, most int }
		exactly := func(n int) bounds { return bounds{n, n} }
		want := map[string]bounds{
			"heap":          exactly(1 + 1 + n.nodes + n.lists + names(n)),
			"pool":          exactly(1 + names(n)),
			"arena-safe":    {1, n.nodes / 10}, // chunks
			"arena-typed":   {1, n.nodes / 10}, // chunks of names
			"arena-recycle": exactly(1 + 1),    // the arena
			"handle":        exactly(1 + 1),
			"stdarena":      exactly(1 + 3), // the arena and its handle
		}
		for _, s := range Strategies {
			got := alloctest.PerRun(t, func() {
				if err := s.Do(in, func(*Tree) {}); err != nil {
					t.Fatal(err)
				}
			})
			if want := want[s.Name]; got < want.least || got > want.most {
				t.Errorf("strategy=%s/format=%v: %d allocations, want %d to %d", s.Name, in.Format, got, want.least, want.most)
			}
		}
	}
	check(Input{Data: text}, func(n shape) int { return n.nodes })
	// Not compressed: what gzip allocates depends on the data.
	profile := encoder{inline: true}.encode(samplesOf(text), 1)
	check(Input{Format: Pprof, Data: profile}, func(n shape) int { return n.names })
}

// TestDecoderKeepsNothing checks that a decoder in the pool points neither into
// an input nor into a tree, and that a large one is not put back.
func TestDecoderKeepsNothing(t *testing.T) {
	d := new(decoder)
	tree := &Tree{limits: defaults}
	tree.root = tree.mem.node()
	if err := d.decode(tree, compress(encoder{inline: true}.encode(samplesOf(Synthetic()), 1)), 0); err != nil {
		t.Fatal(err)
	}
	frames, strings := d.frames, d.strings
	d.free()
	for _, f := range frames {
		if f.name != "" || f.text != nil {
			t.Fatalf("frame %q is still there", f.name)
		}
	}
	for _, s := range strings {
		if s != nil {
			t.Fatalf("string %q is still there", s)
		}
	}
	large := &decoder{sampleTypes: 1, buf: make([]byte, maxScratchBytes+1)}
	large.free()
	many := &decoder{sampleTypes: 1, lines: make([]uint64, maxScratchEntries+1)}
	many.free()
	if large.sampleTypes == 0 || many.sampleTypes == 0 {
		t.Error("a large decoder was emptied for reuse")
	}
}

// TestUnknownFormat checks that it is a panic, like any misuse.
func TestUnknownFormat(t *testing.T) {
	defer func() {
		if got, want := recover(), "stacktree: input of an unknown format, Format(2)"; got != want {
			t.Errorf("panic %v, want %s", got, want)
		}
	}()
	Strategies[0].Do(Input{Format: 2}, func(*Tree) {})
}

func BenchmarkStackTree(b *testing.B) {
	// Made when they are asked for: the real one takes longer than many ops.
	real := sync.OnceValue(func() Input {
		return Input{Format: Pprof, Data: realProfile(b), SampleType: allocSpace}
	})
	for _, s := range Strategies {
		for _, x := range []struct {
			format  Format
			profile string
			in      func() Input
		}{
			{Collapsed, "synthetic", func() Input { return Input{Data: Synthetic()} }},
			{Pprof, "synthetic", func() Input {
				return Input{Format: Pprof, Data: encoder{inline: true, gzip: true}.encode(samplesOf(Synthetic()), 1)}
			}},
			{Collapsed, "real", func() Input { return Input{Data: collapsed(b, Strategies[0], real())} }},
			{Pprof, "real", real},
		} {
			b.Run(fmt.Sprintf("strategy=%s/format=%v/profile=%s", s.Name, x.format, x.profile), func(b *testing.B) {
				in := x.in()
				use := func(tree *Tree) {
					if tree.Len() == 0 {
						b.Fatal("no tree")
					}
				}
				op := func() {
					if err := s.Do(in, use); err != nil {
						b.Fatal(err)
					}
				}
				// Outside the loop, or few ops would show the first filling of
				// a pool more than its use.
				op()
				b.ReportAllocs()
				for b.Loop() {
					op()
				}
			})
		}
	}
}
