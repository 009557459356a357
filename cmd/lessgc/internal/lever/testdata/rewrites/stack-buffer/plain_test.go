package stackbuffer

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for _, names := range [][]string{nil, {"a"}, {"a", "straße", "\xff"}, slices.Repeat([]string{"many"}, 100)} {
		var each, numbers strings.Builder
		for i, name := range names {
			if i > 0 {
				each.WriteByte(';')
			}
			fmt.Fprintf(&each, "%d=%strue%%\n", i, name)
			fmt.Fprintln(&each, name, each.Len())
			fmt.Fprintf(&numbers, "<%d>", i)
		}
		n := len(names)
		for i, c := range []struct{ got, want any }{
			{plainEach(names), each.String()},
			{plainString(names, 2), strings.Repeat("||", n)},
			{plainWide([]string{"a"}), "  0;"},
			{plainAndNot([]string{"a"}), "a00"},
			{plainCounted(names), 2 * numbers.Len()},
			{plainChecked(names), numbers.String()},
			{plainShadowed(names), strings.ReplaceAll(numbers.String(), ">", ">.")},
			{plainCommented(names), numbers.String()},
			{plainBeside(names), numbers.String()},
			{plainOther(names), numbers.String()},
			{plainKept(names).String(), numbers.String()},
			{plainLinted(names), numbers.String()},
			{plainForwarded(names, 1, 2), strings.Repeat("1 2", n)},
			{plainRune([]string{"aß"}), "<a><ß>"},
			{plainBytes([]string{"", ""}), ",x,x,x"},
		} {
			if c.got != c.want {
				t.Errorf("%d: %v, want %v", i, c.got, c.want)
			}
		}
	}
	if got := pathOf([]element{named("a"), index(3), named("b"), index(-400)}); got != "a[3].b[-400]" {
		t.Error(got)
	}
	some := []element{index(3), index(-400)}
	if got := route(some).String() + routeOfAny(some).String() + routeOfMore(some).String() + routed(3).String(); got != "[3][-400][3][-400][3][-400][3]" {
		t.Error(got)
	}
	if got := pathOf(nil) + plainBound([]string{"a", "b"}, 1) + plainBound([]string{"a"}, 1); got != "1=b;1=b;none" {
		t.Error(got)
	}
	defer func() {
		if got := fmt.Sprint(recover()); got != "unknown type: <nil>" {
			t.Error(got)
		}
	}()
	pathOf([]element{nil})
}

// TestPlainAllocs checks that only the text is allocated with the buffer on the stack.
func TestPlainAllocs(t *testing.T) {
	if os.Getenv("LESSGC_EDITED") == "" {
		t.Skip("the source is as it was")
	}
	path := []element{named("a"), index(1000), named("b")}
	if got := testing.AllocsPerRun(100, func() { pathOf(path) }); got != 1 {
		t.Errorf("%g allocations", got)
	}
}

func BenchmarkPlain(b *testing.B) {
	path := []element{index(1000), named(strings.Repeat("long", 20)), index(3)}
	names := []string{"name", "another"}
	for b.Loop() {
		for range 40 {
			pathOf(path)
			_ = route(path[:1]).String()
			_ = routeOfAny(path[:1]).String()
			_ = routeOfMore(path[:1]).String()
			_ = routeOfTexts{3, 4}.String()
			pathWide(path[:1])
			pathWide(slices.Repeat(path[:1], 4))
			plainEach(names)
			plainBound(names, 1)
			plainString(names, 3)
			plainWide(names)
			plainAndNot(names)
			plainCounted(names)
			plainChecked(names)
			plainShadowed(names)
			plainCommented(names)
			plainBeside(names)
			plainRune(names)
			plainOther(names)
			plainItself(names)
			plainKept(names)
			plainBytes(names)
			plainLinted(names)
			plainForwarded(names, 1, 2)
		}
	}
}
