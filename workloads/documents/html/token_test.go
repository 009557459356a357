package html

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// tokens lists the tokens of src as our tokenizer makes them, text in one
// piece.
func tokens(src string) string {
	var l list
	p := &parser{tokenizer: tokenizer{src: src}}
	for {
		p.next()
		switch tok := &p.tok; tok.kind {
		case html.ErrorToken:
			return l.String()
		case html.StartTagToken:
			l.add("<%s", tok.name)
			if tok.selfClosing {
				l.add("/")
			}
			for _, a := range tok.attrs {
				l.add(" %q=%q", lowered(a.key, &p.keyBuf), p.value(a))
			}
			if tok.atom.String() != tok.name && tok.atom != 0 {
				l.add(" is %v", tok.atom)
			}
		case html.EndTagToken:
			l.add("</%s", tok.name)
		default:
			l.text(tok.kind, tok.data)
		}
	}
}

// wantTokens lists the tokens of golang.org/x/net/html.
func wantTokens(src string) string {
	var l list
	z := html.NewTokenizer(strings.NewReader(src))
	for {
		kind := z.Next()
		switch tok := z.Token(); kind {
		case html.ErrorToken:
			return l.String()
		case html.StartTagToken, html.SelfClosingTagToken:
			l.add("<%s", tok.Data)
			if kind == html.SelfClosingTagToken {
				l.add("/")
			}
			for _, a := range tok.Attr {
				l.add(" %q=%q", a.Key, a.Val)
			}
		case html.EndTagToken:
			l.add("</%s", tok.Data)
		default:
			l.text(kind, tok.Data)
		}
	}
}

// A list is a list of tokens.
type list struct {
	b     strings.Builder
	chars strings.Builder // of texts, one after the other
}

func (l *list) text(kind html.TokenType, s string) {
	if kind == html.TextToken {
		l.chars.WriteString(s)
		return
	}
	l.add("%v %q", kind, s)
}

func (l *list) add(format string, args ...any) {
	l.flush()
	fmt.Fprintf(&l.b, format, args...)
	l.b.WriteString("\n")
}

func (l *list) flush() {
	if l.chars.Len() > 0 {
		fmt.Fprintf(&l.b, "%q\n", l.chars.String())
		l.chars.Reset()
	}
}

func (l *list) String() string {
	l.flush()
	return l.b.String()
}

// TestTokens compares the tokens of all pages with those of the reference.
func TestTokens(t *testing.T) {
	for _, page := range corpus(t) {
		if got, want := tokens(string(page.src)), wantTokens(string(page.src)); got != want {
			t.Errorf("%s %.100q:\n%.1000s\nwant\n%.1000s", page.name, page.src, got, want)
		}
	}
	for _, src := range fragments {
		if got, want := tokens(src), wantTokens(src); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", src, got, want)
		}
	}
}

// fragments are inputs for the tokenizer, beside the corpus.
var fragments = []string{
	"", "<", "a<", "</", "a</", "</>", "</ x>", "<!", "<!>", "<!-", "<!->", "<?", "<?x", "<? y>z", "<1>",
	"<!---", "<!-->x", "<!--->x", "<!---->x", "<!----->x", "<!--a--!>x", "<!--a--!-->x", "<!--!>-->", "<!--a--!", "<!--a--", "<!--a-", "<!--a",
	"<!doctype", "<!doctypehtml>", "<!DocType  html  >", "<!doctype &amp;\x00>", "<!docty", "<![CDATA[x]]>",
	"<a", "<a b", "<a b=", "<a b='", "<a b='c", "<a b=c", "</a", "</a b=c>", "<A B=C>", "<a\x00 b\x00=c\x00>",
	"<a b=c b=d B=e>", "<a =b>", "<a ==b>", "<a b=>", "<a b= >", "<a/b>", "<a / b>", "<a b/>", "<a b=c/>", "<a b='c'/>", "<a b='/'>", "<a b=/>", "<a/ >", "<br/>", "<a b=c b=/>",
	"<a b = c d\n=\t'e\r\nf'>", "<a b='&lt;&lt&lt=&ltx&#60;&#x3C&notit;&notin;&semi;&fjlig;&nvlt;'>",
	"&lt;&lt&ltx&notit;&notin;&semi;&fjlig;&nvlt;&unknown;&;&&#;&#x;&#X41;&#65&#0;&#x80;&#x81;&#xD800;&#x110000;&#99999999999999999999;&#13;\r\n\r",
	"<title>&lt;</title><b>", "<title></b></TITLE >x", "<textarea>\n</textarea", "<style><!--</style>-->", "<xmp></xm></xmpx></xmp/>", "<plaintext></plaintext>", "<script/>x</script>y",
	"<script><!--<script></script>--></script>x", "<script><!--></script>x", "<script><!--<script >--></script>x", "<script><!--<scriptx></script>x", "<script><!-- < <script></script></script>x", "<script></scripty></SCRIPT>",
	"<noscript><b></noscript>", "<iframe>\x00</iframe>", "\x00",
}

// TestReferences compares every named character reference, in text and in an
// attribute, complete and not.
func TestReferences(t *testing.T) {
	dir, err := Testdata()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(dir, "html5lib-tests", "tokenizer", "namedEntities.test"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, ref := range regexp.MustCompile(`&[a-zA-Z0-9]+;?`).FindAll(file, -1) {
		ref, full := bytes.CutSuffix(ref, []byte(";"))
		seen[string(ref)] = seen[string(ref)] || full
	}
	if len(seen) < 2000 {
		t.Fatalf("only %d references in the corpus", len(seen))
	}
	var page strings.Builder
	for ref := range seen {
		for _, end := range []string{";", "", "x", "=", "x;", "&", "\r"} {
			fmt.Fprintf(&page, "%s%s<a b='%s%s'>", ref, end, ref, end)
		}
	}
	got := strings.Split(tokens(page.String()), "\n")
	want := strings.Split(wantTokens(page.String()), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d tokens, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %s, want %s", got[i], want[i])
		}
	}
}
