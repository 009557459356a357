// Package longtest keeps tests that take long out of a plain go test.
package longtest

import (
	"os"
	"testing"
)

// Variable is the environment variable that asks for long tests. .ci/run sets
// it. The tests of module vet, which requires nothing of this repository, read
// it themselves.
const Variable = "LESSGC_LONG"

// Wanted reports whether long tests are asked for.
func Wanted() bool { return os.Getenv(Variable) != "" }

// Skip skips a test unless long tests are asked for; cost says what takes long.
func Skip(t testing.TB, cost string) {
	t.Helper()
	if !Wanted() {
		t.Skip(cost + "; " + Variable + "=1 runs it, as .ci/run does")
	}
}
