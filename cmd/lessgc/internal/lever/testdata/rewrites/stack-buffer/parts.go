package stackbuffer

import (
	"bytes"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// buffers are made elsewhere, too.
var _ bytes.Buffer

func query(keys []string, values map[string][]string) string {
	buf := new(bytes.Buffer)
	for _, k := range keys {
		for _, v := range values[k] {
			if buf.Len() > 0 {
				buf.WriteRune('&')
			}
			buf.WriteString(k + "=" + url.QueryEscape(v)) // rewritten
		}
	}
	return buf.String()
}

func numbered(names []string, n int64, r rune) (all string) {
	for i, name := range names {
		var b bytes.Buffer
		b.WriteRune('«') // rewritten
		b.WriteString(strconv.Itoa(i) + ": " + name + string(r) + "\n")
		b.WriteString(strconv.FormatInt(n, 16))
		b.WriteString(strconv.Itoa(b.Len()))
		b.WriteString((strconv.Quote(name)))
		all += b.String()
	}
	return all
}

const end = "\n"

func separated(names []string) (all string) {
	for _, name := range names {
		var b bytes.Buffer
		b.WriteRune('›') // rewritten
		b.WriteString(name + string(os.PathSeparator) + "x" + end)
		b.WriteString(name + end) //nolint:errcheck
		all += b.String()
	}
	return all
}

type entry struct{ name string }

func (e *entry) more() string { e.name += "+"; return e.name }

func entries(all []*entry, names []string, at int) (text string) {
	for _, e := range all {
		var b bytes.Buffer
		b.WriteRune('»') // rewritten
		b.WriteString("<" + e.name)
		b.WriteString(e.name + "." + names[at])
		b.WriteString(b.String()[:1] + "=" + e.name)
		b.WriteString(e.name + "=" + e.more())
		b.WriteString("a" + e.name + "b" + e.name + "c" + e.name)
		b.WriteString("a" +
			e.name)
		b.WriteString(strings.ToUpper(e.name))
		b.WriteString(strconv.Itoa(1 << at))
		text += b.String()
	}
	return text
}

func bounded(names []string, i int) (text string) {
	defer func() {
		if recover() != nil {
			text = "none"
		}
	}()
	for _, name := range names {
		b := bytes.Buffer{}
		b.WriteRune('→') // rewritten
		b.WriteString(name + "=" + names[i])
		b.WriteString(strconv.FormatInt(7, i))
		text += b.String()
	}
	return text
}

func typed(n int, int64 string) (all string) {
	for range n {
		var b bytes.Buffer
		b.WriteRune('→') // rewritten
		b.WriteString(strconv.Itoa(n) + int64)
		b.WriteString(strconv.Itoa(n))
		all += b.String()
	}
	return all
}
