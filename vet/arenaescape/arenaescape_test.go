package arenaescape_test

import (
	"testing"

	"lessgc/vet/arenaescape"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Arenas(t)
	ruletest.Run(t, arenaescape.Analyzer)
}
