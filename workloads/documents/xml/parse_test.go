package xml

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// dump writes a tree in a form of one line that shows all of it.
func dump(n *Node) string {
	var b strings.Builder
	write(&b, n)
	return b.String()
}

func write(b *strings.Builder, n *Node) {
	switch n.Kind {
	case Text:
		fmt.Fprintf(b, "%q", n.Data)
		return
	case Comment:
		fmt.Fprintf(b, "!%q", n.Data)
		return
	case ProcInst:
		fmt.Fprintf(b, "?%s %q", n.Name, n.Data)
		return
	}
	if n.Kind == Element {
		b.WriteString(n.Name.String())
		for _, a := range n.Attrs {
			fmt.Fprintf(b, " %s=%q", a.Name, a.Value)
		}
	}
	b.WriteString("(")
	for c := n.First; c != nil; c = c.Next {
		if c != n.First {
			b.WriteString(" ")
		}
		write(b, c)
	}
	b.WriteString(")")
}

func (n Name) String() string { return n.Prefix + "|" + n.Local }

// Documents of valid that encoding/xml reads in another way, or not: it leaves
// white space in attribute values as it is, and takes an instruction in a
// document type for a declaration.
const (
	spacesInValue = "<a b='1\t2\n3\r4\r\n5'/>"
	instInDoctype = "<!DOCTYPE a [<?p ]>?>]><a/>"
)

// valid are documents and their trees, as dump writes them.
var valid = []struct{ src, want string }{
	{"<a/>", "(|a())"},
	{"<a></a>", "(|a())"},
	{"<a >\n</a\t>", `(|a("\n"))`},
	{"\ufeff<a/>", "(|a())"},
	{"<?xml version='1.0'?><a/>", "(|a())"},
	{"<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\" ?>\r\n<a/>\n", "(|a())"},
	{"<a><b/><c><d/></c></a>", "(|a(|b() |c(|d())))"},
	{"<x:a y:b='1' b='2'/>", `(x|a y|b="1" |b="2"())`},
	{"<:a b:='1'/>", `(|:a |b:="1"())`},
	{"<\u00e9l\u00e9ment \u65e5\u672c-1.x='\u00fc'/>", "(|\u00e9l\u00e9ment |\u65e5\u672c-1.x=\"\u00fc\"())"},
	{"<a b = \"1'2\" c='3\"4'/>", `(|a |b="1'2" |c="3\"4"())`},
	{spacesInValue, `(|a |b="1 2 3 4 5"())`},
	{"<a b='&#9;&#xA;&#13;&lt;&amp;&gt;&apos;&quot;'/>", `(|a |b="\t\n\r<&>'\""())`},
	{"<a>1&lt;2&#x33;&#52;&#x1F600;</a>", "(|a(\"1<234\U0001F600\"))"},
	{"<a>&#000000000000000000000000000065;</a>", `(|a("A"))`},
	{"<a>1\r2\r\n3\n4&#13;\n</a>", `(|a("1\n2\n3\n4\r\n"))`},
	{"<a><![CDATA[<&]]]></a>", `(|a("<&]"))`},
	{"<a><![CDATA[]]></a>", "(|a())"},
	{"<a>1<![CDATA[2]]>3<![CDATA[]]]]><![CDATA[>]]>4</a>", `(|a("123]]>4"))`},
	{"<a>]] ></a>", `(|a("]] >"))`},
	{"<a>1<!-- - -->2</a>", `(|a("1" !" - " "2"))`},
	{"<!----><a/><!--\r\n\r-->", `(!"" |a() !"\n\n")`},
	{"<?p?><a><?p  x=1 ? ?></a><?xml-stylesheet a\r?>", `(?|p "" |a(?|p "x=1 ? ") ?|xml-stylesheet "a\n")`},
	{"<!DOCTYPE a><a/>", "(|a())"},
	{"<!DOCTYPE a SYSTEM \"]>'\" [<!ENTITY % e '<\">'> %e; <!-- ']> -->\r\n]\n><a/>", "(|a())"},
	{instInDoctype, "(|a())"},
	{"<a>" + strings.Repeat("x", 600) + "&amp;" + strings.Repeat("y", 600) + "</a>",
		fmt.Sprintf("(|a(%q))", strings.Repeat("x", 600)+"&"+strings.Repeat("y", 600))},
	{"<a" + many(40) + "/>", "(|a" + strings.ReplaceAll(strings.ReplaceAll(many(40), " ", " |"), "'", "\"") + "())"},
}

