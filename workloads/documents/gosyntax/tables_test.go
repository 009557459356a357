package gosyntax

import (
	"errors"
	goscanner "go/scanner"
	"strings"
	"testing"
)

// accepted are sources that both parsers accept, each for a rule of its own.
var accepted = []string{
	"package p", "package p;", "package _", "\uFEFFpackage p", "package p // c", "package p /* c */", "package é世",
	// Declarations.
	"package p; import \"a\"; import (. \"b\"; _ `c`; d \"d\")", "package p; import (); const (); var (); type ()",
	"package p; const (a = iota; b; c, d int = 1, 2; e float64)", "package p; var a, b = 1, 2; var c []int",
	"package p; func f()", "package p; func (a, b T) f() {}", "package p; func () f() {}", "package p; func f() {};",
	// Types.
	"package p; type (A = B; C[P any] = D[P]; E [N]int; F [N * 2]int; G []int; H [...]int)",
	"package p; type T[P *C] int", "package p; type T[P *C,] int", "package p; type T[P *C|D] int", "package p; type T[P *C|D,] int",
	"package p; type T[P *[]int|D] int", "package p; type T[P (C)] int", "package p; type T[P (C),] int", "package p; type T[P ([]int)] int",
	"package p; type T[P interface{}, Q, R ~int|~string] int", "package p; type T[P []E, E any] int", "package p; type T[P, Q any] int",
	"package p; type T[P a.B[int]] int", "package p; type T[P * Q] int", "package p; type T[P ...int] int" + "; type U int",
	"package p; type T struct { a, b int `tag`; C; *D; e.F; *e.G; H[int]; I[int, string]; j [5]int; k []int; L[int,]; m.N[int] \"t\" }",
	"package p; type T interface { m(); n(a int) (b string); E; e.F; G[int]; H[int,]; ~int | ~string; *P; []int; interface{ x() } | int; e.K[int] | []string }",
	"package p; var f func(int, ...string) (a, b int)", "package p; var c chan<- chan int; var d <-chan <-chan int; var e chan (<-chan int)",
	"package p; var a = <-chan int(nil); var b = <-chan<- chan int(nil); var c = (<-chan int)(nil)",
	"package p; func f(a, b int, c ...string) (x, y int, err error) { return }", "package p; func f(int, []string, a.B, C[int], *D, ...E)",
	"package p; func f(a [5]int, b []int, c C[int], d D[int, string], e [N]a.B)", "package p; func f([5]int, []int, C[int], D[int,])",
	"package p; func f[T any, U interface{ ~int }](t T) U { return U(t) }", "package p; func f(a int,) (b int,) {return}",
	// Expressions.
	"package p; var a = -b + c*d<<2 &^ e || !f && ^g == <-h && *i != &j", "package p; var a = b[c] + d[1:] + e[:2] + f[1:2:3] + g[:2:3] + h[:]",
	"package p; var a = b.c.(d).e(f, g...)(h)(i...,)", "package p; var a = T{1, 2: 3, x: {y: z}, {4}, }", "package p; var a = []T[int]{}; var b = f[int](1); var c = f[int, string,](1)",
	"package p; var a = [...]string{0: \"a\", 'b': \"c\"}; var b = map[string][]int{\"x\": {1}}; var c = struct{a int}{1}",
	"package p; var a = func(b int) int { return b }(1); var c = func()(nil)", "package p; var a = (T)(b); var c = (((d)))", "package p; var a = x.(type)",
	"package p; var a = <-(<-chan int)(b) + <-<-chan int(c) + <-chan<- chan int(d)",
	"package p; var a = interface{}(b); var c = chan int(d); var e = [](int)(nil)", "package p; var a = ~b",
	// Literals.
	"package p; var a = 0 + 1_000 + 0x1F + 0X_f + 0b1_0 + 0B1 + 0o17 + 0O7 + 017 + 0_7", "package p; var a = 1. + .5 + 1e9 + 1E-9 + 08.5 + 0x1p-2 + 0x.8P+1 + 09e1",
	"package p; var a = 1i + 0x1i + 1.5i + 08i + 0b1i + 1_0e1_0i", "package p; var a = 'a' + '\\n' + '\\'' + '\\377' + '\\xFF' + '\\u1234' + '\\U0010FFFF' + '世' + '\"'",
	"package p; var a = \"a\\\"\\t\\000\\xff\\u00e9\" + `raw\n\"\\` + `with\r\ncr\r`", "package p; var a = \"\"; var b = ``",
	// Statements.
	"package p; func f() { ; ; {}; a: for { break a; continue a; goto a }; b: }", "package p; func f() { a++; b--; c <- d; e = <-f; g, h := i, j; k += 1; l &^= 2; m <<= 3 }",
	"package p; func f() { if a {} else if b := c; b {} else {} }", "package p; func f() { if ; a {}; if a := (T{}); a == (T{}) {} }",
	"package p; func f() { if a == [1]int{} {}; for range []int{} {}; switch (struct{}{}) {} }", "package p; func f() { if f(T{}) {}; if a[T{}.b] {}; if func() bool { return T{} == a }() {} }",
	"package p; func f() { for {}; for a {}; for ;; {}; for a := 0; a < 1; a++ {}; for ; a; {}; for a;; {} }",
	"package p; func f() { for range a {}; for b := range c {}; for d, e = range f {}; for range 10 {}; for i := range f(T{}) {} }",
	"package p; func f() { switch {}; switch a {case 1, 2: fallthrough; default:}; switch a := b; a {}; switch a := b; {}; switch ; a {}; switch ; {} }",
	"package p; func f() { switch a.(type) {case int, *T, []int: b(); default:}; switch a := b.(type) {}; switch a := b; c := a.(type) {} }",
	"package p; func f() { select {}; select {case a := <-b: case c, d = <-e: case <-f: g(); case h <- i: default:} }",
	"package p; func f() { go f(); defer func() {}(); return; return 1, f() }", "package p; func f() { const a = 1; var b int; type c = d; type e[P any] f }",
	"package p; func f() { a:; b: }", "package p; func f() { a := 1; a.b[c] = 2; *d = 3; (e) = 4; f() = 5 }",
	// Semicolons and comments.
	"package p\nfunc f() {\n\tx()\n\ty() /* a\n b */ z()\n}", "package p\n\n// doc\n\n// lead\nvar a int // line\n/* after */\n", "package p\nvar a /* x */ = /* y */ 1 // z\n// w\nvar b = 2",
	"package p\nconst (\n\t// lead\n\ta = 1 // trail\n\t/* l */ b = 2; /* t */ c = 3 /* u */ // v\n)", "package p\ntype T struct {\n\t// lead\n\ta int // trail\n\n\t// other\n\n\tb int\n}",
	"//go:build go1.20 && !go1.30\n\npackage p", "//go:build ignored\n//go:build go1.19\npackage p", "//go:build (\npackage p", "package p // a\r\n/* b\r\n *\r/ */ // c\r",
	"//line a.go:10\npackage p\n//line :20:5\nvar a int /*line b.go:3:1*/ ; var b int\n //line not:a directive\n//line none\n", "/*line /x/y.go:1*/package p\n/*line :7:7*/var a int",
	"package p\r\nvar a = 1\r\n", "package p; var a = b\n\n\n", "package p; type T interface{ m() ; }",
}

