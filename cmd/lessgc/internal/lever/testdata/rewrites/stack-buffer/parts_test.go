package stackbuffer

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestParts checks texts that are put together for the buffer.
func TestParts(t *testing.T) {
	long := strings.Repeat("long ", 200)
	for _, name := range []string{"a b", "\xff", long} {
		number := "«0: " + name + "\ufffd\nff"
		for i, c := range []struct{ got, want string }{
			{query([]string{name, "c"}, map[string][]string{name: {"=", ""}, "c": {"d"}}), name + "=%3D&" + name + "=&c=d"},
			{numbered([]string{name}, 255, 0xd800), number + fmt.Sprint(len(number)) + fmt.Sprintf("%q", name)},
			{entries([]*entry{{name}}, []string{"x", "y"}, 1), entered(name)},
			{separated([]string{name}), "›" + name + string(os.PathSeparator) + "x\n" + name + "\n"},
			{bounded([]string{name, name}, 2), "none"},
			{bounded([]string{name, "b"}, 1), "none"},
			{typed(2, name), "→2" + name + "2→2" + name + "2"},
		} {
			if c.got != c.want {
				t.Errorf("%q: function %d returns %q, want %q", name, i, c.got, c.want)
			}
		}
	}
}

// entered is what entries returns of a name: a call and a field are in no order.
func entered(name string) string {
	text := "»<" + name + name + ".y" + "\xc2=" + name
	for _, before := range []string{name, name + "+"} {
		more := name + "+"
		if got := text + before + "=" + more + "a" + more + "b" + more + "c" + more + "a" + more + strings.ToUpper(more) + "2"; got == entries([]*entry{{name}}, []string{"x", "y"}, 1) {
			return got
		}
	}
	return text
}

// BenchmarkParts has each buffer grow.
func BenchmarkParts(b *testing.B) {
	names := []string{"name", "another name", "ten", "more", "names", "than", "before"}
	all := []*entry{{"a"}}
	for b.Loop() {
		for i := range 20 {
			query(names[:3], map[string][]string{"name": {"a", "b", "c"}, "another name": {"d", "e", "f", "g"}})
			numbered(names[:3], 1<<40, 'a')
			all[0].name = "somewhat long name"
			entries(all, names, i%3)
			bounded(names, 2+i%5)
			separated(names[:5])
			typed(12, "names")
		}
	}
}
