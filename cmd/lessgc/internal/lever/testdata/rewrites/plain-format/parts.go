package plainformat

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
)

func query(keys []string, values map[string][]string) string {
	buf := new(bytes.Buffer)
	for _, k := range keys {
		for _, v := range values[k] {
			if buf.Len() > 0 {
				buf.WriteRune('&')
			}
			buf.WriteString(fmt.Sprintf("%s=%s", k, url.QueryEscape(v+k))) // rewritten
		}
	}
	return buf.String()
}

func escapedPair(buf *bytes.Buffer, k, v string) {
	buf.WriteString(fmt.Sprintf("%s=%s", k, url.QueryEscape(v))) // rewritten
}

func numbers(buf *strings.Builder, n int, size uint8, share float64) {
	buf.WriteString(fmt.Sprintf("%d, %x: %.1f", n, size, share)) // rewritten
}

func toWriters(buf *bytes.Buffer, w *bufio.Writer, name color, r rune) {
	io.WriteString(buf, fmt.Sprintf("<%s%c>\n", name, r)) // rewritten
	_, _ = w.WriteString(fmt.Sprintf("<%s>%c", name, r))  // rewritten
	buf.Write([]byte(fmt.Sprintln(name, true)))           // rewritten
}

func firstMayPanic(buf *bytes.Buffer, names []string, i int) {
	buf.WriteString(fmt.Sprintf("%s=%d", names[i], i)) // rewritten
}

func ofField(t *tag, buf *bytes.Buffer) {
	buf.WriteString(fmt.Sprintf("%s=%s", t.name, t.name)) // rewritten
}

func inCases(buf *bytes.Buffer, v any) {
	switch x := v.(type) {
	case string:
		buf.WriteString(fmt.Sprintf("<%s>", x)) // rewritten
	case int:
		buf.WriteString(fmt.Sprintf("%d;", x))
	case []int:
		buf.WriteString(fmt.Sprintf("%d;%d", len(x), x[0]))
	case bool:
		buf.WriteString(fmt.Sprintf("%t" /* in words */, x))
	}
}

// The functions below keep the text.
type slots struct {
	all  [4]int
	name string
}

func lengthOnly(buf *bytes.Buffer, r *slots) {
	buf.WriteString(fmt.Sprintf("%d slots of %s", len(r.all), r.name)) // rewritten
}

func numbersOnly(buf *bytes.Buffer, r *slots) {
	for i := range r.all {
		buf.WriteString(fmt.Sprintf("%d=%s", i, r.name)) // rewritten
	}
}

func linted(buf *bytes.Buffer, k, v string) {
	//nolint:errcheck
	buf.WriteString(fmt.Sprintf("%s=%s", k, v)) // rewritten
}

var handedOn int

type counting struct{ w io.Writer }

func (c counting) Write(b []byte) (int, error) {
	handedOn += len(b)
	return c.w.Write(b)
}

func throughLibrary(w io.Writer, rows []string) {
	b := bufio.NewWriter(base64.NewEncoder(base64.StdEncoding, counting{w}))
	for _, r := range rows {
		b.WriteString(fmt.Sprintf("%s\t%d\n", r, handedOn)) // rewritten
	}
	b.Flush()
}

const rowFormat = "%s of " + string(os.PathSeparator)

func formatOfSystem(buf *bytes.Buffer, k string) {
	buf.WriteString(fmt.Sprintf(rowFormat+"%s", k, k)) // refused: the format is another one on other systems
}

func commentedOutside(buf *bytes.Buffer, k, v string) {
	buf.WriteString( /* both */ fmt.Sprintf("%s=%s", k, v)) // rewritten
}

func lateMayPanic(buf *bytes.Buffer, names []string, i int) {
	buf.WriteString(fmt.Sprintf("%d=%s", i, names[i])) // rewritten
}

func literalFirst(buf *bytes.Buffer, names []string, i int) {
	buf.WriteString(fmt.Sprintf("<%s", names[i])) // rewritten
}

func ofPointer(t *tag, buf *bytes.Buffer, name string) {
	buf.WriteString(fmt.Sprintf("%s=%s", name, t.name)) // rewritten
}

func seesBuffer(buf *bytes.Buffer, name string) {
	buf.WriteString(fmt.Sprintf("%s=%d", name, buf.Len())) // rewritten
}

func changesBuffer(buf *bytes.Buffer, name string) {
	reset := func() string { buf.Reset(); return "reset" }
	buf.WriteString(fmt.Sprintf("%s=%s", name, reset())) // rewritten
}

func repeated(buf *bytes.Buffer, name string, n int) {
	buf.WriteString(fmt.Sprintf("%s=%s", name, strings.Repeat(name, n))) // rewritten
}

func divided(buf *bytes.Buffer, name string, n int) {
	buf.WriteString(fmt.Sprintf("%s=%d", name, 100/n)) // rewritten
}

func many(buf *bytes.Buffer, a, b, c string) {
	buf.WriteString(fmt.Sprintf("%s, %s, %s.", a, b, c)) // rewritten
}

func lengthWanted(buf *bytes.Buffer, k, v string) int {
	n, _ := buf.WriteString(fmt.Sprintf("%s=%s", k, v)) // rewritten
	return n
}

func errorWanted(buf *bytes.Buffer, k, v string) error {
	_, err := buf.WriteString(fmt.Sprintf("%s=%s", k, v)) // rewritten
	return err
}

func writtenLater(buf *bytes.Buffer, k, v string) {
	defer buf.WriteString(fmt.Sprintf("%s=%s", k, v)) // rewritten
	buf.WriteByte(':')
}

func inCondition(buf *bytes.Buffer, k, v string) bool {
	if _, err := buf.WriteString(fmt.Sprintf("%s=%s", k, v)); err != nil { // rewritten
		return false
	}
	return true
}

func inPortions(k, v string) portioned {
	var all portioned
	w := bufio.NewWriterSize(&all, 16)
	w.WriteString(fmt.Sprintf("%s=%s", k, v)) // rewritten
	w.Flush()
	return all
}

func toInterface(w io.StringWriter, k, v string) {
	w.WriteString(fmt.Sprintf("%s=%s", k, v)) // rewritten
}

func toOwn(f *filler, k, v string) {
	f.WriteString(fmt.Sprintf("%s=%s", k, v)) // rewritten
}

func labelled(buf *bytes.Buffer, k, v string) {
again:
	buf.WriteString(fmt.Sprintf("%s=%s", k, v)) // rewritten
	if buf.Len() < 4 {
		goto again
	}
}

func oneString(buf *bytes.Buffer, k, v string) {
	strconv := "="
	buf.WriteString(fmt.Sprintf("%s%d%s", k, len(v), strconv)) // refused: strconv is a variable here
}

func boxedText(buf *bytes.Buffer, name string, l level) {
	buf.WriteString(fmt.Sprintf("%s=%v", name, l)) // refused: fmt catches the panic of a String
}

func commented(buf *bytes.Buffer, k, v string) {
	buf.WriteString(fmt.Sprintf("%s=%s" /* not escaped */, k, v)) // refused: a comment would go
}

func swapsBuffer(t *tag, name string) {
	t.b.WriteString(fmt.Sprintf("%s %s", name, t.next())) // rewritten
}
