//go:build goexperiment.arenas && lessgc_std

package arena

import "testing"

// TestStdReset checks that a new life is in a new arena of the runtime.
func TestStdReset(t *testing.T) {
	check := func(a *Arena) {
		t.Helper()
		New[node](a)
		before := a.st.std
		if a.Reset(); a.st.std == nil || a.st.std == before {
			t.Errorf("after Reset the arena of the runtime is %p, before it was %p", a.st.std, before)
		}
		New[node](a)
		a.Free()
	}
	check(NewArena())
	check(new(Arena))
	check((&Pool{Policy: Std}).Get())
	check(NewArena().Child())
}
