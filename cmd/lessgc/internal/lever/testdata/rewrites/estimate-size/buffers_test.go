package estimatesize

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
)

// counted is the text that most functions write for the numbers from 1 to n.
func counted(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " number %d", i+1)
	}
	return b.String()
}

func numbersTo(n int) (all []int) {
	for i := range n {
		all = append(all, i+1)
	}
	return all
}

func TestTexts(t *testing.T) {
	for n := range 80 {
		want := counted(n)
		var out bytes.Buffer
		if err := copied(upTo(n), &out); err != nil {
			t.Error(err)
		}
		text, err := numbered(upTo(n))
		if err != nil {
			t.Error(err)
		}
		for i, got := range []string{list(upTo(n)), text, out.String(), strings.TrimSuffix(ended(upTo(n)), "."), variedText(upTo(n)), roomy(upTo(n)), string(Text(upTo(n)))} {
			if got != "numbers:"+want {
				t.Errorf("%d: function %d returns %q", n, i, got)
			}
		}
		for i, got := range []string{strings.Trim(tagged(upTo(n)), "<>"), strings.TrimSuffix(visited(upTo(n)), "."), labels(numbersTo(n)), maybe(upTo(n)), often(upTo(n)), printed(upTo(n)), Printed(upTo(n), func(*Printer) {})} {
			if got != want {
				t.Errorf("%d: function %d returns %q", n, i, got)
			}
		}
		if got := strings.Count(trimmed(upTo(n)), "\n"); got != n {
			t.Errorf("%d: %d lines", n, got)
		}
	}
	if got := string(cut(upTo(2))); got != "numbers: 1, 2, " {
		t.Errorf("cut returns %q", got)
	}
	if got := anew(upTo(3)); got != " number 2 number 3" {
		t.Errorf("anew returns %q", got)
	}
	if got := twoBuilders(upTo(1)); got != "numbers: number 1end" {
		t.Errorf("there are two builders: %q", got)
	}
	if got := again(upTo(1)); got != "numbers:" {
		t.Errorf("the bytes that were are %q now", got)
	}
}

// A sized reader counts what it is asked for.
type sizedReader struct{ asked int }

func (r *sizedReader) Read(p []byte) (int, error) {
	r.asked = len(p)
	return 0, io.EOF
}

type renderer struct{}

func (renderer) Render(w io.Writer) int { return w.(*bytes.Buffer).Cap() }

// writtenTo writes to a writer what most functions do.
func writtenTo(w io.StringWriter, n int) {
	w.WriteString("numbers:")
	for i := range n {
		w.WriteString(" number " + strconv.Itoa(i+1))
	}
}

// TestTextRoom sees what room the buffers have that may not be given more: as much as others that grow by the same text.
func TestTextRoom(t *testing.T) {
	n := 20
	var builder strings.Builder
	var buffer bytes.Buffer
	writtenTo(&builder, n)
	writtenTo(&buffer, n)
	if got := roomOfText(upTo(n)); got != builder.Cap() {
		t.Errorf("room for %d, not %d", got, builder.Cap())
	}
	storedText(upTo(n))
	for i, got := range []int{cap(Text(upTo(n))), asserted(upTo(n)), given(upTo(n), (*bytes.Buffer).Cap), kept.Cap(), rendered(upTo(n), renderer{})} {
		if got != buffer.Cap() {
			t.Errorf("%d: room for %d, not %d", i, got, buffer.Cap())
		}
	}
	if got := roomLeft(upTo(n)); got != buffer.Available() {
		t.Errorf("room for %d is left, not %d", got, buffer.Available())
	}
	if !isEmptyText(upTo(0)) {
		t.Error("the bytes of a buffer without text are not nil")
	}
	var want, once, copied sizedReader
	buffer.ReadFrom(&want)
	if filled(upTo(n), &once); once != want {
		t.Errorf("the reader is asked for %d bytes, not %d", once.asked, want.asked)
	}
	if filledBy(upTo(n), &copied); copied != want {
		t.Errorf("the reader is asked for %d bytes, not %d", copied.asked, want.asked)
	}
	mustPanic(t, func() { beyond(upTo(0), 56) })
	var shown int
	Printed(upTo(n), func(p *Printer) { shown = p.Out.(*bytes.Buffer).Cap() })
	if _, got := printedByCopy(upTo(n)); got != shown || shown > kept.Cap() {
		t.Errorf("the fields have room for %d and %d", got, shown)
	}
	var kind nilWriter
	if written(upTo(0), &kind); !kind {
		t.Error("a writer is not given nil")
	}
}

// A nilWriter has seen nil.
type nilWriter bool

func (w *nilWriter) Write(p []byte) (int, error) {
	*w = p == nil
	return len(p), nil
}

func BenchmarkTexts(b *testing.B) {
	for b.Loop() {
		for n := 18; n < 30; n++ {
			text, _ := numbered(upTo(n))
			sink += len(list(upTo(n))) + len(tagged(upTo(n))) + len(text) + len(trimmed(upTo(n))) + len(visited(upTo(n))) + len(labels(numbersTo(n)))
			sink += len(cut(upTo(n))) + len(ended(upTo(n))) + roomOfText(upTo(n)) + roomLeft(upTo(n)) + len(Text(upTo(n))) + len(maybe(upTo(n)))
			sink += len(filled(upTo(n), new(sizedReader))) + len(filledBy(upTo(n), new(sizedReader))) + len(twoBuilders(upTo(n))) + len(anew(upTo(n)))
			sink += given(upTo(n), (*bytes.Buffer).Len) + len(roomy(upTo(n))) + len(again(upTo(n))) + rendered(upTo(n), renderer{}) + beyond(upTo(n), 0) + asserted(upTo(n))
			sink += len(variedText(upTo(1)))
			byCopy, room := printedByCopy(upTo(n))
			sink += len(often(upTo(n))) + len(printed(upTo(n))) + len(Printed(upTo(n), func(*Printer) {})) + len(byCopy) + room + len(maybe(upTo(0))) + len(maybe(upTo(0)))
			sink += len(deferredText(upTo(n))) + len(laterText(upTo(n)))
			copied(upTo(n), io.Discard)
			written(upTo(n), io.Discard)
			storedText(upTo(n))
			isEmptyText(upTo(n))
		}
		variedText(upTo(1000))
		variedText(upTo(2000))
	}
}

// BenchmarkShort has short texts, and many more of them than the next has long ones.
func BenchmarkShort(b *testing.B) {
	for b.Loop() {
		for range 200 {
			sink += len(mixed(upTo(6))) + mixedUp(upTo(6)) + len(twice(upTo(6)))
		}
	}
}

func BenchmarkLong(b *testing.B) {
	for b.Loop() {
		sink += len(mixed(upTo(60))) + mixedUp(upTo(60)) + len(twice(upTo(9)))
	}
}
