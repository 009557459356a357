package stacktree

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"lessgc/internal/checked"
)

// TestSizes pins what doc.go and the comments say of sizes.
func TestSizes(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("sizes are those of 64-bit machines")
	}
	if got := unsafe.Sizeof(node{}); got != 56 {
		t.Errorf("a node has %d bytes, want 56", got)
	}
}

// TestSynthetic pins what the comment of Synthetic says.
func TestSynthetic(t *testing.T) {
	text := Synthetic()
	if !bytes.Equal(text, Synthetic()) {
		t.Fatal("two calls differ")
	}
	samples := samplesOf(text)
	if len(samples) != 2000 {
		t.Errorf("%d stacks, want 2000", len(samples))
	}
	least, most := 1000, 0
	for _, s := range samples {
		least, most = min(least, len(s.frames)), max(most, len(s.frames))
	}
	if least != 8 || most != 40 {
		t.Errorf("%d to %d frames, want 8 to 40", least, most)
	}
	parse(t, Strategies[0], Input{Data: text}, func(tree *Tree) {
		if n := tree.Len(); n < 33_000 || n > 35_000 {
			t.Errorf("%d nodes, want about 34,000", n)
		}
	})
}

// parse calls use with the tree of in, which must have no error and be whole.
func parse(t testing.TB, s Strategy, in Input, use func(*Tree)) {
	t.Helper()
	called := false
	err := s.Do(in, func(tree *Tree) {
		called = true
		if err := whole(tree); err != nil {
			t.Fatalf("strategy=%s: %v", s.Name, err)
		}
		use(tree)
	})
	if err != nil {
		t.Fatalf("strategy=%s: %v", s.Name, err)
	}
	if !called {
		t.Fatalf("strategy=%s: no error and no tree", s.Name)
	}
}

// whole checks what holds in every tree: names in order, totals that are sums,
// nodes that count something.
func whole(t *Tree) error {
	nodes := 0
	var check func(n *node) error
	check = func(n *node) error {
		sum := n.self
		for i, c := range n.children {
			nodes++
			if c.name == "" || strings.ContainsAny(c.name, ";\n") {
				return fmt.Errorf("a frame below %s with the name %q", n.name, c.name)
			}
			if i > 0 && n.children[i-1].name >= c.name {
				return fmt.Errorf("below %s, %s stands behind %s", n.name, c.name, n.children[i-1].name)
			}
			if err := check(c); err != nil {
				return err
			}
			sum += c.total
		}
		if n.total != sum || n.self < 0 || n.total <= 0 && n != t.root {
			return fmt.Errorf("%s: self %d, total %d, self and children %d", n.name, n.self, n.total, sum)
		}
		return nil
	}
	if err := check(t.root); err != nil {
		return err
	}
	if nodes != t.Len() {
		return fmt.Errorf("%d nodes, Len says %d", nodes, t.Len())
	}
	return nil
}

// collapsed returns the tree of in as collapsed stacks.
func collapsed(t testing.TB, s Strategy, in Input) (text []byte) {
	t.Helper()
	parse(t, s, in, func(tree *Tree) { text = tree.AppendCollapsed(nil) })
	return text
}

// plainTree returns the tree of samples as collapsed stacks, made with a map.
func plainTree(samples []sample, sampleType int) (text []byte) {
	counts := map[string]int64{}
	var different []sample
	for _, s := range samples {
		if value := s.values[sampleType]; value > 0 {
			stack := strings.Join(s.frames, ";")
			if counts[stack] == 0 {
				different = append(different, s)
			}
			counts[stack] += value
		}
	}
	slices.SortFunc(different, func(a, b sample) int { return slices.Compare(a.frames, b.frames) })
	for _, s := range different {
		stack := strings.Join(s.frames, ";")
		text = fmt.Appendf(text, "%s %d\n", stack, counts[stack])
	}
	return text
}

// randomSamples returns stacks that share beginnings, repeat, and recur.
func randomSamples(rnd *rand.Rand, sampleTypes int) []sample {
	samples := make([]sample, rnd.IntN(60))
	for i := range samples {
		s := &samples[i]
		for range 1 + rnd.IntN(6) {
			s.frames = append(s.frames, strings.Repeat(string(rune('a'+rnd.IntN(4))), 1+rnd.IntN(3)))
		}
		for range sampleTypes {
			s.values = append(s.values, rnd.Int64N(4))
		}
	}
	return samples
}

// someStacks returns the synthetic profile, or the beginning of it in a checked
// build, where an arena records every object.
func someStacks() []byte {
	text := Synthetic()
	if !checked.Enabled {
		return text
	}
	return text[:1+bytes.IndexByte(text[len(text)/10:], '\n')+len(text)/10]
}

// inputs are profiles for tests of all strategies: small ones, the synthetic
// one in both formats, and the real one.
func inputs(t testing.TB) []Input {
	text := someStacks()
	rnd := rand.New(rand.NewPCG(3, 4))
	all := []Input{
		{Format: Collapsed},
		{Format: Collapsed, Data: []byte("main 1\n")},
		{Format: Collapsed, Data: text},
		{Format: Pprof, Data: encoder{inline: true, gzip: true}.encode(samplesOf(text), 1)},
		{Format: Pprof, Data: realProfile(t), SampleType: inuseSpace},
	}
	if !checked.Enabled {
		all = append(all, Input{Format: Pprof, Data: realProfile(t), SampleType: allocObjects})
	}
	for i := range 30 {
		samples := randomSamples(rnd, 2)
		all = append(all, Input{Format: Pprof, Data: encoder{sparse: i%2 == 0}.encode(samples, 2), SampleType: 1})
	}
	return all
}

// TestRoundTrip checks that collapsed stacks of a tree make an equal tree.
func TestRoundTrip(t *testing.T) {
	for _, in := range inputs(t) {
		parse(t, Strategies[0], in, func(tree *Tree) {
			text := tree.AppendCollapsed([]byte("before"))
			text, ok := bytes.CutPrefix(text, []byte("before"))
			if !ok {
				t.Fatal("AppendCollapsed overwrote what was there")
			}
			parse(t, Strategies[0], Input{Data: text}, func(again *Tree) {
				if err := equal(again.root, tree.root); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func equal(a, b *node) error {
	if a.name != b.name || a.self != b.self || a.total != b.total || len(a.children) != len(b.children) {
		return fmt.Errorf("node %s has self %d, total %d and %d children, want %s with %d, %d and %d",
			a.name, a.self, a.total, len(a.children), b.name, b.self, b.total, len(b.children))
	}
	for i := range a.children {
		if err := equal(a.children[i], b.children[i]); err != nil {
			return err
		}
	}
	return nil
}
