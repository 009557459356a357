package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func (p *parser) inBody() bool {
	switch p.tok.kind {
	case html.TextToken:
		p.bodyText()
	case html.StartTagToken:
		return p.bodyStart()
	case html.EndTagToken:
		return p.bodyEnd()
	case html.CommentToken:
		p.comment(p.top())
	}
	return true
}

func (p *parser) bodyText() {
	s := p.tok.data
	if n := p.top(); (n.DataAtom == atom.Pre || n.DataAtom == atom.Listing) && p.empty(n) {
		s = strings.TrimPrefix(s, "\n")
	}
	for s != "" {
		part, rest, _ := strings.Cut(s, "\x00")
		p.text(part)
		if p.framesetOK && trimSpace(part) != "" {
			p.framesetOK = false
		}
		s = rest
	}
}

// bodyStart is inBody for start tags.
func (p *parser) bodyStart() bool {
	switch p.tok.atom {
	case atom.Html:
		p.merge(p.open[0])
	case atom.Body:
		if len(p.open) >= 2 && p.open[1].DataAtom == atom.Body {
			p.framesetOK = false
			p.merge(p.open[1])
		}
	case atom.Frameset:
		p.replaceBody()
	case atom.Caption, atom.Col, atom.Colgroup, atom.Frame, atom.Head, atom.Tbody, atom.Td, atom.Tfoot, atom.Th,
		atom.Thead, atom.Tr:
		// They have no meaning here.
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Details, atom.Dialog, atom.Dir,
		atom.Div, atom.Dl, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup,
		atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.P, atom.Search, atom.Section, atom.Summary, atom.Ul,
		atom.Plaintext:
		p.close(buttonScope, atom.P)
		p.insert()
	case atom.Pre, atom.Listing:
		p.close(buttonScope, atom.P)
		p.insert()
		p.framesetOK = false
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.close(buttonScope, atom.P)
		if isHeading(p.at()) {
			p.pop()
		}
		p.insert()
	case atom.Li:
		p.startItem(atom.Li, atom.Li)
	case atom.Dd, atom.Dt:
		p.startItem(atom.Dd, atom.Dt)
	case atom.Table:
		if !p.quirks {
			p.close(buttonScope, atom.P)
		}
		p.insert()
		p.framesetOK = false
		p.mode = inTable
	case atom.Area, atom.Br, atom.Embed, atom.Img, atom.Keygen, atom.Wbr:
		p.void()
		p.framesetOK = false
	case atom.Param, atom.Source, atom.Track:
		p.void()
	case atom.Image:
		p.tok.atom = atom.Img
		return false
	case atom.Xmp:
		p.close(buttonScope, atom.P)
		p.framesetOK = false
		p.insertRaw()
	case atom.Textarea, atom.Iframe:
		p.framesetOK = false
		p.insertRaw()
	case atom.Noembed, atom.Noscript:
		p.insertRaw()
	case atom.Applet, atom.Marquee, atom.Object:
		p.insert()
		p.framesetOK = false
	default:
		p.startControl()
	}
	return true
}

// replaceBody is for a frameset, which may stand instead of an empty body.
func (p *parser) replaceBody() {
	if !p.framesetOK || len(p.open) < 2 || p.open[1].DataAtom != atom.Body {
		return
	}
	p.flush()
	detach(p.open[1])
	p.open = p.open[:1]
	p.insert()
	p.mode = inFrameset
}

func (p *parser) startItem(a, b atom.Atom) {
	p.framesetOK = false
	p.closeItem(a, b)
	p.close(buttonScope, atom.P)
	p.insert()
}