// many returns n attributes.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " n%d='%d'", i, i)
	}
	return b.String()
}

// invalid are inputs and what is wrong with them.
var invalid = []struct {
	src string
	SyntaxError
}{
	{"", SyntaxError{0, errNoRoot}},
	{" \n", SyntaxError{2, errNoRoot}},
	{"<!--a-->", SyntaxError{8, errNoRoot}},
	{"<", SyntaxError{0, errEnd}},
	{"<a", SyntaxError{2, errEnd}},
	{"<a ", SyntaxError{3, errEnd}},
	{"<a b", SyntaxError{4, errEnd}},
	{"<a b=", SyntaxError{5, errEnd}},
	{"<a b='", SyntaxError{6, errEnd}},
	{"<a>", SyntaxError{3, errNotClosed}},
	{"<a>1", SyntaxError{4, errNotClosed}},
	{"<a></", SyntaxError{5, errEnd}},
	{"<a></a", SyntaxError{6, errEnd}},
	{"<a><!--", SyntaxError{7, errEnd}},
	{"<a><!----", SyntaxError{9, errEnd}},
	{"<a><![CDATA[]]", SyntaxError{14, errEnd}},
	{"<?", SyntaxError{2, errEnd}},
	{"<?p", SyntaxError{3, errEnd}},
	{"<!DOCTYPE", SyntaxError{9, errEnd}},
	{"<!DOCTYPE a [ '", SyntaxError{15, errEnd}},
	{"a", SyntaxError{0, errOutside}},
	{"<a/>b", SyntaxError{4, errOutside}},
	{"<a/>&#32;", SyntaxError{4, errOutside}},
	{"<a/><![CDATA[ ]]>", SyntaxError{4, errOutside}},
	{" <?xml version='1.0'?><a/>", SyntaxError{1, errTarget}},
	{"<?XML version='1.0'?><a/>", SyntaxError{0, errTarget}},
	{"<?xml?><a/>", SyntaxError{0, errTarget}},
	{"<?xml ?><a/>", SyntaxError{0, errDeclaration}},
	{"<?xml version='1.1'?><a/>", SyntaxError{0, errDeclaration}},
	{"<?xml version='1.0'encoding='utf-8'?><a/>", SyntaxError{0, errDeclaration}},
	{"<?xml encoding='utf-8'?><a/>", SyntaxError{0, errDeclaration}},
	{"<?xml version='1.0' standalone='1'?><a/>", SyntaxError{0, errDeclaration}},
	{"<?xml version='1.0' encoding='latin1'?><a/>", SyntaxError{0, errEncoding}},
	{"<a/><b/>", SyntaxError{4, errRoots}},
	{"</a>", SyntaxError{0, errNotOpen}},
	{"<a></b>", SyntaxError{3, errMismatch}},
	{"<x:a></y:a>", SyntaxError{5, errMismatch}},
	{"<a></a b>", SyntaxError{7, errTag}},
	{"<a/ >", SyntaxError{2, errTag}},
	{"<a b='1'c='2'/>", SyntaxError{8, errSpace}},
	{"<a b='1' b='2'/>", SyntaxError{14, errTwice}},
	{"<a" + many(40) + " n7=''/>", SyntaxError{len("<a" + many(40) + " n7=''"), errTwice}},
	{"<a b/>", SyntaxError{4, errEquals}},
	{"<a b=1/>", SyntaxError{5, errQuote}},
	{"<a b='<'/>", SyntaxError{6, errLess}},
	{"< a/>", SyntaxError{1, errName}},
	{"<1/>", SyntaxError{1, errName}},
	{"<a:b:c/>", SyntaxError{1, errName}},
	{"<\u00d7/>", SyntaxError{1, errName}},
	{"<\u0300/>", SyntaxError{1, errName}},
	{"<a\xff/>", SyntaxError{2, errUTF8}},
	{"<a>\xff</a>", SyntaxError{3, errUTF8}},
	{"<a>\xed\xa0\x80</a>", SyntaxError{3, errUTF8}},
	{"<a b='\xc0\x80'/>", SyntaxError{6, errUTF8}},
	{"<!--\xff--><a/>", SyntaxError{4, errUTF8}},
	{"<a>1\x00</a>", SyntaxError{4, errChar}},
	{"<a>\ufffe</a>", SyntaxError{3, errChar}},
	{"<a>&#0;</a>", SyntaxError{3, errChar}},
	{"<a>&#xD800;</a>", SyntaxError{3, errChar}},
	{"<a>&#x110000;</a>", SyntaxError{3, errChar}},
	{"<a>&#99999999999999999999;</a>", SyntaxError{3, errChar}},
	{"<a>&</a>", SyntaxError{3, errReference}},
	{"<a>&#;</a>", SyntaxError{3, errReference}},
	{"<a>&#x;</a>", SyntaxError{3, errReference}},
	{"<a>&#X41;</a>", SyntaxError{3, errReference}},
	{"<a>&#4a;</a>", SyntaxError{3, errReference}},
	{"<a>&nbsp;</a>", SyntaxError{3, errEntity}},
	{"<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", SyntaxError{33, errEntity}},
	{"<a>]]></a>", SyntaxError{3, errBracket}},
	{"<!-- -- --><a/>", SyntaxError{0, errDashes}},
	{"<a><!----->", SyntaxError{3, errDashes}},
	{"<?p+?><a/>", SyntaxError{3, errSpace}},
	{"<!a><a/>", SyntaxError{0, errMarkup}},
	{"<a><!doctype a></a>", SyntaxError{3, errMarkup}},
	{"<!DOCTYPEa><a/>", SyntaxError{9, errSpace}},
	{"<!DOCTYPE a><!DOCTYPE a><a/>", SyntaxError{12, errDoctype}},
	{"<a><!DOCTYPE a></a>", SyntaxError{3, errDoctype}},
	{"<!DOCTYPE a ]><a/>", SyntaxError{12, errNotInDoctype}},
	{"<!DOCTYPE a <a>><a/>", SyntaxError{12, errNotInDoctype}},
	{nested(MaxDepth + 1), SyntaxError{3 * MaxDepth, errDepth}},
}

