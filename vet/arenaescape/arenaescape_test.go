package arenaescape_test

import (
	"testing"

	"lessgc/vet/arenaescape"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "arenas")
	ruletest.Run(t, arenaescape.Analyzer)
}
