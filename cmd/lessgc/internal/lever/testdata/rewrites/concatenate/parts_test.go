package concatenate

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	for _, name := range []string{"", "a", "straße", "\xff", strings.Repeat("many ", 200)} {
		all := []pattern{{expression: name, kinds: map[string]string{"k": "v"}}}
		kinds := map[string]string{}
		one, two := beside(name)
		n := 1
		count, size := counted(name)
		length, bytes := lengthRead(name)
		for i, c := range []struct{ got, want any }{
			{denormalized(all, name, true, kinds), "(?P<" + name + ">" + name + ")"},
			{denormalized(all, name, false, kinds), "(" + name + ")"},
			{fmt.Sprint(kinds), "map[k:v]"},
			{returned(name, 80), name + ":80→a path that is long"},
			{assigned(name), 2*len(name) + 3},
			{later(name, 1), fmt.Sprint("<"+name+">", 2, len(name)+2)},
			{byKind(nil) + byKind(name) + byKind([]string{name}) + byKind([]string{}) + byKind(1), `"` + name + `"first: ` + name + "?"},
			{readBefore(name), "<" + name},
			{single(name), strings.Repeat("<"+name, min(1, len(name)))},
			{twoOf(name), "<" + name + name},
			{one + two, "<" + name + name + "many bytes more"},
			{ofLoop([]string{name, "b"}), "<" + name + "<b"},
			{optional(name, true) + optional(name, false), "<" + name + " more><" + name},
			{between(name, &n), "<" + name},
			{onlyText(name), name},
			{onlyTexts(name, "b"), name + "b"},
			{count, "<" + name},
			{length, "<" + name},
			{size + bytes, len(name) + 2},
			{string(bytesRead(name)), "<" + name},
			{printed(name), "<" + name},
			{captured(name), "<" + name},
			{capturedToWrite(name), "<" + name},
			{ofItself(name), "<<" + name},
			{fallen(name, 0) + fallen(name, 1), "<" + name + ">>"},
			{jumping(name, 2), "<" + name},
			{commented(name), "<" + name},
			{linted(name), "<" + name},
			{asByte(name, 0x80), "<\x80" + name},
			{latin(name), "<\xe9" + name},
			{given(name), "<" + name + "!"},
			{grown(name), "<" + name},
			{deferred(name), name},
			{reset(name) + again(name), ""},
			{begun(name), name + "<and some more text>" + strings.Repeat(name, 9)},
			{many(name, "b", "c", "d"), name + "=b, c=d, " + name},
		} {
			if c.got != c.want {
				t.Errorf("%d: %v, want %v", i, c.got, c.want)
			}
		}
	}
	title = "title"
	if got := changedBetween(); got != "<title!" {
		t.Error(got)
	}
	texts := make(chan string)
	title = "before"
	go func() { texts <- "sent" }()
	if got := received(texts); got != "<beforesent" {
		t.Error(got)
	}
	if got := inHeader("a") + inHeader(""); got != "<a><" {
		t.Error(got)
	}
}

// TestAllocs checks that the text is all that is allocated.
func TestAllocs(t *testing.T) {
	if os.Getenv("LESSGC_EDITED") == "" {
		t.Skip("the source is as it was")
	}
	name := strings.Repeat("many ", 50)
	for i, f := range []func(){
		func() { returned(name, 80) },
		func() { assigned(name) },
		func() { byKind(&name) },
		func() { readBefore(name) },
	} {
		if got := testing.AllocsPerRun(100, f); got > 2 {
			t.Errorf("%d: %g allocations", i, got)
		}
	}
}

func BenchmarkTexts(b *testing.B) {
	name := strings.Repeat("a name ", 20)
	all := []pattern{{expression: name}, {expression: name}}
	n := 0
	for b.Loop() {
		for range 20 {
			denormalized(all, name, true, nil)
			denormalized(all, name, false, nil)
			returned(name, 80)
			assigned(name)
			later(name, 1)
			byKind(name)
			byKind([]string{name})
			readBefore(name)
			single(name)
			twoOf(name)
			beside(name)
			ofLoop([]string{name, name})
			optional(name, true)
			between(name, &n)
			onlyText(name)
			onlyTexts(name, name)
			counted(name)
			lengthRead(name)
			bytesRead(name)
			printed(name)
			captured(name)
			capturedToWrite(name)
			title = name
			changedBetween()
			texts := make(chan string, 1)
			texts <- name
			received(texts)
			ofItself(name)
			fallen(name, 0)
			inHeader(name)
			jumping(name, 2)
			commented(name)
			linted(name)
			asByte(name, 'a')
			latin(name)
			given(name)
			grown(name)
			deferred(name)
			reset(name)
			again(name)
			begun(name)
			many(name, name, name, name)
		}
	}
}
