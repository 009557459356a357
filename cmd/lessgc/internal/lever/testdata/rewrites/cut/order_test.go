package cut

import "testing"

func TestOrder(t *testing.T) {
	fill := func(b []byte) string { copy(b, "c;"); return "" }
	if a, b := captured(), ofBytes(fill, []byte("a;b")); a != "c" || b != "c" {
		t.Errorf("%q and %q", a, b)
	}
	jumped("a;b", true)
}
