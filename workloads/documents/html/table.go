package html

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func (p *parser) inTable() bool {
	switch p.tok.kind {
	case html.StartTagToken:
		if done, ok := p.tableStart(); ok {
			return done
		}
	case html.EndTagToken:
		switch p.tok.atom {
		case atom.Table:
			if p.close(tableScope, atom.Table) {
				p.resetMode()
			}
			return true
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th,
			atom.Thead, atom.Tr:
			return true
		}
	case html.DoctypeToken:
		return true
	case html.TextToken:
		if trimSpace(p.tok.data) == "" {
			p.text(p.tok.data)
			return true
		}
	}
	return p.inBody()
}

// tableStart is inTable for start tags. If ok is false, the tag has no meaning
// in a table.
func (p *parser) tableStart() (done, ok bool) {
	switch p.tok.atom {
	case atom.Caption:
		p.closeTo(atom.Table)
		p.insert()
		p.mode = inCaption
	case atom.Colgroup:
		p.closeTo(atom.Table)
		p.insert()
		p.mode = inColumns
	case atom.Col:
		p.closeTo(atom.Table)
		p.imply(atom.Colgroup)
		p.mode = inColumns
		return false, true
	case atom.Tbody, atom.Tfoot, atom.Thead:
		p.closeTo(atom.Table)
		p.insert()
		p.mode = inTableBody
	case atom.Td, atom.Th, atom.Tr:
		p.closeTo(atom.Table)
		p.imply(atom.Tbody)
		p.mode = inTableBody
		return false, true
	case atom.Table:
		if p.close(tableScope, atom.Table) {
			p.resetMode()
			return false, true
		}
	case atom.Style, atom.Script:
		p.insertRaw()
	case atom.Input:
		if !p.hidden() {
			return false, false
		}
		p.void()
	case atom.Form:
		if p.form == nil {
			p.form = p.insert()
			p.pop()
		}
	default:
		return false, false
	}
	return true, true
}

// resetMode finds the mode for the innermost open element, after a table has
// been closed.
func (p *parser) resetMode() {
	for i := len(p.open) - 1; i >= 0; i-- {
		switch p.open[i].DataAtom {
		case atom.Td, atom.Th:
			p.mode = inCell
		case atom.Tr:
			p.mode = inRow
		case atom.Tbody, atom.Thead, atom.Tfoot:
			p.mode = inTableBody
		case atom.Caption:
			p.mode = inCaption
		case atom.Colgroup:
			p.mode = inColumns
		case atom.Table:
			p.mode = inTable
		case atom.Frameset:
			p.mode = inFrameset
		case atom.Body, atom.Html:
			p.mode = inBody
		default:
			continue
		}
		return
	}
}

func (p *parser) inCaption() bool {
	switch p.tok.kind {
	case html.StartTagToken:
		switch p.tok.atom {
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Thead, atom.Tr:
			return p.endCaption()
		}
	case html.EndTagToken:
		switch p.tok.atom {
		case atom.Caption:
			p.endCaption()
			return true
		case atom.Table:
			return p.endCaption()
		case atom.Body, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead,
			atom.Tr:
			return true
		}
	}
	return p.inBody()
}

// endCaption reports whether there is no caption to end.
func (p *parser) endCaption() bool {
	if !p.close(tableScope, atom.Caption) {
		return true
	}
	p.mode = inTable
	return false
}

func (p *parser) inColumns() bool {
	switch p.tok.kind {
	case html.TextToken:
		if p.takeSpace() {
			return true
		}
	case html.CommentToken:
		p.comment(p.top())
		return true
	case html.DoctypeToken, html.ErrorToken:
		return true
	case html.StartTagToken:
		switch p.tok.atom {
		case atom.Html:
			return p.inBody()
		case atom.Col:
			p.void()
			return true
		}
	case html.EndTagToken:
		switch p.tok.atom {
		case atom.Colgroup:
			if p.at() == atom.Colgroup {
				p.pop()
				p.mode = inTable
			}
			return true
		case atom.Col:
			return true
		}
	}
	if p.at() != atom.Colgroup {
		return true
	}
	p.pop()
	p.mode = inTable
	return false
}

func (p *parser) inTableBody() bool {
	switch p.tok.kind {
	case html.StartTagToken:
		switch p.tok.atom {
		case atom.Tr:
			p.closeTo(atom.Tbody, atom.Tfoot, atom.Thead)
			p.insert()
			p.mode = inRow
			return true
		case atom.Td, atom.Th:
			p.closeTo(atom.Tbody, atom.Tfoot, atom.Thead)
			p.imply(atom.Tr)
			p.mode = inRow
			return false
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
			return p.endSection()
		}
	case html.EndTagToken:
		switch p.tok.atom {
		case atom.Tbody, atom.Tfoot, atom.Thead:
			if p.has(tableScope, p.tok.atom) {
				p.closeTo(atom.Tbody, atom.Tfoot, atom.Thead)
				p.pop()
				p.mode = inTable
			}
			return true
		case atom.Table:
			return p.endSection()
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th, atom.Tr:
			return true
		}
	}
	return p.inTable()
}

// endSection reports whether there is no section to end.
func (p *parser) endSection() bool {
	if !p.closeSection() {
		return true
	}
	p.mode = inTable
	return false
}

func (p *parser) inRow() bool {
	switch p.tok.kind {
	case html.StartTagToken:
		switch p.tok.atom {
		case atom.Td, atom.Th:
			p.closeTo(atom.Tr)
			p.insert()
			p.mode = inCell
			return true
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			return p.endRow()
		}
	case html.EndTagToken:
		switch p.tok.atom {
		case atom.Tr:
			p.endRow()
			return true
		case atom.Table:
			return p.endRow()
		case atom.Tbody, atom.Tfoot, atom.Thead:
			return !p.has(tableScope, p.tok.atom) || p.endRow()
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Td, atom.Th:
			return true
		}
	}
	return p.inTable()
}

// endRow reports whether there is no row to end.
func (p *parser) endRow() bool {
	if !p.has(tableScope, atom.Tr) {
		return true
	}
	p.closeTo(atom.Tr)
	p.pop()
	p.mode = inTableBody
	return false
}

func (p *parser) inCell() bool {
	switch p.tok.kind {
	case html.StartTagToken:
		switch p.tok.atom {
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			if !p.closeCell() {
				return true
			}
			p.mode = inRow
			return false
		}
	case html.EndTagToken:
		switch p.tok.atom {
		case atom.Td, atom.Th:
			if p.close(tableScope, p.tok.atom) {
				p.mode = inRow
			}
			return true
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html:
			return true
		case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			if !p.has(tableScope, p.tok.atom) {
				return true
			}
			p.closeCell()
			p.mode = inRow
			return false
		}
	}
	return p.inBody()
}
