package xml

import "strings"

func (p *parser) comment() error {
	start := p.pos
	p.pos += len("<!--")
	p.begin()
	if err := p.until("--", inComment); err != nil {
		return err
	}
	switch {
	case p.pos == len(p.src):
		return p.errorAt(p.pos, errEnd)
	case p.src[p.pos] != '>':
		return p.errorAt(start, errDashes)
	}
	p.pos++
	p.leaf(Comment, Name{}, p.mem.string(p.joined()))
	return nil
}

func (p *parser) instruction() error {
	start := p.pos
	p.pos += len("<?")
	target, err := p.word()
	if err != nil {
		return err
	}
	if strings.EqualFold(target, "xml") {
		return p.errorAt(start, errTarget)
	}
	end := p.pos
	p.space()
	if p.pos == end && !strings.HasPrefix(p.src[p.pos:], "?>") {
		return p.errorAt(p.pos, errSpace)
	}
	p.begin()
	if err := p.until("?>", inInst); err != nil {
		return err
	}
	p.leaf(ProcInst, Name{Local: p.mem.string(target)}, p.mem.string(p.joined()))
	return nil
}

// declaration reads a byte order mark and an XML declaration, if they are
// there.
func (p *parser) declaration() error {
	if strings.HasPrefix(p.src, "\ufeff") {
		p.pos = len("\ufeff")
	}
	rest := p.src[p.pos:]
	if len(rest) < len("<?xml ") || !strings.HasPrefix(rest, "<?xml") || !isSpace(rest[len("<?xml")]) {
		return nil
	}
	start := p.pos
	p.pos += len("<?xml")
	if version, ok := p.pseudo("version"); !ok || version != "1.0" {
		return p.errorAt(start, errDeclaration)
	}
	if encoding, ok := p.pseudo("encoding"); ok && !strings.EqualFold(encoding, "utf-8") {
		return p.errorAt(start, errEncoding)
	}
	if alone, ok := p.pseudo("standalone"); ok && alone != "yes" && alone != "no" {
		return p.errorAt(start, errDeclaration)
	}
	p.space()
	if !strings.HasPrefix(p.src[p.pos:], "?>") {
		return p.errorAt(start, errDeclaration)
	}
	p.pos += len("?>")
	return nil
}

// pseudo reads one attribute of the declaration if it is the next. It moves
// only if it finds it.
func (p *parser) pseudo(name string) (value string, ok bool) {
	start := p.pos
	p.space()
	if p.pos > start && strings.HasPrefix(p.src[p.pos:], name) {
		p.pos += len(name)
		if p.equals() == nil {
			if v, ok := p.quoted(); ok {
				return v, true
			}
		}
	}
	p.pos = start
	return "", false
}

// quoted moves past a quoted string without references.
func (p *parser) quoted() (string, bool) {
	rest := p.src[p.pos:]
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return "", false
	}
	n := strings.IndexByte(rest[1:], rest[0])
	if n < 0 {
		return "", false
	}
	p.pos += n + 2
	return rest[1 : n+1], true
}

// doctype moves past a document type. Of its inside, it knows what it needs to
// find the end: quotes, comments, instructions and the internal subset. No
// entity is declared by it.
func (p *parser) doctype() error {
	start := p.pos
	if p.typed || p.root {
		return p.errorAt(start, errDoctype)
	}
	p.typed = true
	p.pos += len("<!DOCTYPE")
	before := p.pos
	p.space()
	if p.pos == before {
		return p.errorAt(p.pos, errSpace)
	}
	if _, err := p.word(); err != nil {
		return err
	}
	for subset := false; ; {
		if err := p.scan(inDoctype); err != nil {
			return err
		}
		if p.pos == len(p.src) {
			return p.errorAt(p.pos, errEnd)
		}
		switch c := p.src[p.pos]; c {
		case '>':
			p.pos++
			if !subset {
				return nil
			}
		case '[', ']':
			if subset == (c == '[') {
				return p.errorAt(p.pos, errNotInDoctype)
			}
			subset = !subset
			p.pos++
		default:
			if err := p.passed(c, subset); err != nil {
				return err
			}
		}
	}
}

// passed moves past the c where the scan has stopped, and what belongs to it.
func (p *parser) passed(c byte, subset bool) error {
	switch {
	case c == '"':
		return p.skip(1, "\"", inDQuotes)
	case c == '\'':
		return p.skip(1, "'", inSQuotes)
	case c == '<' && !subset:
		return p.errorAt(p.pos, errNotInDoctype)
	case c == '<':
		return p.declared()
	}
	p.pos++ // a carriage return
	return nil
}

// declared moves past the beginning of a declaration in the internal subset,
// or all of a comment or instruction.
func (p *parser) declared() error {
	rest := p.src[p.pos:]
	switch {
	case strings.HasPrefix(rest, "<!--"):
		return p.skip(len("<!--"), "-->", inComment)
	case strings.HasPrefix(rest, "<?"):
		return p.skip(len("<?"), "?>", inInst)
	}
	p.pos++
	return nil
}

// skip moves past n bytes, what follows, and end.
func (p *parser) skip(n int, end string, c *classes) error {
	p.pos += n
	p.begin()
	return p.until(end, c)
}
