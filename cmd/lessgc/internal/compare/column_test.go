package compare

import "testing"

func TestColumn(t *testing.T) {
	check := func(key, full, wantRest, wantValue string) {
		t.Helper()
		if rest, value := newColumn(key).name(full); rest != wantRest || value != wantValue {
			t.Errorf("-col /%s of %s: %q and %q, want %q and %q", key, full, rest, value, wantRest, wantValue)
		}
	}
	check("", "Sort/strategy=heap/n=10", "Sort/strategy=heap/n=10", "")
	check("strategy", "Sort/strategy=heap/n=10", "Sort/n=10", "heap")
	check("n", "Sort/strategy=heap/n=10", "Sort/strategy=heap", "10")
	check("strategy", "Sort/n=10", "Sort/n=10", "")
	check("strategy", "Sort/mystrategy=heap", "Sort/mystrategy=heap", "")
	check("strategy", "strategy=heap", "strategy=heap", "")
	for key, want := range map[string]bool{"strategy": true, "n": true, "two words": false, "a,b": false, "": false} {
		if got := IsColumn(key); got != want {
			t.Errorf("IsColumn(%q) = %v", key, got)
		}
	}
}
