package stackbuffer

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	upper := map[rune]string{'a': "AA", 'ß': "ss"}
	for _, name := range []string{"a", "name", "straße", "a longer name than others have", "\xff", strings.Repeat("many ", 200)} {
		h := fnv.New64a()
		io.WriteString(h, name+"-22")
		short, n := runes(name)
		wantShort := "«" + name + "x" + name[:1]
		if n != len(wantShort) {
			t.Errorf("%q: %d bytes", name, n)
		}
		if n > 20 {
			wantShort = "long"
		}
		for i, c := range []struct{ got, want any }{
			{joined(name, 12), name + "=12"},
			{hashed(name, 2), h.Sum64()},
			{hashed(name, 0), fnv.New64a().Sum64()},
			{pointed(name, 'x'), name[:min(3, len(name))] + "ax"},
			{fresh(name), name + "!"},
			{handed(name), name + "!" + name},
			{substituted(name, upper), ">" + strings.NewReplacer("a", "AA", "ß", "ss", "\xff", "�").Replace(name)},
			{short, wantShort},
			{inLoop([]string{name, "b"}), len(name) + 3},
			{string(returned(name)), name},
			{formatted(name), fmt.Sprintf("%s %d%s1 2\n.", name, len(name), name)},
			{formattedPlain(name), fmt.Sprintf("%d.-1-%s.", len(name), name)},
			{formattedRune('›', name), fmt.Sprintf("››%t", name == "")},
			{formattedTo(name), fmt.Sprintf("%s %d %s", name, len(name), name)},
			{formattedBeside(name), fmt.Sprintf("%s %d", name, len(name))},
			{copiedTo(name), name},
			{rendered(name), strings.ToUpper(name) + "!"},
			{(&pair{leaf(name), &pair{leaf("a"), leaf("b")}}).text(), "(" + name + "(ab))"},
			{grove.String(), "((. (. .)) (. .))"},
			{walked(grove), "....."},
			{visited(grove), "....."},
			{mapped("(a)"), "(a)"},
			{printed([]byte{1, 2}), "&[1 2]1.5"},
			{returnedWhole(name).String(), name},
			{captured(name), name},
			{late(name), name},
			{nested([]string{name, "b", "c"}), name + "bc"},
			{stored(name), name},
			{copied(name), name},
			{two(name), name + "x"},
			{changed(name), "x" + name[1:]},
			{runesBeside(name), "›" + name},
			{runesCut(name), "\xe2"},
			{runesShadowed(name), "›" + name + "."},
			{commented(name), "›" + name},
			{separatedBy([]string{name, "b", "c"}), name + ", b, c\n"},
			{byHeader(name, 2), name + "·" + name + "·"},
			{commaBeside([]string{name, "b"}), name + ",b,"},
			{commasCounted([]string{name, "b"}), len(name) + 5},
			{commasNamed([]string{name, "b"}), name + ",b,"},
			{listed([]string{name, "b"}), "0 " + name + "\n1 b\n"},
			{listedEach([]string{name, "b"}), len(name) + 7},
			{looked([]string{"«" + name, name}, name), len(name) + 2},
			{jumping(name, 2), "«" + name + "«" + name},
			{runesAgain(name, 3), name + "››"},
		} {
			if c.got != c.want {
				t.Errorf("%q: function %d returns %v, want %v", name, i, c.got, c.want)
			}
		}
	}
}

var grove = &tree{&tree{nil, &tree{}}, &tree{}}

// TestTextAllocs checks that a buffer to which a loop writes allocates the 64 bytes less that are on the stack, and a long text no more than before.
func TestTextAllocs(t *testing.T) {
	saved := 0.0
	if os.Getenv("LESSGC_EDITED") != "" {
		saved = 1
	}
	long := slices.Repeat([]string{"somewhat long"}, 500) // 7,500 bytes, of 64, 128, … 8,192
	for name, c := range map[string]struct {
		before float64
		call   func()
	}{
		"separatedBy":      {2, func() { separatedBy([]string{"one", "two"}) }},
		"separatedBy long": {9, func() { separatedBy(long) }},
		"hashed":           {1, func() { hashed("name", 3) }},
	} {
		if got := testing.AllocsPerRun(100, c.call); got != c.before-saved {
			t.Errorf("%s: %g allocations, want %g", name, got, c.before-saved)
		}
	}
}

// BenchmarkTexts has each buffer grow.
func BenchmarkTexts(b *testing.B) {
	upper := map[rune]string{'a': "AA"}
	names := []string{"name", "another name"}
	var out bytes.Buffer
	for b.Loop() {
		for i := range 20 {
			for _, name := range names {
				joined(name, 5)
				hashed(name, 5)
				pointed(name, 5)
				fresh(name)
				handed(name)
				substituted(name, upper)
				runes(name)
				returned(name)
				rendered(name)
				(&pair{leaf(name), &pair{leaf("a"), leaf("b")}}).text()
				_ = grove.String()
				walked(grove)
				visited(grove)
				mapped("(" + name)
				parenthesised(name)
				lined(bufio.NewWriter(&out), name)
				mixed(name, i)
				returnedWhole(name)
				formatted(name)
				formattedPlain(name)
				formattedRune('›', name)
				formattedTo(name)
				formattedCounted(name)
				formattedBeside(name)
				copiedTo(name)
				printed([]byte(name))
				printsItself(name)
				asked(name)
				grown(name)
				isNil(name)
				out.Reset()
				written(&out, name)
				writtenHash(fnv.New64a(), name)
				checksum(name)
				captured(name)
				late(name)
				copied(name)
				stored(name)
				two(name)
				long(name)
				changed(name)
				runesCounted(name)
				runesBeside(name)
				runesCut(name)
				runesShadowed(name)
				commented(name)
				byHeader(name, 3)
				looked(names, name)
				jumping(name, 2)
				runesAgain(name, 3)
			}
			inLoop(names)
			nested(names)
			distinct(names)
			again(names)
			separatedBy(names)
			commaBeside(names)
			commasCounted(names)
			commasNamed(names)
			listed(names)
			listedEach(names)
		}
	}
	kept.Reset()
}
