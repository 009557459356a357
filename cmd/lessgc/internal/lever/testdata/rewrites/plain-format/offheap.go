package plainformat

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

func listedOff(names []string, c rune) string {
	var b strings.Builder // rewritten
	b.Grow(64)
	for i, n := range names {
		fmt.Fprintf(&b, "%d: %s%c", i, n, c)
	}
	fmt.Fprintln(&b, "in all", b.Len())
	return b.String()
}

func pointedOff(name string, n int) int {
	// rewritten
	b := new(bytes.Buffer)
	fmt.Fprint(b, name, n)
	return b.Len()
}

func oneWide(name string, n int) string {
	var b strings.Builder // refused: one of the calls of fmt stays
	fmt.Fprintf(&b, "%s=", name)
	fmt.Fprintf(&b, "%3d", n)
	return b.String()
}

func oneCounted(name string) (string, int) {
	var b strings.Builder // refused: the number of bytes is wanted
	n, _ := fmt.Fprintf(&b, "%s=", name)
	return b.String(), n
}

func alsoGiven(name string) string {
	var b strings.Builder // refused: io gets it, too
	fmt.Fprintf(&b, "%s=", name)
	io.WriteString(&b, name)
	return b.String()
}

func alsoHanded(name string) string {
	var b bytes.Buffer // refused: another function gets it, too
	fmt.Fprintf(&b, "%s=", name)
	line(&b, name, 1)
	return b.String()
}

func alsoCaptured(name string) string {
	var b strings.Builder // refused: a function literal has it, too
	fmt.Fprintf(&b, "%s=", name)
	add := func() { b.WriteString(name) }
	add()
	return b.String()
}

func alsoReturned(name string) *bytes.Buffer {
	var b bytes.Buffer // refused: it is returned, too
	fmt.Fprintf(&b, "%s=", name)
	return &b
}

func alsoPrinted(name string) string {
	var b strings.Builder // refused: it is an operand, too
	fmt.Fprintf(&b, "%s=", name)
	return fmt.Sprint(&b)
}

func alsoJoined(name string, other io.Writer) {
	var b strings.Builder // refused: the writer may be another one
	w := other
	if name != "" {
		w = &b
	}
	fmt.Fprintf(w, "%s=", name)
}
