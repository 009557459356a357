package catalog

import "testing"

func TestNames(t *testing.T) {
	for _, c := range []struct{ full, plain, unversioned, pkg string }{
		{"arena.New", "arena.New", "arena.New", "arena"},
		{"a.com/b/v2.F", "a.com/b/v2.F", "a.com/b.F", "a.com/b"},
		{"(*a.com/b/v3/c.T[int, a.com/x/v2.Y[string]]).M", "(*a.com/b/v3/c.T).M", "(*a.com/b/c.T).M", "a.com/b/c"},
		{"a.com/v2ray.F", "a.com/v2ray.F", "a.com/v2ray.F", "a.com/v2ray"},
		{"a.com/vec/v10", "a.com/vec/v10", "a.com/vec", "a.com/vec"},
		{"a.com/v/v2/v3.T", "a.com/v/v2/v3.T", "a.com/v.T", "a.com/v"},
	} {
		if got := Plain(c.full); got != c.plain {
			t.Errorf("Plain(%q) = %q, want %q", c.full, got, c.plain)
		}
		got := Unversioned(c.full)
		if got != c.unversioned {
			t.Errorf("Unversioned(%q) = %q, want %q", c.full, got, c.unversioned)
		}
		if p := PackageOf(got); p != c.pkg {
			t.Errorf("PackageOf(%q) = %q, want %q", got, p, c.pkg)
		}
	}
}
