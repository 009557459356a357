package equalfold

import "testing"

// TestResults compares texts with characters that are the same in one case only.
func TestResults(t *testing.T) {
	for name, want := range map[string][2]bool{
		"gap": {true, true}, "GAP": {true, true}, "Top": {true, true}, "gaq": {false, true}, "post": {false, false}, "gap\xff": {false, true}, "": {false, true},
	} {
		if got := [2]bool{gap(name), other(name)}; got != want {
			t.Errorf("%q: got %v; want %v", name, got, want)
		}
	}
	for _, wrong := range []bool{
		!wide("Width"), !wide("wİdth"), long("S"), status("ſtatus"), kelvin("\u212a"), !dotless("ıd"), never("gap"), upper("gap"), same("a", "A"), !before("a"),
		!title("gap"), !bool(answered("Gap")), !noted("Gap"),
	} {
		if wrong {
			t.Error("a text is the same in the wrong case")
		}
	}
	if text, ok := lower("GAP"); text != "gap" || !ok {
		t.Error(text, ok)
	}
}
