// Package panictest checks in tests that functions panic.
package panictest

import (
	"strings"
	"testing"
)

// Must checks that f panics with a text that holds want.
func Must(t testing.TB, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if text, ok := recover().(string); !ok || !strings.Contains(text, want) {
			t.Errorf("panic %q, want one with %q", text, want)
		}
	}()
	f()
	t.Errorf("no panic, want one with %q", want)
}
