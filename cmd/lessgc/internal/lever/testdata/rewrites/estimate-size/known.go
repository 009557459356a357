package estimatesize

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

type place struct{ line, column int }

type problem struct {
	names   map[string]string
	message string
	places  []place
	path    path
	seen    *problem
}

type path []element

type element interface{ isElement() }

type index int

func (index) isElement() {}

type name string

func (name) isElement() {}

func (p path) text() string {
	if p == nil {
		return ""
	}
	var b bytes.Buffer
	for i, e := range p {
		switch e := e.(type) {
		case index:
			fmt.Fprintf(&b, "[%d]", e)
		case name:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(string(e))
		default:
			panic(fmt.Sprintf("unknown type %T", e))
		}
	}
	return b.String()
}

func (p *problem) located() string {
	var b strings.Builder
	if p == nil {
		return ""
	}
	file := p.names["file"]
	if file == "" {
		file = "input"
	}
	b.WriteString(file)
	if len(p.places) > 0 {
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(p.places[0].line))
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(p.places[0].column))
	}
	b.WriteString(": ")
	if path := p.path.text(); path != "" {
		b.WriteString(path)
		b.WriteByte(' ')
	}
	b.WriteString(p.message) // rewritten: b.Grow(len(file)+len(p.message)+16)
	return b.String()
}

func heading(title string, n int) string {
	var b strings.Builder
	b.WriteString(title)
	b.WriteString(": ")
	b.WriteString(strconv.Itoa(n))
	if n > 1000 {
		fmt.Fprintf(&b, " (%d thousand)", n/1000)
	}
	b.WriteString(" of ")
	b.WriteString(title) // rewritten: b.Grow(len(title)+len(title)+16)
	return b.String()
}

func sureHeading(title string, of *problem) string {
	var b strings.Builder
	b.WriteString(title)
	of.seen = nil
	b.WriteString(" of ")
	b.WriteString(strings.ToUpper(title)) // rewritten: need
	return b.String()
}

func otherTitle(title string) string {
	var b strings.Builder
	b.WriteString(title)
	title = strings.TrimSpace(title)
	b.WriteString(" and ")
	b.WriteString(title) // rewritten: need
	return b.String()
}

func retitled(title string) string {
	var b strings.Builder
	trim := func() { title = strings.TrimSpace(title) }
	b.WriteString(title)
	trim()
	b.WriteString(" and ")
	b.WriteString(title) // rewritten: need
	return b.String()
}

func laterMessage(p *problem) string {
	var b strings.Builder
	b.WriteString("a problem: ")
	if p == nil {
		panic("no problem")
	}
	b.WriteString(p.message) // rewritten: need
	return b.String()
}

func (p *problem) clear() { p.message = p.message[:0] + "no message, since it was cleared" }

func cleared(p *problem) string {
	var b strings.Builder
	b.WriteString(p.message)
	p.clear()
	b.WriteString(" was: ")
	b.WriteString(p.message) // rewritten: need
	return b.String()
}

type teller interface{ tell() string }

type clearing struct{ p *problem }

func (c clearing) tell() string {
	c.p.clear()
	return "."
}

func told(p *problem, by teller) string {
	var b strings.Builder
	b.WriteString(p.message)
	if text := by.tell(); text != "" {
		b.WriteString(text)
	}
	b.WriteString(p.message) // rewritten: need
	return b.String()
}

type formatted struct{ p *problem }

func (f formatted) String() string {
	f.p.clear()
	return "."
}

func printedProblem(p *problem) string {
	var b strings.Builder
	b.WriteString(p.message)
	if p.seen != nil {
		fmt.Fprintf(&b, "%v", formatted{p})
	}
	b.WriteString(p.message) // rewritten: need
	return b.String()
}

func nestedMessage(p *problem) string {
	var b strings.Builder
	b.WriteString(p.message)
	b.WriteString(" of ")
	if p.seen == nil {
		panic("not seen")
	}
	b.WriteString(p.seen.message) // rewritten: need
	return b.String()
}

func returning(p *problem, short bool) string {
	var b strings.Builder
	b.WriteString(p.message)
	b.WriteByte('.')
	if short {
		return b.String()
	}
	b.WriteString(" and again: ")
	b.WriteString(p.message) // rewritten: need
	return b.String()
}

func inLoop(p *problem, n next) string {
	var b strings.Builder
	b.WriteString(p.message)
	for i, ok := n(); ok; i, ok = n() {
		b.WriteString(strconv.Itoa(i)) // rewritten: need
	}
	return b.String()
}

func afterBranch(p *problem, long bool) string {
	var b strings.Builder
	if long {
		b.WriteString("a long text, before anything else: ")
	}
	b.WriteString(p.message) // rewritten: need
	b.WriteString(strconv.Itoa(len(p.message)))
	b.WriteString(p.message)
	return b.String()
}

func shadowedLength(title string) string {
	len := func(s string) int { return -1 }
	var b strings.Builder
	b.WriteString(title)
	b.WriteString(strconv.Itoa(len(title)))
	b.WriteString(title) // rewritten: need
	return b.String()
}

func quotes(p *problem) string {
	buf := new(bytes.Buffer)
	buf.WriteByte('"')
	buf.WriteString(p.message)
	if p.seen != nil {
		fmt.Fprintf(buf, ", %d", len(p.places))
	}
	buf.WriteByte('"')
	buf.WriteString(p.message) // rewritten: buf.Grow(len(p.message)+len(p.message)+16)
	return buf.String()
}

func summed(p *problem) string {
	var b strings.Builder
	b.WriteString(p.message)
	if p.seen != nil {
		b.WriteByte('.')
	}
	b.WriteString(p.message + ", again") // rewritten: need
	return b.String()
}

func numberOf(p *problem) int {
	if p == nil {
		panic("no number")
	}
	return len(p.places)
}

func numberedProblem(p *problem) string {
	var b strings.Builder
	b.WriteString("a problem, number ")
	b.WriteString(strconv.Itoa(numberOf(p)))
	b.WriteString(p.message) // rewritten: need
	return b.String()
}

func pair(first, title string, of *problem) string {
	var b strings.Builder
	b.WriteString(first)
	if len(of.places) > 1 {
		fmt.Fprintf(&b, " (%d)", len(of.places))
	}
	b.WriteString(title) // rewritten: b.Grow(len(first)+len(title))
	return b.String()
}