// rejected are sources that both reject. Where go/parser reports an error of
// its scanner behind the one of its parser, or the other way round, ours stops
// at the first.
var rejected = []struct {
	src          string
	line, column int
	msg          string
}{
	{"", 1, 1, "expected 'package'"},
	{"package", 1, 8, "expected 'IDENT'"},
	{"package p; ;", 1, 12, "expected declaration"},
	{"package p\nvar a = 1 2", 2, 11, "expected ';'"},
	{"package p; var a int; import \"b\"", 1, 23, "imports must appear"},
	{"package p; import 1", 1, 19, "expected import path"},
	{"package p; var a", 1, 17, "expected type"},
	{"package p; func f[]() {}", 1, 19, "empty type parameter list"},
	{"package p; var f func[T any]()", 1, 22, "must have no type parameters"},
	{"package p; type I interface{ m[T any]() }", 1, 31, "must have no type parameters"},
	{"package p; func f() \n{}", 2, 1, "expected declaration"},
	{"package p; func f(a, b int, c) {}", 1, 30, "missing parameter type"},
	{"package p; func f(a int, []b) {}", 1, 26, "missing parameter name"},
	{"package p; func f(a ...int, b int) {}", 1, 21, "final parameter"},
	{"package p; func f(a, b ...int) {}", 1, 24, "final parameter"},
	{"package p; func f() (a ...int) {}", 1, 24, "final parameter"},
	{"package p; func f[A]() {}", 1, 20, "missing type constraint"},
	{"package p; type T[P ...int|U] int", 1, 27, "missing ','"},
	{"package p; type T [a, b]int", 1, 24, "missing"},
	{"package p; type T struct { (a) }", 1, 28, "expected '}'"},
	{"package p; type T struct { *(a) }", 1, 29, "expected 'IDENT'"},
	{"package p; type T struct { a [1]int, b int }", 1, 36, "expected ';'"},
	{"package p; var a [1,]int", 1, 20, "unexpected comma"},
	{"package p; func f(a [1,]int) {}", 1, 23, "unexpected comma"},
	{"package p; func f() { a := }", 1, 28, "expected operand"},
	{"package p; func f() { if a := b {} }", 1, 26, "expected boolean expression"},
	{"package p; func f() { if {} }", 1, 26, "missing condition"},
	{"package p; func f() { if a\n{} }", 2, 1, "missing condition"},
	{"package p; func f() { if a = 1; {} }", 1, 33, "missing condition"},
	{"package p; func f() { if T{} == a {} }", 1, 30, "expected ';'"},
	{"package p; func f() { if a {} else b }", 1, 36, "if statement or block"},
	{"package p; func f() { for a, b, c := range d {} }", 1, 33, "at most 2"},
	{"package p; func f() { for a := 1 {} }", 1, 27, "range expression"},
	{"package p; func f() { switch a = b.(type) {} }", 1, 32, "expected ':='"},
	{"package p; func f() { switch a := 1 {} }", 1, 30, "switch expression"},
	{"package p; func f() { select { case a, b: } }", 1, 37, "expected 1 expression"},
	{"package p; func f() { select { case a, b, c = <-d: } }", 1, 37, "expected 1 or 2"},
	{"package p; func f() { go f }", 1, 26, "must be function call"},
	{"package p; func f() { defer (f()) }", 1, 29, "must be function call"},
	{"package p; func f() { 1: }", 1, 24, "illegal label"},
	{"package p; func f() { a, b }", 1, 23, "expected 1 expression"},
	{"package p; func f() { ~a }", 1, 23, "expected statement"},
	{"package p; var a = b[]", 1, 22, "expected operand"},
	{"package p; var a = b[1::3]", 1, 24, "middle index"},
	{"package p; var a = b[1:2:]", 1, 26, "final index"},
	{"package p; var a = (T){}", 1, 23, "cannot parenthesize"},
	{"package p; var a = b = c", 1, 22, "expected '=='"},
	{"package p; var a = f(1\n)", 1, 23, "missing ',' in argument list"},
	{"package p; var a = T{1\n}", 1, 23, "missing ',' in composite literal"},
	{"package p; var a = b.1", 1, 21, "expected ';'"},
	{"package p; var a = b.\"c\"", 1, 22, "selector"},
	{"package p; var a = <-<-chan int", 1, 22, "expected 'chan'"},
	{"package p; var a = <-chan<- int", 1, 26, "expected channel type"},
	{"package p; var a = <-chan<- <-chan int", 1, 29, "expected 'chan'"},
	{"package p; var a T[]", 1, 20, "type argument list"},
	{"package p; var a = 'ab'", 1, 20, "illegal rune literal"},
	{"package p; var a = ''", 1, 20, "illegal rune literal"},
	{"package p; var a = 'a\n'", 1, 20, "not terminated"},
	{"package p; var a = '\\\"'", 1, 22, "unknown escape"},
	{"package p; var a = \"a", 1, 20, "not terminated"},
	{"package p; var a = \"\\400\"", 1, 22, "not a Unicode code point"},
	{"package p; var a = \"\\ud800\"", 1, 22, "not a Unicode code point"},
	{"package p; var a = \"\\xg0\"", 1, 23, "illegal character"},
	{"package p; var a = `a\n", 1, 20, "not terminated"},
	{"package p; /* a\n", 1, 12, "not terminated"},
	{"package p; var a = 09", 1, 21, "invalid digit"},
	{"package p; var a = 0b12", 1, 23, "invalid digit"},
	{"package p; var a = 0x", 1, 22, "no digits"},
	{"package p; var a = 1e", 1, 22, "exponent has no digits"},
	{"package p; var a = 0x1.0", 1, 25, "'p' exponent"},
	{"package p; var a = 0x1e+f + 1p2", 1, 30, "hexadecimal mantissa"},
	{"package p; var a = 0b1e2", 1, 23, "decimal mantissa"},
	{"package p; var a = 0o1.5", 1, 23, "radix point"},
	{"package p; var a = 1__0", 1, 21, "separate"},
	{"package p; var a = 0e_1", 1, 22, "separate"},
	{"package p; var a = 1_", 1, 21, "separate"},
	{"package p; var a = b ? c : d", 1, 22, "illegal character U+003F"},
	{"package p; var a = “b”", 1, 20, "illegal character U+201C"},
	{"package p // \x00", 1, 14, "illegal character NUL"},
	{"package p; var a = \"b\xffc\"", 1, 22, "illegal UTF-8"},
	{"package p; var a = `\n\xff`", 2, 1, "illegal UTF-8"},
	{"package p\n\uFEFF", 2, 1, "illegal byte order mark"},
	{"\xff\xfep\x00", 1, 1, "illegal UTF-8"},
	{"//line a.go:0\npackage p", 1, 13, "invalid line number"},
	{"//line a.go:x\npackage p", 1, 13, "invalid line number"},
	{"//line a.go:1:0\npackage p", 1, 15, "invalid column number"},
	{"//line a.go:1*/\npackage p", 1, 13, "invalid line number"},
}

