package partly

import (
	"bytes"
	"fmt"
)

// A page has a pooled buffer until close.
type page struct {
	buf   *bytes.Buffer
	lines int
}

func newPage() *page { return &page{buf: buffers.Get().(*bytes.Buffer)} }

func (p *page) add(v any) {
	fmt.Fprintln(p.buf, v)
	p.lines++
}

func (p *page) text() string { return p.buf.String() }

func (p *page) close() {
	putBuffer(p.buf)
	p.buf = nil
}

func badPage(v any) string {
	p := newPage() // want "p.buf is never put back"
	p.add(v)
	return p.text()
}

func goodPage(v any) string {
	p := newPage()
	defer p.close()
	p.add(v)
	return p.text()
}

func badPageBuffer(v any) string {
	p := newPage() // want "p.buf is never put back"
	fmt.Fprint(p.buf, v)
	return p.buf.String()
}

func goodPageBuffer(v any) *bytes.Buffer {
	p := newPage()
	fmt.Fprint(p.buf, v)
	return p.buf
}

func goodPageReturned(v any) *page {
	p := newPage()
	p.add(v)
	return p
}

// goodPageGiven lets others close it.
func goodPageGiven(v any, done func(*page)) {
	p := newPage()
	p.add(v)
	done(p)
}

type lease struct {
	buf     *bytes.Buffer
	release func()
}

func newLease() *lease {
	b := buffers.Get().(*bytes.Buffer)
	return &lease{buf: b, release: func() { putBuffer(b) }}
}

func (l *lease) end() { putBuffer(l.buf) }

func goodLease(v any) string {
	l := newLease()
	defer l.release()
	fmt.Fprint(l.buf, v)
	return l.buf.String()
}

// badPageCaptured has the page in a variable that a function has captured, which releases nothing.
func badPageCaptured(values []any) string {
	p := newPage() // want "p.buf is never put back"
	add := func(v any) { p.add(v) }
	for _, v := range values {
		add(v)
	}
	return p.text()
}

func goodPageCaptured(values []any) string {
	p := newPage()
	defer func() { p.close() }()
	for _, v := range values {
		p.add(v)
	}
	return p.text()
}

// goodPageEarly defers before there is a page.
func goodPageEarly(v any) string {
	var p *page
	defer func() {
		if p != nil {
			p.close()
		}
	}()
	p = newPage()
	p.add(v)
	return p.text()
}

// goodPageLater leaves it to the caller when the page is closed.
func goodPageLater(v any) (string, func()) {
	p := newPage()
	p.add(v)
	return p.text(), func() { p.close() }
}
