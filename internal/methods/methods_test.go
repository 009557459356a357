package methods

import "testing"

// TestAll checks that a source is asked until it says that it has nothing to tell.
func TestAll(t *testing.T) {
	left := 2
	Add(func() ([]Method, bool) {
		if left--; left < 0 {
			return nil, false
		}
		return []Method{{Method: "/a.B/C"}}, true
	})
	Add(func() ([]Method, bool) { return []Method{{Method: "/a.B/D"}}, true })
	for _, want := range []int{2, 2, 1, 1} {
		if got := All(); len(got) != want || got[want-1].Method != "/a.B/D" {
			t.Errorf("%v, want %d", got, want)
		}
	}
	if left != -1 {
		t.Errorf("a source was asked after it had ended")
	}
}

// TestAllInside checks a source that asks for all, and adds another.
func TestAllInside(t *testing.T) {
	inside := false
	Add(func() ([]Method, bool) {
		if !inside {
			inside = true
			Add(func() ([]Method, bool) { return nil, false })
			All()
		}
		return nil, false
	})
	All()
	if !inside {
		t.Error("not asked")
	}
}