func TestAccepted(t *testing.T) {
	for _, s := range Strategies[1:] {
		for _, src := range accepted {
			check(t, s, src, []byte(src))
		}
	}
}

// TestRejected checks the place and the message of the first error, and that
// go/parser has one too.
func TestRejected(t *testing.T) {
	for _, x := range rejected {
		if _, _, err := reference([]byte(x.src)); err == nil {
			t.Errorf("%q: go/parser accepts it", x.src)
		}
		for _, s := range Strategies[1:] {
			var got *Error
			err := s.Do([]byte(x.src), func(*Tree) { t.Errorf("strategy=%s: %q: accepted", s.Name, x.src) })
			if !errors.As(err, &got) {
				t.Errorf("strategy=%s: %q: error %v, want an *Error", s.Name, x.src, err)
			} else if got.Line != x.line || got.Column != x.column || !strings.Contains(got.Msg, x.msg) {
				t.Errorf("strategy=%s: %q: %v, want %d:%d: ...%s...", s.Name, x.src, got, x.line, x.column, x.msg)
			}
		}
	}
}

// TestErrorOfGoParser pins what a caller gets from the reference.
func TestErrorOfGoParser(t *testing.T) {
	var list goscanner.ErrorList
	if err := Strategies[0].Do([]byte("package"), nil); !errors.As(err, &list) {
		t.Errorf("error %v, want a scanner.ErrorList", err)
	}
}

// TestGenericMethods checks that type parameters of methods are what they are
// in this release.
func TestGenericMethods(t *testing.T) {
	src := []byte("package p; func (t T) m[A, B any](a A) (b B) { return }")
	for _, s := range Strategies[1:] {
		check(t, s, "method", src)
		if err := s.Do(src, func(*Tree) {}); (err == nil) != genericMethods {
			t.Errorf("strategy=%s: error %v, accepted should be %v", s.Name, err, genericMethods)
		}
	}
}
