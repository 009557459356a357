package programs

import (
	"bufio"
	"bytes"
	"io"
	"strings"
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
	data := []byte("some bytes that are too many for the stack")
	json := `{"name": "a name"}` + strings.Repeat(" ", 8000)
	users := []user{{"d", 1}, {"c", 2}, {"a", 3}, {"b", 0}}
	all := make([]large, 3)
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
		sink = headerText(nil)
		_, sink = trailer(nil)
		sink = otherTrailer(nil)
		sink = stopped(func(f func() error) error { return f() })
		sink = unknown(text)
		sink = textual(text)
		sink = slug(text)
		sink = escaped(names)
		pageText(out, text)
		sink = matches("[a-z]+", text)
		sink = without("some", text)
		pageWith(out, text)
		new(patterns).init()
		sink = numbersText(make([]byte, 0, 80), []int{1, 2, 3})
		stamped(&buf, now, data)
		written(w, names)
		sink = onStack(text)
		sink = onStackInLoop([]string{text, text})
		sink = stampedAndKept(&buf, now)
		sink = strung(names, b.N)
		toUpper(upper{}, b.N+1000)
		sink = longestText(text)
		sink, _ = keyed(text)
		sink = host("a:b")
		sink = rejoined(text)
		sink = second("a=b")
		blanked([]byte(text))
		sink = often(text)
		emitted(out, data, string(data))
		sink = mentioned(data)
		sink, _ = decoded(json)
		toAny(w, text)
		sink = fieldsOf(data)
		sink = readTwice(out, data)
		sorted(users, names)
		sortedBy(users, []int{3, 4, 1, 2})
		sink = sortedCounting(users)
		sortedLarge(all)
		title := "A Title that is Long Enough"
		sink = isWidth(title)
		sink = firstOf2(text, " ")
		sink = third(text)
		sink = isHeight(title)
		sink = sameName(title, text)
		sink, _ = lowered(title)
	}
}
