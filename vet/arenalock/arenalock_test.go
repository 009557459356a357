package arenalock_test

import (
	"testing"

	"lessgc/vet/arenalock"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Run(t, arenalock.Analyzer)
}