// nested returns a document of n elements, each in the one before.
func nested(n int) string {
	return strings.Repeat("<a>", n) + strings.Repeat("</a>", n)
}

// decode calls the parser with memory from the heap.
func decode(src string) (*Node, error) { return parse(src, memory{}) }

func TestValid(t *testing.T) {
	for _, c := range valid {
		doc, err := decode(c.src)
		if err != nil {
			t.Errorf("%.80q: %v", c.src, err)
			continue
		}
		if got := dump(doc); got != c.want {
			t.Errorf("%.80q:\n got %.200s\nwant %.200s", c.src, got, c.want)
		}
		if err := consistent(doc); err != nil {
			t.Errorf("%.80q: %v", c.src, err)
		}
	}
	if _, err := decode(nested(MaxDepth)); err != nil {
		t.Errorf("%d elements deep: %v", MaxDepth, err)
	}
}

func TestInvalid(t *testing.T) {
	said := map[string]bool{}
	for _, c := range invalid {
		_, err := decode(c.src)
		var got *SyntaxError
		if !errors.As(err, &got) {
			t.Errorf("%.80q: error %v, want a SyntaxError", c.src, err)
			continue
		}
		if *got != c.SyntaxError {
			t.Errorf("%.80q: error %v, want %v", c.src, got, &c.SyntaxError)
		}
		said[got.Msg] = true
	}
	for _, msg := range messages {
		if !said[msg] {
			t.Errorf("no input for the error %q", msg)
		}
	}
}

