package programs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/template"
	"time"
)

type level int

func (l level) String() string { return [...]string{"low", "high"}[l&1] }

type hexadecimal int

func (h hexadecimal) Format(f fmt.State, verb rune) { io.WriteString(f, "0x") }

func label(name string, l level, share float64) string {
	return fmt.Sprintf("%s is %v at %.2f%%", name, l, share) // want plain-format
}

func numbered(name string, id uint16, f float32) string {
	text := fmt.Sprint(name, id, f) // want plain-format
	return text[1:]
}

func pairs(buf *bytes.Buffer, names []string) {
	buf.Reset()
	for i, name := range names {
		fmt.Fprintf(buf, "%s=%d;", name, i+1000) // want plain-format
	}
}

func lined(names []string) string {
	var b strings.Builder
	b.Grow(10000)
	for i, name := range names {
		fmt.Fprintln(&b, name, i) // want plain-format
	}
	return b.String()
}

// Its own method formats it.
func addressed(h hexadecimal) string {
	return fmt.Sprintf("at %d", h) // no plain-format
}

// Who writes it is not known, and has only one call then.
func toWriter(w io.Writer, name string) {
	fmt.Fprintf(w, "%s;", name) // no plain-format
}

// There are flags and widths.
func aligned(buf *bytes.Buffer, name string) {
	buf.Reset()
	fmt.Fprintf(buf, "%-10s|%05d", name, len(name)+1000) // no plain-format
}

// A pointer may be nil, and fmt says so.
func pointed(t *time.Time) string {
	return fmt.Sprintf("at %v", t) // no plain-format
}

// What is allocated are the words.
func fielded(w *bufio.Writer, text string) {
	fmt.Fprintf(w, "%d;", len(strings.Fields(text))&0x7f) // no plain-format
}

func header(b []byte) error {
	if len(b) < 4 {
		return errors.New("short header") // want sentinel-error
	}
	return nil
}

func trailer(b []byte) (n int, err error) {
	const text = "short trailer"
	if len(b) < 4 {
		err = fmt.Errorf(text) // want sentinel-error
		if err == io.EOF {
			return 0, nil
		}
	}
	return n, err
}

func otherTrailer(b []byte) error {
	return errors.New("short trailer") // want sentinel-error
}

// Each one is a mark of its own.
func stopped(walk func(func() error) error) bool {
	stop := errors.New("stop here, please") // no sentinel-error
	sink = stop
	err := walk(func() error { return stop })
	return err == stop
}

// It has an operand.
func unknown(name string) error {
	return fmt.Errorf("no %s", name) // no sentinel-error
}

// The text is not constant.
func textual(name string) error {
	return errors.New(name) // no sentinel-error
}

func slug(s string) string {
	return regexp.MustCompile("[^a-z]+").ReplaceAllString(s, "-") // want compile-once
}

func escaped(names []string) (n int) {
	r := strings.NewReplacer("<", "&lt;", ">", "&gt;", "long", "short") // want compile-once
	for _, name := range names {
		n += len(r.Replace(name)) // want compile-once
	}
	return n
}

func page(w io.Writer, name string) error {
	t := template.Must(template.New("page").Parse("hello, {{.}}")) // want compile-once
	return t.Execute(w, name)
}

// The pattern is the caller's.
func matches(pattern, s string) bool {
	return regexp.MustCompile(pattern).MatchString(s) // no compile-once
}

// The replacer depends on the name.
func without(name, s string) string {
	return strings.NewReplacer(name, "").Replace(s) // no compile-once
}

// The template is another each time.
func pageWith(w io.Writer, name string) error {
	t := template.Must(template.New("page").Parse("{{template \"name\"}}")) // no compile-once
	template.Must(t.New("name").Parse(name))
	return t.Execute(w, nil)
}

type patterns struct{ digits *regexp.Regexp }

// It is made with the first use.
func (p *patterns) init() {
	if p.digits == nil {
		p.digits = regexp.MustCompile("[0-9]+") // no compile-once
	}
}
