package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// frames is for a frameset and for what follows it.
func (p *parser) frames() bool {
	switch p.tok.kind {
	case html.CommentToken:
		if p.mode == afterAfterFrameset {
			p.comment(p.doc)
		} else {
			p.comment(p.top())
		}
	case html.TextToken:
		p.textOfSpace()
	case html.StartTagToken:
		p.framesStart()
	case html.EndTagToken:
		p.framesEnd()
	}
	return true
}

// textOfSpace adds the white space of a text and nothing else.
func (p *parser) textOfSpace() {
	for s := p.tok.data; s != ""; {
		rest := trimSpace(s)
		p.text(s[:len(s)-len(rest)])
		i := strings.IndexAny(rest, whitespace)
		if i < 0 {
			return
		}
		s = rest[i:]
	}
}

func (p *parser) framesStart() {
	switch p.tok.atom {
	case atom.Html:
		p.inBody()
	case atom.Noframes:
		p.insertRaw()
	case atom.Frameset:
		if p.mode == inFrameset {
			p.insert()
		}
	case atom.Frame:
		if p.mode == inFrameset {
			p.void()
		}
	}
}

func (p *parser) framesEnd() {
	switch {
	case p.mode == inFrameset && p.tok.atom == atom.Frameset && p.at() != atom.Html:
		p.pop()
		if p.at() != atom.Frameset {
			p.mode = afterFrameset
		}
	case p.mode == afterFrameset && p.tok.atom == atom.Html:
		p.mode = afterAfterFrameset
	}
}
