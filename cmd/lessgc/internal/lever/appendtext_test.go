package lever

import (
	"strings"
	"testing"
)

// TestAppendText checks what takes the place of a text that is only written, for a version of Go, and which other calls of its form change along.
func TestAppendText(t *testing.T) {
	const head = "package m\n\nimport (\n\t\"bufio\"\n\t\"bytes\"\n\t\"fmt\"\n\t\"strconv\"\n\t\"strings\"\n)\n\nvar _ bytes.Buffer\nvar _ bufio.Writer\nvar _, _ = fmt.Sprint, strconv.Itoa\nvar _ strings.Builder\n\n"
	const moment = "type point struct{ at int64 }\n\nfunc (p *point) nano() int64 { p.at++; return p.at }\n\n"
	for name, c := range map[string]struct{ version, source, at, want string }{
		"an older Go has Fprintf": {"1.17",
			"func write(b *strings.Builder, x interface{}) {\n\tb.WriteString(fmt.Sprintf(\"%v\", x))\n}\n", "fmt.Sprintf",
			"\tfmt.Fprintf(b, \"%v\", x)\n"},
		"an older Go has no Appendf": {"1.17",
			"func write(b []byte, x interface{}) []byte {\n\treturn append(b, fmt.Sprintf(\"%v\", x)...)\n}\n", "fmt.Sprintf",
			"\treturn append(b, fmt.Sprintf(\"%v\", x)...)\n"},
		"an older Go has no Appendf for a conversion": {"1.17",
			"func write(x int) []byte {\n\treturn []byte(fmt.Sprintf(\"n%v\", x))\n}\n", "fmt.Sprintf",
			"\treturn []byte(fmt.Sprintf(\"n%v\", x))\n"},
		"calls among the operands, and the other cases": {"1.17", moment +
			"func write(b *strings.Builder, p *point, unit int) {\n\tswitch unit {\n\tcase 1:\n\t\tb.WriteString(strconv.FormatInt(p.nano()/1000, 10))\n\tcase 2:\n\t\tb.WriteString(strconv.FormatInt(p.nano()/1000, 16))\n\tdefault:\n\t\tb.WriteString(strconv.FormatInt(p.nano(), 10))\n\t}\n}\n",
			"p.nano(), 10", "\t\tb.Write(strconv.AppendInt(make([]byte, 0, 20), p.nano()/1000, 10))\n\tcase 2:\n\t\tb.WriteString(strconv.FormatInt(p.nano()/1000, 16))\n\tdefault:\n\t\tb.Write(strconv.AppendInt(make([]byte, 0, 20), p.nano(), 10))\n"},
		"an older Go has no room for a bufio.Writer": {"1.20",
			"func write(b *bufio.Writer, n int) {\n\tb.WriteString(strconv.Itoa(n))\n}\n", "strconv.Itoa",
			"\tb.WriteString(strconv.Itoa(n))\n"},
		"an older Go has room for a buffer on the stack": {"1.20",
			"func write(b *bytes.Buffer, n int) {\n\tb.WriteString(strconv.Itoa(n))\n}\n", "strconv.Itoa",
			"\tb.Write(strconv.AppendInt(make([]byte, 0, 20), int64(n), 10))\n"},
		"another base takes more": {"1.17",
			"func write(b *strings.Builder, n uint64, base int) {\n\tb.WriteString(strconv.FormatUint(n, base))\n}\n", "strconv.FormatUint",
			"\tb.Write(strconv.AppendUint(make([]byte, 0, 64), n, base))\n"},
		"a call among the operands may write to what is lent": {"1.21",
			"type log struct{ b bytes.Buffer }\n\nfunc (l *log) next() int64 { l.b.WriteByte(' '); return 1 }\n\nfunc write(l *log) {\n\tl.b.WriteString(strconv.FormatInt(l.next(), 10))\n}\n", "strconv.FormatInt",
			"\tl.b.WriteString(strconv.FormatInt(l.next(), 10))\n"},
		"a call among the operands may set the target": {"1.17",
			"type log struct{ b *strings.Builder }\n\nfunc (l *log) next() int64 { l.b = new(strings.Builder); return 1 }\n\nfunc write(l *log) {\n\tl.b.WriteString(strconv.FormatInt(l.next(), 10))\n}\n", "strconv.FormatInt",
			"\tl.b.WriteString(strconv.FormatInt(l.next(), 10))\n"},
		"others of the form whose targets differ": {"1.21",
			"type out struct{ n int }\n\nfunc (o *out) WriteString(s string) (int, error) { o.n++; return 0, nil }\n\nfunc write(b *strings.Builder, o *out, n int) {\n\tb.WriteString(strconv.Itoa(n + 1))\n\to.WriteString(strconv.Itoa(n))\n}\n\nfunc more(b *bytes.Buffer, n int) {\n\tb.WriteString(strconv.Itoa(n))\n}\n",
			"n + 1", "\tb.Write(strconv.AppendInt(make([]byte, 0, 20), int64(n+1), 10))\n\to.WriteString(strconv.Itoa(n))\n}\n\nfunc more(b *bytes.Buffer, n int) {\n\tb.Write(strconv.AppendInt(b.AvailableBuffer(), int64(n), 10))\n"},
	} {
		if got := editedAlone(t, c.version, head+c.source, "func write(", c.at, appendText); !strings.Contains(got, c.want) {
			t.Errorf("%s: there is no\n%s\nin\n%s", name, c.want, got)
		}
	}
}

// TestAppendTextNumbers checks that numbers of other types in the file are appended, too, and none in an error.
func TestAppendTextNumbers(t *testing.T) {
	const source = "package m\n\nimport (\n\t\"bytes\"\n\t\"errors\"\n\t\"strconv\"\n)\n\ntype w struct{ buf bytes.Buffer }\n\nfunc (w *w) f(n int64) { w.buf.WriteString(strconv.FormatInt(n, 10)) }\n\nfunc (w *w) g(n float64) { w.buf.WriteString(strconv.FormatFloat(n, 'f', -1, 64)) }\n\nfunc (w *w) h(n int) { w.buf.WriteString(strconv.Itoa(n)) }\n\nfunc e(n uint64) error { return errors.New(strconv.FormatUint(n, 10)) }\n"
	want := strings.NewReplacer("WriteString(strconv.FormatInt(n,", "Write(strconv.AppendInt(w.buf.AvailableBuffer(), n,", "WriteString(strconv.FormatFloat(n,", "Write(strconv.AppendFloat(w.buf.AvailableBuffer(), n,").Replace(source)
	if got := editedAlone(t, "1.26", source, "func (w *w) f", "strconv.FormatInt", appendText); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
