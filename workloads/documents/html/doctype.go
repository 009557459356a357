package html

import (
	"strings"

	"golang.org/x/net/html"
)

// doctype returns the node of a document type and whether it makes the page
// one of quirks mode, in which a table stays inside a paragraph. The public
// identifiers of old that should do that too are not looked at.
func (p *parser) doctype(s string) (n *html.Node, quirks bool) {
	n = p.mem.node()
	n.Type = html.DoctypeNode
	name := s
	if end := strings.IndexAny(s, whitespace); end >= 0 {
		name = s[:end]
	}
	n.Data = p.mem.string(strings.ToLower(name))
	quirks = name != "html"
	s = trimSpace(s[len(name):])
	key := ""
	switch {
	case s == "":
		return n, quirks
	case len(s) < len("public"):
		return n, true
	case strings.EqualFold(s[:len("public")], "public"):
		key = "public"
	case strings.EqualFold(s[:len("system")], "system"):
		key = "system"
	default:
		return n, true
	}
	var ids [2]html.Attribute
	used := 0
	s = s[len(key):]
	for key != "" {
		id, rest, ok := quoted(trimSpace(s))
		if !ok {
			break
		}
		ids[used] = html.Attribute{Key: key, Val: p.mem.string(id)}
		used++
		s = rest
		if key == "public" {
			key = "system"
		} else {
			key = ""
		}
	}
	if used > 0 {
		n.Attr = p.mem.attributes(used)
		copy(n.Attr, ids[:])
	}
	return n, quirks || key != "" || s != ""
}

// quoted returns what is in the quotes that s begins with, and what follows.
func quoted(s string) (in, rest string, ok bool) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return "", s, false
	}
	in, rest, _ = strings.Cut(s[1:], s[:1])
	return in, rest, true
}
