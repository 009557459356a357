package alike

import (
	"strings"
	"testing"
)

func TestAlike(t *testing.T) {
	for _, name := range []string{"", "a", "name", strings.Repeat("long", 100)} {
		for i, c := range []struct{ got, want string }{
			{joined(name), name + "!"},
			{unmeasured(name), ">" + name},
			{inLiteral(name)("b") + inLiteral(name)("c"), name + "b" + name + "c"},
			{leaves(name).String(), name},
			{long(name), strings.Repeat(name, 100)},
			{hidden(name), strings.ToUpper(name)},
			{string(keyKept(name, "v")), name + "v"},
		} {
			if c.got != c.want {
				t.Errorf("%d: %q, want %q", i, c.got, c.want)
			}
		}
		for i, c := range []struct{ got, want int }{
			{key(name, "v"), total([]byte(name + "=v"))},
			{keyUnmeasured(name, "v"), total([]byte("v" + name))},
			{keyLong(name, "v"), total([]byte(name + "v"))},
			{filled(name), total([]byte(name))},
			{filledUnmeasured(name), total([]byte(strings.Repeat("\x00", 40) + name))},
		} {
			if c.got != c.want {
				t.Errorf("%d: %d, want %d", i, c.got, c.want)
			}
		}
	}
}

func BenchmarkAlike(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for range 20 {
			joined("a name")
			leaves("a name")
			long("a name of some length")
			hidden("a name")
			key(strings.Repeat("a", 40), "value")
			keyKept(strings.Repeat("a", 40), "value")
			keyLong(strings.Repeat("a", 4000), "value")
			filled(strings.Repeat("a", 40))
		}
	}
}
