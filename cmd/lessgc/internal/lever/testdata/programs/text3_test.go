package programs

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"io"
	"net/http/httptest"
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
	text3To := &text3Writer{&bytes.Buffer{}}
	h := io.Writer(sha256.New()).(hash.Hash)
	known := map[string]*text3Field{"a name of a field which takes some bytes": {1}}
	conns := &text3Conns{byAddress: map[string]int{}, byName: map[string]int{}, byBoth: map[string]int{}, byEither: map[string]int{}}
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
		text3To.WriteString(text)
		text3Hashed(h, text)
		sink = text3Get(names[:5], []int{1, 2, 3, 4, 5}, names[3])
		sink = text3Known(names[:5], names[3])
		sink = text3KnownMany(names, names[3])
		sink = text3Set(names[:5])
		sink = text3NewParams(names[:5], []int{1, 2, 3, 4, 5})
		(&text3Params{wider: map[string]int{}}).add("a")
		sink = text3Wider(names[:5], names[3])
		sink = text3Counts(names[:5], names[2])
		sink = text3Lookup(known, []byte("a name of a field which takes some bytes"))
		sink = text3Lookup(known, []byte("none"))
		text3Count(known, []byte("a name of a field which takes some bytes"))
		sink = text3Decode(map[string]int{"some": 1}, []byte(text))
		sink = text3Words([]byte(text))
		text3Kept(known, []byte(name))
		sink = text3KeptFirst(known, []byte(name))
		sink = text3Tails([]byte(text))
		sink, _ = text3Decoded("c29tZSB0ZXh0")
		sink, _ = text3Copied([]byte(text))
		request := httptest.NewRequest("GET", "/", strings.NewReader(text))
		sink, _ = text3Body(request)
		sink, _ = text3Limited(strings.NewReader(text))
		sink, _ = text3Either(strings.NewReader(text), nil)
		sink, _ = text3Either(nil, []byte(text))
		sink = text3Lines([]byte(text))
		sink = text3Filter(names[:10])
		sink = text3Behind(make([]byte, 10, 20), text)
		sink = conns.address(domain, b.N+1000)
		conns.add(domain, 1000)
		sink = conns.named(domain, name)
		sink = conns.both(domain, name)
		sink = conns.either(domain, name)
		sink = text3Shared(domain, name)
		sink = text3Printed(conns, domain, name)
		sink = text3Terminated(domain)
		sink = text3Source(domain)
		sink = text3Both(domain)
		sink = text3Plain(domain)
		sink = text3Some(domain)
		sink = text3Repeated(names[:3])
		sink = text3Format(text)
		_, sink = text3Split([]byte(text))
		sink = text3Encoded(fields, "a text of some length for all")
	}
}
