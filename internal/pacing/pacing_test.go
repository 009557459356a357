package pacing

import "testing"

func TestGet(t *testing.T) {
	check := func(state string) {
		t.Helper()
		if f, ok := Get(); ok != (state != "") || f.State != state {
			t.Errorf("%+v, %t, want %q", f, ok, state)
		}
	}
	check("")
	Set(func() Figures { return Figures{State: "a"} })
	check("a")
	Set(func() Figures { return Figures{State: "b"} })
	check("b")
	Set(nil)
	check("")
}
