package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A token is the current token. It is one value that is written again and
// again, and holds parts of the input, not copies.
type token struct {
	kind        html.TokenType
	atom        atom.Atom // of a tag, zero if it has no common name
	selfClosing bool
	stable      bool            // data is part of the input, or nobody writes to it
	name        string          // of a tag, in lower case
	data        string          // of text, a comment or a document type
	attrs       []span          // of a start tag
	keys        map[string]bool // of many attributes
	scratch     joiner          // decoded data
	lower       []byte          // name, if the input has it in upper case
}

// A span is an attribute in the input.
type span struct {
	key, val string
	end      int // its end in the input
}

// A tokenizer cuts the input into tokens, as the specification and
// golang.org/x/net/html do. It does not allocate but for what its scratch
// buffers need.
type tokenizer struct {
	src string
	pos int
	raw atom.Atom // the element whose text comes next, if it is raw
	tok token
}

// next reads the next token. At the end it is an ErrorToken.
func (z *tokenizer) next() {
	z.tok.data, z.tok.stable = "", true
	if raw := z.raw; raw != 0 {
		z.raw = 0
		if z.rawText(raw) {
			return
		}
	}
	start := z.pos
	i := start
	for {
		n := strings.IndexByte(z.src[i:], '<')
		if n < 0 || i+n+1 == len(z.src) {
			i = len(z.src)
			break
		}
		i += n
		if z.markup(i) {
			break
		}
		i++
	}
	if i > start {
		z.pos = i
		z.text(z.src[start:i], references)
		return
	}
	if i == len(z.src) {
		z.tok.kind = html.ErrorToken
		return
	}
	z.tag()
}

// markup reports whether the < at i begins something other than text.
func (z *tokenizer) markup(i int) bool {
	switch c := z.src[i+1]; c {
	case '/':
		return i+2 < len(z.src)
	case '!', '?':
		return true
	default:
		return isLetter(c)
	}
}

// text makes the token a text.
func (z *tokenizer) text(s string, how decoding) {
	z.tok.kind = html.TextToken
	z.decode(s, how)
}

func (z *tokenizer) decode(s string, how decoding) {
	z.tok.scratch.reset()
	decode(&z.tok.scratch, s, how)
	z.tok.stable = len(z.tok.scratch.buf) == 0
	z.tok.data = z.tok.scratch.text()
}

// comment makes the token a comment.
func (z *tokenizer) comment(s string) {
	z.tok.kind = html.CommentToken
	z.decode(s, references|replaceNUL)
}

// tag reads what begins with a < that markup accepts.
func (z *tokenizer) tag() {
	rest := z.src[z.pos:]
	switch c := rest[1]; {
	case c == '!':
		z.declaration(rest)
	case c == '?':
		z.bogus(1)
	case c != '/':
		z.startTag()
	case rest[2] == '>':
		z.pos += len("</>")
		z.comment("")
	case isLetter(rest[2]):
		z.endTag()
	default:
		z.bogus(2)
	}
}

// bogus makes a comment of what follows n bytes, up to a >.
func (z *tokenizer) bogus(n int) {
	z.comment(z.upTo(n, ">"))
}

// upTo moves past end and returns what is before, without the first n bytes.
// If there is no end, all of the input is before it.
func (z *tokenizer) upTo(n int, end string) string {
	rest := z.src[z.pos+n:]
	i := strings.Index(rest, end)
	if i < 0 {
		z.pos = len(z.src)
		return rest
	}
	z.pos += n + i + len(end)
	return rest[:i]
}

const doctype = "doctype"

// declaration reads what begins with <!.
func (z *tokenizer) declaration(rest string) {
	switch {
	case strings.HasPrefix(rest, "<!--"):
		z.realComment(rest)
	case len(rest) >= 2+len(doctype) && strings.EqualFold(rest[2:2+len(doctype)], doctype):
		n := 2 + len(doctype)
		for n < len(rest) && isSpace(rest[n]) {
			n++
		}
		z.tok.kind = html.DoctypeToken
		z.decode(z.upTo(n, ">"), references)
	default:
		z.bogus(2)
	}
}

// realComment reads a comment. It ends with -->, with --!>, or at once with
// one of <!--> and <!--->.
func (z *tokenizer) realComment(rest string) {
	body := rest[len("<!--"):]
	for i := range len(body) {
		if body[i] != '>' {
			continue
		}
		before := body[:i]
		end := -1
		switch {
		case before == "" || before == "-":
			end = 0
		case strings.HasSuffix(before, "--"):
			end = i - 2
		case strings.HasSuffix(before, "--!"):
			end = i - 3
		}
		if end >= 0 {
			z.pos += len("<!--") + i + 1
			z.comment(body[:end])
			return
		}
	}
	z.pos = len(z.src)
	z.comment(unfinished(body))
}

// unfinished removes what could have been the beginning of a comment's end.
func unfinished(body string) string {
	for _, end := range []string{"--!", "--", "-"} {
		if s, ok := strings.CutSuffix(body, end); ok {
			return s
		}
	}
	return body
}