// messages are all that a SyntaxError says.
var messages = []string{
	errEnd, errUTF8, errChar, errName, errEquals, errQuote, errSpace, errLess, errTwice, errTag, errMismatch,
	errNotOpen, errNotClosed, errDepth, errRoots, errNoRoot, errOutside, errBracket, errDashes, errMarkup,
	errReference, errEntity, errTarget, errDeclaration, errEncoding, errDoctype, errNotInDoctype,
}

// TestTruncated checks that no prefix of a document panics or is accepted.
func TestTruncated(t *testing.T) {
	for _, c := range valid {
		end := strings.LastIndexByte(c.src, '>')
		if i := strings.LastIndex(c.src, "</"); i >= 0 {
			end = i
		}
		for i := range min(end, 200) {
			if doc, err := decode(c.src[:i]); err == nil && strings.Count(c.src[:i], "<a/>") == 0 {
				t.Errorf("%q: accepted as %s", c.src[:i], dump(doc))
			}
		}
	}
}

// consistent checks the links of a tree and what the comments of Node say.
func consistent(n *Node) error {
	var last *Node
	for c := n.First; c != nil; c = c.Next {
		if c.Parent != n {
			return fmt.Errorf("%s has a child with another parent", n.Name)
		}
		if c.Kind == Document || c.Kind == Text && (c.Data == "" || last != nil && last.Kind == Text) {
			return fmt.Errorf("%s has a child of kind %d that must not be there", n.Name, c.Kind)
		}
		if c.Kind != Element && (c.First != nil || c.Attrs != nil) {
			return fmt.Errorf("a child of %s of kind %d has children or attributes", n.Name, c.Kind)
		}
		if err := consistent(c); err != nil {
			return err
		}
		last = c
	}
	if n.Last != last || n.Kind != Document && n.Parent == nil {
		return fmt.Errorf("%s is linked wrongly", n.Name)
	}
	return nil
}

// equal compares two trees.
func equal(got, want *Node) error {
	if got.Kind != want.Kind || got.Name != want.Name || got.Data != want.Data || !slices.Equal(got.Attrs, want.Attrs) {
		return fmt.Errorf("%.200s is not %.200s", dump(got), dump(want))
	}
	g, w := got.First, want.First
	for ; g != nil && w != nil; g, w = g.Next, w.Next {
		if err := equal(g, w); err != nil {
			return err
		}
	}
	if g != nil || w != nil {
		return fmt.Errorf("children of %s: %.200s is not %.200s", got.Name, dump(got), dump(want))
	}
	return nil
}

// TestOneCopy checks that text goes into the tree without passing through the
// scratch buffer, unless it has parts that are written in another way.
func TestOneCopy(t *testing.T) {
	check := func(src string, copied bool) {
		t.Helper()
		p := &parser{src: src}
		p.node = p.mem.node()
		if _, err := p.document(); err != nil {
			t.Fatal(err)
		}
		if got := cap(p.scratch) > 0; got != copied {
			t.Errorf("%q: passes through the scratch buffer: %v, want %v", src, got, copied)
		}
	}
	check("<a b='c'>d<!-- e --><?f g?>\u00e9</a>", false)
	check("<a><![CDATA[<b>]]></a>", false)
	check("<a>&lt;</a>", false)
	check("<a>b&lt;</a>", true)
	check("<a b='c&lt;'/>", true)
	check("<a>b\r\nc</a>", true)
}
