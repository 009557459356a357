package chunk

import (
	"strings"
	"testing"
)

// nodes collects the nodes of a tree, and fails if one is there twice.
func nodes(t *testing.T, n *node, seen map[*node]bool) {
	t.Helper()
	if n == nil {
		return
	}
	if seen[n] {
		t.Errorf("%+v is there twice", n)
		return
	}
	seen[n] = true
	nodes(t, n.left, seen)
	nodes(t, n.right, seen)
}

func TestTree(t *testing.T) {
	for n := 1; n < 100; n++ {
		p := &parser{text: strings.Repeat("1+", n-1) + "1"}
		tree, err := p.sum()
		if err != nil || tree.sum() != n {
			t.Fatal(n, tree.sum(), err)
		}
		seen := map[*node]bool{}
		nodes(t, tree, seen)
		other := newNode('n', p)
		nodes(t, other, seen)
		blank := p.blank()
		nodes(t, blank, seen)
		if *blank != (node{}) || other.value != p.pos-1 || len(seen) != 2*n+1 {
			t.Error(n, len(seen), *blank, *other)
		}
	}
	if tree, err := (&parser{text: "1+x"}).sum(); err == nil || tree != nil {
		t.Error(tree, err)
	}
	nested := (&parser{text: "abcdefgh"}).nested(2)
	seen := map[*node]bool{}
	nodes(t, nested, seen)
	if len(seen) != 3 || nested.kind != 'a' || nested.left.kind != 'b' || nested.sum() != 2+1+1 {
		t.Errorf("%d nodes, %+v", len(seen), nested)
	}
	if n := (&parser{text: "2*3*4"}).product().eval(); n != 24 {
		t.Error(n)
	}
	if e := (&parser{text: "2"}).product(); e != (number{2}) {
		t.Error(e)
	}
}

// TestTreePanics checks that panics are the same, and that a parser can be used after one.
func TestTreePanics(t *testing.T) {
	panics := func(f func()) (is bool) {
		defer func() { is = recover() != nil }()
		f()
		return false
	}
	var none *parser
	for i, f := range []func(){func() { none.sum() }, func() { none.blank() }, func() { newNode(1, none) }, func() { none.nested(1) }} {
		if !panics(f) {
			t.Error(i, "does not panic")
		}
	}
	if n := (*late)(nil).refusedNil(); n.kind != '-' {
		t.Error(n)
	}
}

func TestTreeRefused(t *testing.T) {
	p := &parser{text: "abc"}
	p.refusedLone()
	(&still{text: "ab"}).refusedStill(1)
	l := &locked{text: "ab"}
	done := make(chan *node)
	for range 2 {
		go func() { done <- l.refusedLocked() }()
	}
	if a, b := <-done, <-done; a == b {
		t.Error("the same node twice")
	}
	c := &cloned{text: "ab"}
	first := c.refusedClone()
	d := c.clone()
	if a, b := c.refusedClone(), d.refusedClone(); a == b || a == first {
		t.Error("the same node twice")
	}
	if _, n := p.refusedOther(); n != p.pos {
		t.Error(n)
	}
	p.refusedSecond()
	p.refusedComment()
	if n := p.refusedArgument(); n != p.pos {
		t.Error(n)
	}
	refusedSet(p)
	refusedTwo(p, p)
	refusedPublic(&Public{text: "x"})
	refusedCopy(still2{text: "x"})
	turn := make(chan int, 1)
	turn <- 1
	(&queued{text: "x"}).refusedTurn(turn)
	(&helped{text: "x"}).refusedHelper()
}
