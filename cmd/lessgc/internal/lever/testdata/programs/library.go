package programs

import (
	"bufio"
	"encoding/csv"
	"image"
	"image/png"
	"io"
	"reflect"
	"strings"
	"text/template"
)

func firstColumn(r io.Reader) int {
	n := 0
	rows := csv.NewReader(r)
	for {
		row, err := rows.Read() // want library-setting
		if err != nil {
			return n
		}
		n += len(row[0])
	}
}

// The records are kept.
func allRows(r io.Reader) (all [][]string) {
	rows := csv.NewReader(r)
	for {
		row, err := rows.Read() // no library-setting
		if err != nil {
			return all
		}
		all = append(all, row)
	}
}

// They are used again already.
func firstColumnReused(r io.Reader) int {
	n := 0
	rows := csv.NewReader(r)
	rows.ReuseRecord = true
	for {
		row, err := rows.Read() // no library-setting
		if err != nil {
			return n
		}
		n += len(row[0])
	}
}

func picture(w io.Writer, m image.Image) error {
	return png.Encode(w, m) // want library-setting
}

func keysLength(v reflect.Value) int {
	n := 0
	for _, k := range v.MapKeys() { // want library-setting
		n += k.Len()
	}
	return n
}

// All keys have to be there at once.
func keysOf(v reflect.Value) []reflect.Value {
	keys := v.MapKeys() // no library-setting
	return keys
}

func longest(text string) int {
	n := 0
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() { // want library-setting
		n = max(n, len(lines.Bytes()))
	}
	return n
}

// It reads from anything.
func longestOf(r io.Reader) int {
	n := 0
	lines := bufio.NewScanner(r)
	for lines.Scan() { // no library-setting
		n = max(n, len(lines.Bytes()))
	}
	return n
}

func greet(w io.Writer, name string) error {
	t := template.Must(template.New("greeting").Parse("Hello, {{.}}!")) // want library-setting
	return t.Execute(w, name)
}

// The text is the caller's.
func greetIn(w io.Writer, language, name string) error {
	t := template.Must(template.New("greeting").Parse(language)) // no library-setting
	return t.Execute(w, name)
}

// The template is kept.
func greeting() *template.Template {
	return template.Must(template.New("greeting").Parse("Hello, {{.}}!")) // no library-setting
}
