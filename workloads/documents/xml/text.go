package xml

import (
	"strings"
	"unicode/utf8"
)

const cdata = "<![CDATA["

// begin, add and joined put a text together from parts of the input. A text of
// one part is that part: it is copied once, into the document. The parts of
// others meet in the scratch buffer.
func (p *parser) begin() {
	p.pending = ""
	p.scratch = p.scratch[:0]
}

func (p *parser) add(part string) {
	if part != "" {
		p.scratch = append(p.scratch, p.pending...)
		p.pending = part
	}
}

// joined returns the text. It is valid until begin.
func (p *parser) joined() string {
	if len(p.scratch) == 0 {
		return p.pending
	}
	p.scratch = append(p.scratch, p.pending...)
	p.pending = ""
	return view(p.scratch)
}

// text reads text, references and CDATA sections up to other markup.
func (p *parser) text() error {
	if p.depth == 0 {
		return p.outside()
	}
	p.begin()
	for {
		start := p.pos
		if err := p.scan(inText); err != nil {
			return err
		}
		p.add(p.src[start:p.pos])
		if p.pos == len(p.src) {
			break
		}
		if p.src[p.pos] == '<' && !strings.HasPrefix(p.src[p.pos:], cdata) {
			break
		}
		if err := p.special(); err != nil {
			return err
		}
	}
	if s := p.joined(); s != "" {
		p.leaf(Text, Name{}, p.mem.string(s))
	}
	return nil
}

// special adds what is not written as it is meant.
func (p *parser) special() error {
	switch p.src[p.pos] {
	case '\r':
		p.newline()
		p.add("\n")
		return nil
	case '&':
		return p.reference()
	}
	p.pos += len(cdata)
	return p.until("]]>", inCDATA)
}

// newline moves past a carriage return and the line feed that it may have.
func (p *parser) newline() {
	p.pos++
	if p.pos < len(p.src) && p.src[p.pos] == '\n' {
		p.pos++
	}
}

// until adds what comes before end and moves past end.
func (p *parser) until(end string, c *classes) error {
	start := p.pos
	for {
		if err := p.scan(c); err != nil {
			return err
		}
		rest := p.src[p.pos:]
		switch {
		case rest == "":
			return p.errorAt(p.pos, errEnd)
		case strings.HasPrefix(rest, end):
			p.add(p.src[start:p.pos])
			p.pos += len(end)
			return nil
		case rest[0] == '\r':
			p.add(p.src[start:p.pos])
			p.add("\n")
			p.newline()
			start = p.pos
		default:
			p.pos++
		}
	}
}

// outside reads what stands beside the root element: white space.
func (p *parser) outside() error {
	p.space()
	if p.pos < len(p.src) && (p.src[p.pos] != '<' || strings.HasPrefix(p.src[p.pos:], cdata)) {
		return p.errorAt(p.pos, errOutside)
	}
	return nil
}

// value returns an attribute's value. It is valid until begin.
func (p *parser) value() (string, error) {
	if p.pos == len(p.src) {
		return "", p.errorAt(p.pos, errEnd)
	}
	quote, c := p.src[p.pos], inDouble
	switch quote {
	case '"':
	case '\'':
		c = inSingle
	default:
		return "", p.errorAt(p.pos, errQuote)
	}
	p.pos++
	p.begin()
	for {
		start := p.pos
		if err := p.scan(c); err != nil {
			return "", err
		}
		p.add(p.src[start:p.pos])
		if p.pos == len(p.src) {
			return "", p.errorAt(p.pos, errEnd)
		}
		switch p.src[p.pos] {
		case quote:
			p.pos++
			return p.joined(), nil
		case '<':
			return "", p.errorAt(p.pos, errLess)
		case '&':
			if err := p.reference(); err != nil {
				return "", err
			}
		case '\r':
			p.newline()
			p.add(" ")
		default: // tab, line feed
			p.pos++
			p.add(" ")
		}
	}
}

// reference adds the character that an entity or a number stands for.
func (p *parser) reference() error {
	rest := p.src[p.pos:]
	n := strings.IndexByte(rest, ';')
	if n < 0 {
		return p.errorAt(p.pos, errReference)
	}
	name := rest[1:n]
	if strings.HasPrefix(name, "#") {
		return p.number(name[1:], n+1)
	}
	char := ""
	switch name {
	case "lt":
		char = "<"
	case "gt":
		char = ">"
	case "amp":
		char = "&"
	case "apos":
		char = "'"
	case "quot":
		char = "\""
	default:
		return p.errorAt(p.pos, errEntity)
	}
	p.add(char)
	p.pos += n + 1
	return nil
}

// number adds the character with the number that digits are, in decimal or
// after an x in hexadecimal, and moves n bytes.
func (p *parser) number(digits string, n int) error {
	base := rune(10)
	if strings.HasPrefix(digits, "x") {
		base, digits = 16, digits[1:]
	}
	if digits == "" {
		return p.errorAt(p.pos, errReference)
	}
	r := rune(0)
	for _, b := range []byte(digits) {
		d := digit(b)
		if d >= base {
			return p.errorAt(p.pos, errReference)
		}
		r = min(r*base+d, utf8.MaxRune+1)
	}
	if !isChar(r) {
		return p.errorAt(p.pos, errChar)
	}
	p.scratch = append(p.scratch, p.pending...)
	p.pending = ""
	p.scratch = utf8.AppendRune(p.scratch, r)
	p.pos += n
	return nil
}

// digit returns what b counts in hexadecimal, 16 if it is not a digit.
func digit(b byte) rune {
	switch {
	case '0' <= b && b <= '9':
		return rune(b - '0')
	case 'a' <= b && b <= 'f':
		return rune(b-'a') + 10
	case 'A' <= b && b <= 'F':
		return rune(b-'A') + 10
	}
	return 16
}
