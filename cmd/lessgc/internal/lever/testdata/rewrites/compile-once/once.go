// Package once makes regular expressions, replacers and tables for each call.
package once

import (
	"encoding/base64"
	"hash/crc32"
	"os"
	"regexp"
	"strings"
	"text/template"
)

func slug(s string) string {
	return regexp.MustCompile("[^a-z]+").ReplaceAllString(s, "-") // rewritten
}

// words counts words.
func words(all []string) (n int) {
	const word = `\w+`
	pattern := regexp.MustCompile(word) // rewritten
	for _, s := range all {
		n += len(pattern.FindAllString(s, -1))
	}
	return n
}

type page struct{ title string }

func (p *page) escaped() string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(p.title) // rewritten
}

func checksum(b []byte) uint32 {
	return crc32.Checksum(b, crc32.MakeTable(0xd5828281)) // rewritten
}

func hello(w *strings.Builder, name string) error {
	t := template.Must(template.New("hello").Parse("hello, {{.}}")) // rewritten
	return t.Execute(w, name)
}

func encoded(b []byte) string {
	return base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.").EncodeToString(b) // rewritten
}

// leftmost has the pattern of longest.
func leftmost(s string) string {
	return regexp.MustCompile("a+|a+b").FindString(s) // rewritten
}

func longest(s string) string {
	pattern := regexp.MustCompile("a+|a+b") // refused: Longest changes it
	pattern.Longest()
	return pattern.FindString(s)
}

var earlyName = nameOf(early{})

type namer interface{ name() string }

type early struct{}

func (early) name() string {
	return regexp.MustCompile("[0-9]+").ReplaceAllString("a1", "-") // refused: an initializer calls it by an interface, before there would be a pattern
}

func nameOf(n namer) string { return n.name() }

func posix(s string) (matched bool) {
	defer func() { _ = recover() }()
	return regexp.MustCompilePOSIX(`\d`).MatchString(s) // refused: POSIX has no such class, and only this call panics
}

func separated(s string) bool {
	return regexp.MustCompile("[" + string(os.PathSeparator) + "]").MatchString(s) // refused: it fails to compile on Windows
}

func broken(s string) (matched bool) {
	defer func() { _ = recover() }()
	return regexp.MustCompile("(").MatchString(s) // refused: it panics
}

func replaced(p *regexp.Regexp) *regexp.Regexp {
	other := regexp.MustCompile("x") // refused: it is changed
	if err := other.UnmarshalText([]byte(p.String())); err != nil {
		return nil
	}
	return other
}

func newPattern() *regexp.Regexp {
	return regexp.MustCompile("[a-z]") // refused: the caller may change it, and tells two of them apart
}

func newTable() *crc32.Table {
	table := crc32.MakeTable(0xd5828281) // refused: it is changed
	table[0] = 1
	return table
}

func checksums(b []byte, poly uint32) uint32 {
	return crc32.Checksum(b, crc32.MakeTable(poly)) // refused: the number is not constant
}

func greeting(w *strings.Builder, name string) error {
	t := template.Must(template.New("greeting").Parse("hello, {{.}}")) // refused: another template is added to it
	if _, err := t.New("other").Parse(name); err != nil {
		return err
	}
	return t.ExecuteTemplate(w, "other", name)
}

func unparsed(w *strings.Builder, name string) (err error) {
	defer func() { _ = recover() }()
	return template.Must(template.New("unparsed").Parse("hello, {{")).Execute(w, name) // refused: it panics
}

func shortAlphabet(b []byte) (text string) {
	defer func() { _ = recover() }()
	return base64.NewEncoding("ABC").EncodeToString(b) // refused: it panics
}

func odd(s string) (text string) {
	defer func() { _ = recover() }()
	return strings.NewReplacer("<", "&lt;", ">").Replace(s) // refused: it panics
}

var replacers []*strings.Replacer

func kept(s string) string {
	r := strings.NewReplacer("a", "b", "c", "d") // refused: it is kept, and its address compared
	replacers = append(replacers, r)
	return r.Replace(s)
}
