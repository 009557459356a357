// Package chunk makes tokens one by one.
package chunk

import "fmt"

// A Token is part of a text.
type Token struct {
	Text string
	Pos  int
	Next *Token
}

type lexer struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *lexer) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // rewritten
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

type blankLexer struct {
	left   int
	tokens []*Token
}

func (l *blankLexer) run() []*Token {
	for l.left > 0 {
		tok := new(Token) // rewritten
		if l.left--; l.left%2 == 0 {
			tok.Pos = l.left
		}
		l.tokens = append(l.tokens, tok)
	}
	return l.tokens
}

type Exported struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *Exported) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: other packages may compare and convert values
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

type shown struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *shown) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: an exported function returns it, and its caller may copy it
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

// Shown returns a lexer.
func Shown(text string) *shown { return &shown{text: text} }

type unkeyed struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *unkeyed) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: a literal has all fields in their order
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

func newUnkeyed(text string) *unkeyed { return &unkeyed{text, 0, nil} }

type printed struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *printed) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: fmt prints all fields
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

func (l *printed) report() string { return fmt.Sprintf("%+v", l) }

type copied struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *copied) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: a copy would hand out the same objects
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

func (l *copied) fork() *copied {
	other := *l
	other.tokens = nil
	return &other
}

type listed struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *listed) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: a slice that grows copies it
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

func newListed(texts ...string) (all []listed) {
	for _, text := range texts {
		all = append(all, listed{text: text})
	}
	return all
}

type inner struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *inner) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: it is inside of another type, which may be copied
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

type outer struct {
	inner
	name string
}

type twin struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *twin) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: another type has the same fields
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

type otherTwin twin

func (l *twin) other() *otherTwin { return (*otherTwin)(l) }

type started struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *started) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: a go statement has it
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

func (l *started) count(done chan int) { done <- len(l.tokens) }

func (l *started) start(done chan int) { go l.count(done) }

type sent struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *sent) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: it is sent to another goroutine
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

func (l *sent) send(to chan *sent) { to <- l }

type shared struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *shared) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: a variable of the package has it
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

var theShared = &shared{text: "abc"}

type taken struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *taken) run() []*Token {
	for l.pos < len(l.text) {
		if tok := (&Token{Pos: l.pos}); l.pos >= 0 { // refused: there is no place before the condition
			l.tokens = append(l.tokens, tok)
		}
		l.pos++
	}
	return l.tokens
}

type dropping struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *dropping) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: most objects are not collected, and one would keep many
		if l.pos%8 == 0 {
			l.tokens = append(l.tokens, tok)
		} else {
			dropped = tok
		}
		l.pos++
	}
	return l.tokens
}

var dropped *Token

type chaining struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *chaining) run() []*Token {
	var tok *Token
	for l.pos < len(l.text) {
		next := tok
		{
			tok := &Token{Pos: l.pos, Next: named(tok, next)} // refused: the value has another variable of the name
			l.tokens = append(l.tokens, tok)
		}
		l.pos++
	}
	return l.tokens
}

func named(tok, next *Token) *Token {
	if tok != next {
		return tok
	}
	return next
}

type setAgain struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *setAgain) run() []*Token {
	for l.pos < len(l.text) {
		if l.pos == 1 {
			l = &setAgain{text: l.text, pos: 1}
		}
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: the receiver is another one by then
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

type unread struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *unread) run(n int) []*Token {
	for i := range n {
		made(i)
		tok := &Token{Text: "x"} // refused: without a receiver it would panic before the call, and not after
		made(i)
		l.tokens = append(l.tokens, tok)
	}
	return l.tokens
}

var calls int

func made(int) { calls++ }

type noted struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *noted) run() []*Token {
	for l.pos < len(l.text) {
		tok := /* the next */ &Token{Text: l.text, Pos: l.pos} // refused: a comment would go
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

type shadowing struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *shadowing) run() []*Token {
	for l.pos < len(l.text) {
		make := func(n int) int { return n }
		made(make(0))
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: make is another function there
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

// Another system copies it.
type forked struct {
	text   string
	pos    int
	tokens []*Token
}

func (l *forked) run() []*Token {
	for l.pos < len(l.text) {
		tok := &Token{Text: l.text[l.pos:], Pos: l.pos} // refused: a copy of it would have the same chunk
		l.tokens = append(l.tokens, tok)
		l.pos++
	}
	return l.tokens
}

var turn = make(chan struct{}, 1)

// Goroutines share it, in turns.
type turning struct {
	base   int
	tokens []*Token
}

func (l *turning) add(text string) {
	tok := &Token{Text: text, Pos: l.base} // refused: it is made before the turn begins
	turn <- struct{}{}
	l.tokens = append(l.tokens, tok)
	<-turn
}

func (l *turning) addAll(words []string) {
	for _, w := range words {
		l.add(w)
	}
}
