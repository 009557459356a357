package alike

import (
	"strings"
	"testing"
)

func TestAlike(t *testing.T) {
	for _, name := range []string{"", "a", "name", strings.Repeat("long", 100)} {
		for i, c := range []struct{ got, want string }{
			{joined(name), name + "!"},
			{joinedUnmeasured(name), ">" + name},
			{joinedInLiteral(name)("b") + joinedInLiteral(name)("c"), name + "b" + name + "c"},
			{joinedLeaves(name).String(), name},
			{joinedLong(name), strings.Repeat(name, 100)},
			{joinedHidden(name), strings.ToUpper(name)},
			{string(keyedKept(name, "v")), name + "v"},
		} {
			if c.got != c.want {
				t.Errorf("%d: %q, want %q", i, c.got, c.want)
			}
		}
		for i, c := range []struct{ got, want int }{
			{keyed(name, "v"), total([]byte(name + "=v"))},
			{keyedUnmeasured(name, "v"), total([]byte("v" + name))},
			{keyedLong(name, "v"), total([]byte(name + "v"))},
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
			joinedLeaves("a name")
			joinedLong("a name of some length")
			joinedHidden("a name")
			keyed(strings.Repeat("a", 40), "value")
			keyedKept(strings.Repeat("a", 40), "value")
			keyedLong(strings.Repeat("a", 4000), "value")
			filled(strings.Repeat("a", 40))
		}
	}
}
