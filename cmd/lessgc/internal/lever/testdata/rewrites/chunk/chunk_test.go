package chunk

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// tokens writes tokens out, and fails if two are the same object.
func tokens(t *testing.T, all []*Token) string {
	t.Helper()
	seen := map[*Token]bool{}
	var text []string
	for _, tok := range all {
		if seen[tok] {
			t.Errorf("%+v is there twice", tok)
		}
		seen[tok] = true
		text = append(text, fmt.Sprintf("%s@%d", tok.Text, tok.Pos))
	}
	return strings.Join(text, " ")
}

func check(t *testing.T, name string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %v; want %v", name, got, want)
	}
}

func TestRewritten(t *testing.T) {
	for n := range 200 {
		text := strings.Repeat("x", n)
		all := (&lexer{text: text}).run()
		if len(all) != n {
			t.Fatalf("%d tokens of %d", len(all), n)
		}
		for i, tok := range all {
			if tok.Pos != i || len(tok.Text) != n-i || tok.Next != nil {
				t.Fatalf("token %d is %+v", i, tok)
			}
			tok.Next = all[0]
		}
		tokens(t, all)
	}
	check(t, "blank", tokens(t, (&blankLexer{left: 3}).run()), "@2 @0 @0")
	if n := testing.AllocsPerRun(10, func() { (&lexer{text: longText}).run() }); n > 70 && n < 200 { // chunks of four, as the profile has 64 to 127 in an operation
		t.Errorf("%v allocations", n)
	}
}

var longText = strings.Repeat("x", 200)

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

func TestRefused(t *testing.T) {
	const want = "ab@0 b@1"
	check(t, "exported", tokens(t, (&Exported{text: "ab"}).run()), want)
	check(t, "shown", tokens(t, Shown("ab").run()), want)
	check(t, "unkeyed", tokens(t, newUnkeyed("ab").run()), want)
	check(t, "printed", (&printed{text: "ab"}).report(), "&{text:ab pos:0 tokens:[]}")
	c := &copied{text: "abcd"}
	c.run()
	other := c.fork()
	c.text, other.text = c.text+"e", other.text+"f"
	check(t, "copied", tokens(t, append(c.run()[4:], other.run()...)), "e@4 f@4")
	all := newListed("ab", "ab")
	check(t, "listed", tokens(t, append(all[0].run(), all[1].run()...)), want+" "+want)
	check(t, "inner", tokens(t, (&outer{inner: inner{text: "ab"}}).run()), want)
	tw := &twin{text: "ab"}
	check(t, "twin", tw.other().text+tokens(t, tw.run()), "ab"+want)
	done := make(chan int, 1)
	s := &started{text: "ab"}
	s.start(done)
	check(t, "started", <-done, 0)
	check(t, "started", tokens(t, s.run()), want)
	to := make(chan *sent, 1)
	(&sent{text: "ab"}).send(to)
	check(t, "sent", tokens(t, (<-to).run()), want)
	check(t, "shared", len(theShared.run()), 3)
	check(t, "taken", tokens(t, (&taken{text: "ab"}).run()), "@0 @1")
	check(t, "dropping", tokens(t, (&dropping{text: "ab"}).run()), "ab@0")
	check(t, "chaining", tokens(t, (&chaining{text: "ab"}).run()), "@0 @1")
	check(t, "setAgain", tokens(t, (&setAgain{text: "ab"}).run()), "b@1")
	calls = 0
	check(t, "unread", panics(func() { (*unread)(nil).run(1) }), true)
	check(t, "unread", calls, 2)
	check(t, "noted", tokens(t, (&noted{text: "ab"}).run()), "ab@0 ab@1")
	check(t, "shadowing", tokens(t, (&shadowing{text: "ab"}).run()), want)
}

func TestTurns(t *testing.T) {
	l := &turning{base: 1}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() { l.addAll([]string{"a", "b", "c"}) })
	}
	group.Wait()
	if len(l.tokens) != 12 || len((&forked{text: "abc"}).run()) != 3 {
		t.Error(len(l.tokens))
	}
	seen := map[*Token]bool{}
	for _, tok := range l.tokens {
		seen[tok] = true
	}
	if len(seen) != 12 {
		t.Error("two are one")
	}
}
