package stackbuffer

import (
	"bytes"
	"fmt"
	"strings"
)

// buffers are made elsewhere, too.
var _ bytes.Buffer

type element interface{ isElement() }

type index int

type named string

func (index) isElement() {}
func (named) isElement() {}

func pathOf(path []element) string {
	if path == nil {
		return ""
	}
	var str bytes.Buffer
	for i, v := range path {
		switch v := v.(type) {
		case index:
			fmt.Fprintf(&str, "[%d]", v) // rewritten
		case named:
			if i != 0 {
				str.WriteByte('.')
			}
			str.WriteString(string(v))
		default:
			panic(fmt.Sprintf("unknown type: %T", v))
		}
	}
	return str.String()
}

type route []element

func (r route) String() string {
	var str bytes.Buffer
	for _, v := range r {
		switch v := v.(type) {
		case index:
			fmt.Fprintf(&str, "[%d]", v) // rewritten
		default:
			panic(fmt.Sprintf("unknown type: %T", v))
		}
	}
	return str.String()
}

type routeOfAny []element

func (r routeOfAny) isElement() {}

func (r routeOfAny) String() string {
	var str bytes.Buffer
	for _, v := range r {
		switch v := v.(type) {
		case index:
			fmt.Fprintf(&str, "[%d]", v) // refused: fmt calls it again for an element
		default:
			panic(fmt.Sprintf("unknown type: %T of %[1]v", v))
		}
	}
	return str.String()
}

var typeFormat = "unknown type: %T"

type routeOfMore []element

func (r routeOfMore) String() string {
	var str bytes.Buffer
	for _, v := range r {
		switch v := v.(type) {
		case index:
			fmt.Fprintf(&str, "[%d]", v) // refused: the format may be another one
		default:
			panic(fmt.Sprintf(typeFormat, v))
		}
	}
	return str.String()
}

type routed int

func (r routed) String() string { return routeOfTexts{r}.String() }

type routeOfTexts []routed

func (r routeOfTexts) String() string {
	var str bytes.Buffer
	for i, v := range r {
		fmt.Fprintf(&str, "[%d]", int(v)+i) // refused: the method that another function has fmt call leads back
		if v < 0 {
			note(v)
		}
	}
	return str.String()
}

var notes []string

func note(r routed) { notes = append(notes, fmt.Sprint(r)) }

func pathWide(path []element) string {
	var str bytes.Buffer
	for _, v := range path {
		fmt.Fprintf(&str, "[%3d]", v) // refused: strconv has no width
		str.WriteString("another element of the path, which is long enough")
	}
	return str.String()
}

func plainEach(names []string) string {
	b := new(bytes.Buffer)
	for i, name := range names {
		if i > 0 {
			b.WriteRune(';')
		}
		_, _ = fmt.Fprintf(b, "%d=%s", i, name) // rewritten
		fmt.Fprint(b, true)
		fmt.Fprintf(b, "%%\n")
		fmt.Fprintln(b, name, b.Len())
	}
	return b.String()
}

func plainBound(names []string, i int) (text string) {
	defer func() {
		if recover() != nil {
			text = "none"
		}
	}()
	var b bytes.Buffer
	for range names {
		fmt.Fprintf(&b, "%d=%s;", i, names[i]) // rewritten
	}
	return b.String()
}

type labelled int

func (l labelled) String() string { return strings.Repeat("|", int(l)) }

func plainString(names []string, l labelled) string {
	var b bytes.Buffer
	for range names {
		fmt.Fprintf(&b, "%v", l) // refused: fmt catches the panic of a String
	}
	return b.String()
}

func plainWide(names []string) string {
	var b bytes.Buffer
	for i := range names {
		fmt.Fprintf(&b, "%3d;", i) // refused: strconv has no width
	}
	return b.String()
}

func plainAndNot(names []string) string {
	var b bytes.Buffer
	for i, name := range names {
		b.WriteString(name) // refused: one of two calls of fmt has to remain
		fmt.Fprintf(&b, "%d", i)
		fmt.Fprintf(&b, "%+v", i)
	}
	return b.String()
}

func plainCounted(names []string) (total int) {
	var b bytes.Buffer
	for i := range names {
		n, _ := fmt.Fprintf(&b, "<%d>", i) // refused: the number of bytes is wanted
		total += n
	}
	return total + b.Len()
}

func plainChecked(names []string) string {
	var b bytes.Buffer
	for i := range names {
		if _, err := fmt.Fprintf(&b, "<%d>", i); err != nil { // refused: the call is a statement's header
			return ""
		}
	}
	return b.String()
}

func plainShadowed(names []string) string {
	strconv := "."
	var b bytes.Buffer
	for i := range names {
		fmt.Fprintf(&b, "<%d>", i) // refused: strconv is a variable here
		b.WriteString(strconv)
	}
	return b.String()
}

func plainCommented(names []string) string {
	var b bytes.Buffer
	for i := range names {
		fmt.Fprintf(&b, "<%d>" /* its number */, i) // refused: a comment would go
	}
	return b.String()
}

func plainBeside(names []string) string {
	var b bytes.Buffer
	for i := range names {
		addNumber(&b, i)
	}
	return b.String()
}

func addNumber(b *bytes.Buffer, i int) {
	fmt.Fprintf(b, "<%d>", i) // refused: the buffer is another function's
}

func plainRune(names []string) string {
	var b bytes.Buffer
	for _, name := range names {
		for _, r := range name {
			fmt.Fprintf(&b, "<%c>", r) // refused: WriteRune has the memory on the heap
		}
	}
	return b.String()
}

func plainOther(names []string) string {
	var b bytes.Buffer
	w := fmt.Fprintf
	for i := range names {
		w(&b, "<%d>", i) // refused: the function is a value
	}
	return b.String()
}

func plainItself(names []string) string {
	var b bytes.Buffer
	for range names {
		fmt.Fprintf(&b, "%d%p;", len(names), &b) // refused: the address is printed
	}
	return strings.ToUpper(b.String())
}

func plainKept(names []string) *bytes.Buffer {
	var b bytes.Buffer
	for i := range names {
		fmt.Fprintf(&b, "<%d>", i) // refused: the buffer is returned
	}
	return &b
}

func plainBytes(names []string) string {
	var b bytes.Buffer
	for range names {
		fmt.Fprintf(&b, "%s,", b.Bytes()) // refused: it writes bytes of its own, which may move
		b.WriteByte('x')
	}
	return b.String()
}

func plainLinted(names []string) string {
	var b bytes.Buffer
	for i := range names {
		fmt.Fprintf(&b, "<%d>", i) //nolint:errcheck // refused: the comment is for one statement
	}
	return b.String()
}

func plainForwarded(names []string, more ...any) string {
	var b bytes.Buffer
	for range names {
		fmt.Fprint(&b, more...) // refused: the operands are not known
	}
	return b.String()
}