func (z *tokenizer) endTag() {
	z.pos += len("</")
	z.tok.kind = html.EndTagToken
	z.tagName()
	z.attributes()
}

func (z *tokenizer) startTag() {
	z.pos += len("<")
	z.tok.kind = html.StartTagToken
	z.tagName()
	z.attributes()
	if z.tok.kind == html.ErrorToken {
		return
	}
	switch z.tok.atom {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript, atom.Plaintext,
		atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp:
		z.raw = z.tok.atom
	}
}

func (z *tokenizer) tagName() {
	start := z.pos
	for z.pos < len(z.src) && !endsName(z.src[z.pos]) {
		z.pos++
	}
	z.tok.name = lowered(z.src[start:z.pos], &z.tok.lower)
	z.tok.atom = lookup(z.tok.name)
}

// lookup is atom.Lookup for a string.
func lookup(name string) atom.Atom {
	var b [32]byte // longer than any atom
	return atom.Lookup(b[:copy(b[:], name)])
}

// lowered returns s in lower case and without NUL bytes, in buf if s is not so.
func lowered(s string, buf *[]byte) string {
	for i := range len(s) {
		if kinds[s[i]]&isChanged != 0 {
			return lower(s, buf)
		}
	}
	return s
}

func lower(s string, buf *[]byte) string {
	b := (*buf)[:0]
	for i := range len(s) {
		switch c := s[i]; {
		case isLetter(c):
			b = append(b, c|0x20)
		case c == 0:
			b = append(b, "\ufffd"...)
		default:
			b = append(b, c)
		}
	}
	*buf = b
	return view(b)
}

// attributes reads the rest of a tag. If the input ends in it, there is no tag.
func (z *tokenizer) attributes() {
	z.tok.attrs, z.tok.keys = z.tok.attrs[:0], nil
	z.tok.selfClosing = false
	for {
		z.space()
		if z.pos == len(z.src) {
			z.tok.kind = html.ErrorToken
			return
		}
		if z.src[z.pos] == '>' {
			z.tok.selfClosing = z.slash()
			z.pos++
			return
		}
		if a := z.attribute(); a.key != "" && z.tok.kind == html.StartTagToken && !z.has(a.key) {
			z.tok.attrs = append(z.tok.attrs, a)
		}
	}
}

// slash reports whether the tag that ends here has a / before its > that is no
// part of a value.
func (z *tokenizer) slash() bool {
	n := len(z.tok.attrs)
	return z.src[z.pos-1] == '/' && (n == 0 || z.tok.attrs[n-1].end != z.pos)
}

// manyAttrs is the largest number of attributes that are compared with one
// another. In a larger tag that would be slow, and a map finds two of the same
// name.
const manyAttrs = 32

// has reports whether the tag has an attribute with that key already. If not,
// the caller adds it.
func (z *tokenizer) has(key string) bool {
	if len(z.tok.attrs) >= manyAttrs {
		return z.hasAmongMany(key)
	}
	for _, a := range z.tok.attrs {
		if len(a.key) == len(key) && equalASCII(a.key, key) {
			return true
		}
	}
	return false
}

func (z *tokenizer) hasAmongMany(key string) bool {
	if z.tok.keys == nil {
		z.tok.keys = make(map[string]bool)
		for _, a := range z.tok.attrs {
			var own []byte
			z.tok.keys[lowered(a.key, &own)] = true
		}
	}
	var own []byte
	key = lowered(key, &own)
	found := z.tok.keys[key]
	z.tok.keys[key] = true
	return found
}

// equalASCII compares two strings of one length, letters of ASCII without case.
func equalASCII(a, b string) bool {
	for i := range len(a) {
		if a[i] != b[i] && (a[i]|0x20 != b[i]|0x20 || !isLetter(a[i])) {
			return false
		}
	}
	return true
}

// attribute reads a key and, if there is one, a value. The key is empty at a /
// between attributes.
func (z *tokenizer) attribute() span {
	start := z.pos
	for z.pos < len(z.src) && !endsKey(z.src[z.pos], z.pos == start) {
		z.pos++
	}
	a := span{key: z.src[start:z.pos], end: z.pos}
	z.space()
	if z.pos == len(z.src) {
		return a
	}
	switch z.src[z.pos] {
	case '/':
		z.pos++
	case '=':
		z.pos++
		z.space()
		if z.pos < len(z.src) && z.src[z.pos] != '>' {
			a.val = z.value()
			a.end = z.pos
		}
	}
	return a
}

// endsKey reports whether c ends a key. A = may begin one.
func endsKey(c byte, first bool) bool {
	return endsName(c) || c == '=' && !first
}

func (z *tokenizer) value() string {
	if quote := z.src[z.pos]; quote == '"' || quote == '\'' {
		return z.upTo(1, z.src[z.pos:z.pos+1])
	}
	start := z.pos
	for z.pos < len(z.src) && !isSpace(z.src[z.pos]) && z.src[z.pos] != '>' {
		z.pos++
	}
	return z.src[start:z.pos]
}

func (z *tokenizer) space() {
	for z.pos < len(z.src) && isSpace(z.src[z.pos]) {
		z.pos++
	}
}
