package html

import (
	"errors"
	"strings"

	"golang.org/x/net/html"
)

// Errors of [Append]. No tree of a parser has them but errVoid, for children
// that a void element has got since.
var (
	errVoid    = errors.New("html: void element with children")
	errType    = errors.New("html: node of a type that cannot be written")
	errDoctype = errors.New("html: document type with both kinds of quotes")
)

// Append appends the page that n is the root of, or part of one, to dst and
// returns the extended slice, as [html.Render] writes it. It does not allocate
// if dst is large enough. On an error it returns dst as it was.
func Append(dst []byte, n *html.Node) ([]byte, error) {
	r := renderer{b: dst}
	r.node(n)
	if r.err != nil {
		return dst, r.err
	}
	return r.b, nil
}

type renderer struct {
	b    []byte
	err  error
	full bool // a plaintext element has been written: nothing can follow
}

func (r *renderer) add(s string) { r.b = append(r.b, s...) }

func (r *renderer) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		r.escape(n.Data)
	case html.DocumentNode:
		r.children(n, false)
	case html.ElementNode:
		r.element(n)
	case html.CommentNode:
		r.add("<!--")
		r.comment(n.Data)
		r.add("-->")
	case html.DoctypeNode:
		r.doctype(n)
	case html.RawNode:
		r.add(n.Data)
	default:
		r.err = errType
	}
}

// children writes the children of n, text as it is if raw is set.
func (r *renderer) children(n *html.Node, raw bool) {
	for c := n.FirstChild; c != nil && r.err == nil && !r.full; c = c.NextSibling {
		if raw && c.Type == html.TextNode {
			r.add(c.Data)
		} else {
			r.node(c)
		}
	}
}

func (r *renderer) element(n *html.Node) {
	r.add("<")
	r.add(n.Data)
	for i := range n.Attr {
		r.attribute(&n.Attr[i])
	}
	if isVoid(n.Data) {
		if n.FirstChild != nil {
			r.err = errVoid
		}
		r.add("/>")
		return
	}
	r.add(">")
	if c := n.FirstChild; c != nil && c.Type == html.TextNode && strings.HasPrefix(c.Data, "\n") {
		// The parser skips the first line feed.
		switch n.Data {
		case "pre", "listing", "textarea":
			r.add("\n")
		}
	}
	raw := isRaw(n)
	r.children(n, raw)
	if raw && n.Data == "plaintext" {
		r.full = true
	}
	if r.err == nil && !r.full {
		r.add("</")
		r.add(n.Data)
		r.add(">")
	}
}

func (r *renderer) attribute(a *html.Attribute) {
	r.add(" ")
	if a.Namespace != "" {
		r.add(a.Namespace)
		r.add(":")
	}
	r.add(a.Key)
	r.add("=\"")
	r.escape(a.Val)
	r.add("\"")
}

// escape writes text.
func (r *renderer) escape(s string) {
	start := 0
	for i := range len(s) {
		e := escapes[s[i]]
		if e != "" {
			r.add(s[start:i])
			r.add(e)
			start = i + 1
		}
	}
	r.add(s[start:])
}

var escapes = [256]string{'&': "&amp;", '\'': "&#39;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\r': "&#13;"}

// comment writes what is in a comment. A > is only escaped where it would end
// the comment.
func (r *renderer) comment(s string) {
	start := 0
	for i := range len(s) {
		switch s[i] {
		case '&':
		case '>':
			if i > 0 && s[i-1] != '!' && s[i-1] != '-' {
				continue
			}
		default:
			continue
		}
		r.add(s[start:i])
		r.add(escapes[s[i]])
		start = i + 1
	}
	r.add(s[start:])
}

func (r *renderer) doctype(n *html.Node) {
	r.add("<!DOCTYPE ")
	r.escape(n.Data)
	public, system := "", ""
	for _, a := range n.Attr {
		switch a.Key {
		case "public":
			public = a.Val
		case "system":
			system = a.Val
		}
	}
	switch {
	case public != "":
		r.add(" PUBLIC ")
		r.quote(public)
		if system != "" {
			r.add(" ")
			r.quote(system)
		}
	case system != "":
		r.add(" SYSTEM ")
		r.quote(system)
	}
	r.add(">")
}

// quote writes s in the quotes that it does not contain.
func (r *renderer) quote(s string) {
	q := "\""
	if strings.Contains(s, q) {
		q = "'"
		if strings.Contains(s, q) {
			r.err = errDoctype
		}
	}
	r.add(q)
	for i, part := 0, ""; i < len(s); i += len(part) {
		if s[i] == '>' {
			part = ">"
			r.add("&gt;")
			continue
		}
		part = s[i:]
		if end := strings.IndexByte(part, '>'); end >= 0 {
			part = part[:end]
		}
		r.add(part)
	}
	r.add(q)
}

func isVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "keygen", "link", "meta", "param", "source",
		"track", "wbr":
		return true
	}
	return false
}

// isRaw reports whether text in n is not escaped. Inside svg and math it is,
// unless n is where these hold HTML.
func isRaw(n *html.Node) bool {
	if n.Namespace != "" {
		return false
	}
	switch n.Data {
	case "iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "xmp":
	default:
		return false
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Namespace != "" {
			return holdsHTML(p)
		}
	}
	return true
}

// holdsHTML reports whether n, an element of svg or math, holds HTML.
func holdsHTML(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.Namespace + " " + n.Data {
	case "svg desc", "svg foreignObject", "svg title":
		return true
	case "math annotation-xml":
		for _, a := range n.Attr {
			if a.Key == "encoding" && (strings.EqualFold(a.Val, "text/html") || strings.EqualFold(a.Val, "application/xhtml+xml")) {
				return true
			}
		}
	}
	return false
}