// startControl is bodyStart for forms, for ruby and for all that has no rule.
func (p *parser) startControl() {
	switch p.tok.atom {
	case atom.Form:
		if p.form == nil {
			p.close(buttonScope, atom.P)
			p.form = p.insert()
		}
	case atom.Button:
		if p.has(plainScope, atom.Button) {
			p.closeImplied(0)
			p.close(plainScope, atom.Button)
		}
		p.insert()
		p.framesetOK = false
	case atom.Input:
		p.close(plainScope, atom.Select)
		p.framesetOK = p.framesetOK && p.hidden()
		p.void()
	case atom.Select:
		if !p.close(plainScope, atom.Select) {
			p.insert()
			p.framesetOK = false
		}
	case atom.Option:
		p.startOption(atom.Optgroup)
	case atom.Optgroup:
		p.startOption(0)
	case atom.Hr:
		if p.has(buttonScope, atom.P) {
			p.closeImplied(atom.P)
			p.close(plainScope, atom.P)
		}
		if p.has(plainScope, atom.Select) {
			p.closeImplied(0)
		}
		p.void()
		p.framesetOK = false
	case atom.Rb, atom.Rtc:
		p.startRuby(0)
	case atom.Rp, atom.Rt:
		p.startRuby(atom.Rtc)
	default:
		if !p.metadata() {
			p.insert()
		}
	}
}

func (p *parser) startOption(except atom.Atom) {
	if p.has(plainScope, atom.Select) {
		p.closeImplied(except)
	} else if p.at() == atom.Option {
		p.pop()
	}
	p.insert()
}

func (p *parser) startRuby(except atom.Atom) {
	if p.has(plainScope, atom.Ruby) {
		p.closeImplied(except)
	}
	p.insert()
}

// hidden reports whether the tag has the attribute type="hidden".
func (p *parser) hidden() bool {
	for _, a := range p.tok.attrs {
		if lowered(a.key, &p.keyBuf) == "type" {
			return strings.EqualFold(p.value(a), "hidden")
		}
	}
	return false
}

// bodyEnd is inBody for end tags.
func (p *parser) bodyEnd() bool {
	switch p.tok.atom {
	case atom.Body:
		if p.has(plainScope, atom.Body) {
			p.mode = afterBody
		}
	case atom.Html:
		if p.has(plainScope, atom.Body) {
			p.mode = afterBody
			return false
		}
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Button, atom.Center, atom.Details, atom.Dialog,
		atom.Dir, atom.Div, atom.Dl, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup,
		atom.Listing, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Pre, atom.Search, atom.Section, atom.Select,
		atom.Summary, atom.Ul:
		if p.has(plainScope, p.tok.atom) {
			p.closeImplied(0)
			p.close(plainScope, p.tok.atom)
		}
	case atom.Form:
		p.endForm()
	case atom.P:
		if !p.close(buttonScope, atom.P) {
			p.imply(atom.P)
			p.pop()
		}
	case atom.Li:
		p.close(listScope, atom.Li)
	case atom.Dd, atom.Dt, atom.Applet, atom.Marquee, atom.Object:
		p.close(plainScope, p.tok.atom)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.closeHeading()
	case atom.Br:
		p.tok.kind, p.tok.attrs = html.StartTagToken, p.tok.attrs[:0]
		return false
	default:
		p.closeOther()
	}
	return true
}

// endForm closes the form, but not what was opened in it and is still open.
func (p *parser) endForm() {
	form := p.form
	p.form = nil
	i := p.find(plainScope, atom.Form)
	if form == nil || i < 0 || p.open[i] != form {
		return
	}
	p.closeImplied(0)
	p.remove(form)
}

// afterBody is for what follows the end of the body, or of html.
func (p *parser) afterBody() bool {
	last := p.mode == afterAfterBody
	switch p.tok.kind {
	case html.ErrorToken:
		return true
	case html.TextToken:
		if trimSpace(p.tok.data) == "" {
			return p.inBody()
		}
	case html.StartTagToken:
		if p.tok.atom == atom.Html {
			return p.inBody()
		}
	case html.EndTagToken:
		if p.tok.atom == atom.Html && !last {
			p.mode = afterAfterBody
			return true
		}
	case html.CommentToken:
		if last {
			p.comment(p.doc)
		} else {
			p.comment(p.open[0])
		}
		return true
	case html.DoctypeToken:
		if last {
			return true
		}
	}
	p.mode = inBody
	return false
}
