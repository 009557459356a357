package gosyntax

import (
	"go/ast"
	"go/build/constraint"
	"go/token"
	"strings"
)

// scanComment reads a comment whose / has been read. The newline behind a //
// is not part of it.
func (s *scanner) scanComment(block bool) {
	if !block {
		n := strings.IndexByte(s.src[s.off:], '\n')
		if n < 0 {
			n = len(s.src) - s.off
		}
		s.off += n
		s.comment(s.off + 1)
		return
	}
	n := strings.Index(s.src[s.off+1:], "*/")
	if n < 0 {
		s.unterminated("comment")
	}
	end := s.off + 1 + n + len("*/")
	if first := strings.IndexByte(s.src[s.off:end], '\n'); first >= 0 {
		if s.semi {
			s.nl, s.nlLine, s.semi = s.off+first, s.line, false
		}
		s.newlines(end)
	}
	s.off = end
	s.comment(end)
}

// comment ends a comment at the current offset. What a line directive says
// holds from next on.
func (s *scanner) comment(next int) {
	s.tok, s.lit = token.COMMENT, s.src[s.pos:s.off]
	block := s.lit[1] == '*'
	if !block {
		s.lit = strings.TrimSuffix(s.lit, "\r")
	}
	if (block || s.pos == s.lines[s.line-1]) && strings.HasPrefix(s.lit[2:], "line ") {
		s.directive(s.lit, next)
	}
	if strings.IndexByte(s.lit, '\r') >= 0 {
		s.lit = s.withoutCR(s.lit, block)
	}
}

// next reads the next token that is not a comment. Comments in front of it go to
// the list of the file, and lead and trail are set to those that belong to the
// declaration that begins or has just ended.
func (p *parser) next() {
	p.lead, p.trail = nil, nil
	before := p.line
	p.scan()
	if p.tok == token.COMMENT {
		p.comments(before)
	}
	p.top = false
}

func (p *parser) comments(before int) {
	var group *ast.CommentGroup
	last := -1 // line of the end of group
	if p.line == before {
		group, last = p.group(0)
		if p.line != last || p.tok == token.SEMICOLON || p.tok == token.EOF {
			p.trail = group
		}
		last = -1
	}
	for p.tok == token.COMMENT {
		group, last = p.group(1)
	}
	if p.line == last+1 {
		p.lead = group
	}
}

// group reads comments with less than gap empty lines between them, and returns
// the line on which they end.
func (p *parser) group(gap int) (g *ast.CommentGroup, last int) {
	from, last := len(p.texts), p.line
	for p.tok == token.COMMENT && p.line <= last+gap {
		c := alloc(&p.mem, p.mem.comment)
		c.Slash, c.Text = p.at(p.pos), p.lit
		p.texts = append(p.texts, c)
		last = p.line
		if p.lit[1] == '*' {
			last += strings.Count(p.lit, "\n")
		}
		if p.top {
			p.goVersion()
		}
		p.scan()
	}
	g = alloc(&p.mem, p.mem.commentGroup)
	g.List = take(&p.mem, p.mem.comments, &p.texts, from)
	p.groups = append(p.groups, g)
	return g, last
}

// goVersion notes the release that a build constraint in front of the package
// clause asks for. A line that is not a build constraint is a comment.
func (p *parser) goVersion() {
	if !strings.HasPrefix(p.lit, "//go:build") {
		return
	}
	if x, err := constraint.Parse(p.lit); err == nil {
		p.file.GoVersion = constraint.GoVersion(x)
	}
}
