package programs

import (
	"strings"
	"testing"
	"time"
)

func BenchmarkText3(b *testing.B) {
	text := "some words of a text about aab"
	name := "a/name/with/some/directories/in/front/of/it"
	domain := "a.name.with.some.Labels.of.a.domain.in.front.of.it"
	var names []string
	for i := range 200 {
		names = append(names, strings.Repeat(string(rune('a'+i%26)), 1+i%7)+domain[i%20:])
	}
	fields := text3Fields([]*text3Codec{{text3Text}, {text3Text}, {text3Text}})
	for b.Loop() {
		sink = text3Truncated(text, 7)
		sink = text3Matches("w.*d", text)
		sink = text3Named(names[:2], text)
		_, sink = text3In("Europe/Berlin", time.Unix(1, 0))
		sink = text3NewRoute("w.*d")
		sink = text3Cached("w.*d")
		sink = text3Matcher("w.*d")
		sink = text3Constant(text)
		sink = text3Strict("w.*d", text)
		sink = text3Sum([]byte(text))
		sink = text3Parents(name)
		sink = text3Domains(domain)
		sink = text3Added(domain)
		sink = text3Slashes(domain)
		sink = text3Lowered(domain)
		sink = text3Sorted(domain)
		sink = text3Rooted(name)
		sink = text3Cleaned(name)
		sink = text3Below(domain, strings.ToLower(domain))
		sink = text3Last(domain)
		sink = text3Tree(names)
		sink = text3Letters(names)
		sink = text3Encoded(fields, "a text of some length for all")
	}
}
