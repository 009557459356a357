package html

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A scope is a set of elements that hide those outside them.
type scope uint8

const (
	plainScope scope = iota
	listScope
	buttonScope
	tableScope
)

func (s scope) hides(a atom.Atom) bool {
	switch a {
	case atom.Html, atom.Table, atom.Template:
		return true
	case atom.Applet, atom.Caption, atom.Td, atom.Th, atom.Marquee, atom.Object, atom.Select:
		return s != tableScope
	case atom.Ol, atom.Ul:
		return s == listScope
	case atom.Button:
		return s == buttonScope
	}
	return false
}

// find returns the index of the innermost open element that is a, or -1 if
// there is none in scope.
func (p *parser) find(s scope, a atom.Atom) int {
	for i := len(p.open) - 1; i >= 0; i-- {
		b := p.open[i].DataAtom
		if b == a {
			return i
		}
		if s.hides(b) {
			return -1
		}
	}
	return -1
}

func (p *parser) has(s scope, a atom.Atom) bool { return p.find(s, a) >= 0 }

// close closes the innermost a in scope and all inside it. It reports whether
// there was one.
func (p *parser) close(s scope, a atom.Atom) bool {
	i := p.find(s, a)
	if i >= 0 {
		p.open = p.open[:i]
	}
	return i >= 0
}

// closeSection closes the innermost part of a table.
func (p *parser) closeSection() bool {
	for i := len(p.open) - 1; i >= 0; i-- {
		switch p.open[i].DataAtom {
		case atom.Tbody, atom.Thead, atom.Tfoot:
			p.open = p.open[:i]
			return true
		case atom.Html, atom.Table, atom.Template:
			return false
		}
	}
	return false
}

// closeCell closes the innermost cell of a table.
func (p *parser) closeCell() bool {
	for i := len(p.open) - 1; i >= 0; i-- {
		switch p.open[i].DataAtom {
		case atom.Td, atom.Th:
			p.open = p.open[:i]
			return true
		case atom.Html, atom.Table, atom.Template:
			return false
		}
	}
	return false
}

// closeHeading closes the innermost heading.
func (p *parser) closeHeading() {
	for i := len(p.open) - 1; i >= 0; i-- {
		a := p.open[i].DataAtom
		if isHeading(a) {
			p.open = p.open[:i]
			return
		}
		if plainScope.hides(a) {
			return
		}
	}
}

// closeTo closes what is inside the innermost of these elements, or of html.
func (p *parser) closeTo(atoms ...atom.Atom) {
	for i := len(p.open) - 1; i >= 0; i-- {
		a := p.open[i].DataAtom
		for _, b := range atoms {
			if a == b || a == atom.Html || a == atom.Template {
				p.open = p.open[:i+1]
				return
			}
		}
	}
}

// closeImplied closes the innermost elements as long as they need no end tag.
// It stops at except.
func (p *parser) closeImplied(except atom.Atom) {
	for len(p.open) > 0 {
		switch a := p.at(); a {
		case atom.Dd, atom.Dt, atom.Li, atom.Optgroup, atom.Option, atom.P, atom.Rb, atom.Rp, atom.Rt, atom.Rtc:
			if a == except {
				return
			}
			p.pop()
		default:
			return
		}
	}
}

// closeItem closes the list item, or the dt or dd, that a new one ends.
func (p *parser) closeItem(a, b atom.Atom) {
	for i := len(p.open) - 1; i >= 0; i-- {
		switch n := p.open[i]; n.DataAtom {
		case a, b:
			p.open = p.open[:i]
			return
		case atom.Address, atom.Div, atom.P:
		default:
			if isSpecial(n) {
				return
			}
		}
	}
}

// closeOther is for an end tag without a rule of its own.
func (p *parser) closeOther() {
	for i := len(p.open) - 1; i >= 0; i-- {
		n := p.open[i]
		if n.DataAtom == p.tok.atom && (n.DataAtom != 0 || n.Data == p.tok.name) {
			p.open = p.open[:i]
			return
		}
		if isSpecial(n) {
			return
		}
	}
}

// remove closes n alone.
func (p *parser) remove(n *html.Node) {
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.open[i] == n {
			p.open = append(p.open[:i], p.open[i+1:]...)
			return
		}
	}
}

func isHeading(a atom.Atom) bool {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// isSpecial reports whether an end tag of another element cannot close n.
func isSpecial(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Address, atom.Applet, atom.Area, atom.Article, atom.Aside, atom.Base, atom.Basefont, atom.Bgsound,
		atom.Blockquote, atom.Body, atom.Br, atom.Button, atom.Caption, atom.Center, atom.Col, atom.Colgroup, atom.Dd,
		atom.Details, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Embed, atom.Fieldset, atom.Figcaption, atom.Figure,
		atom.Footer, atom.Form, atom.Frame, atom.Frameset, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Head, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Iframe, atom.Img, atom.Input, atom.Keygen,
		atom.Li, atom.Link, atom.Listing, atom.Main, atom.Marquee, atom.Menu, atom.Meta, atom.Nav, atom.Noembed,
		atom.Noframes, atom.Noscript, atom.Object, atom.Ol, atom.P, atom.Param, atom.Plaintext, atom.Pre, atom.Script,
		atom.Section, atom.Select, atom.Source, atom.Style, atom.Summary, atom.Table, atom.Tbody, atom.Td,
		atom.Template, atom.Textarea, atom.Tfoot, atom.Th, atom.Thead, atom.Title, atom.Tr, atom.Track, atom.Ul,
		atom.Wbr, atom.Xmp:
		return true
	}
	return false
}
