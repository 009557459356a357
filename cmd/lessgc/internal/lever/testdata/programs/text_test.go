package programs

import (
	"bufio"
	"bytes"
	"io"
	"testing"
	"time"
)

func BenchmarkText(b *testing.B) {
	names := []string{"some", "names", "that", "are", "short", "enough"}
	text := "some words of a text"
	var buf bytes.Buffer
	out := bufio.NewWriter(io.Discard)
	w := io.Writer(discard{})
	now := time.Now()
	for b.Loop() {
		sink = label(names[0], level(b.N), 12.5)
		sink = numbered(names[0], 1000, 1.5)
		pairs(&buf, names)
		sink = lined(names)
		sink = addressed(hexadecimal(b.N + 1000))
		toWriter(w, names[0])
		aligned(&buf, names[0])
		sink = pointed(&now)
		fielded(out, text)
		sink = header(nil)
		_, sink = trailer(nil)
		sink = otherTrailer(nil)
		sink = stopped(func(f func() error) error { return f() })
		sink = unknown(text)
		sink = textual(text)
		sink = slug(text)
		sink = escaped(names)
		page(out, text)
		sink = matches("[a-z]+", text)
		sink = without("some", text)
		pageWith(out, text)
		new(patterns).init()
	}
}
