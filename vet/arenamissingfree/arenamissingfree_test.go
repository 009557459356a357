package arenamissingfree_test

import (
	"testing"

	"lessgc/vet/arenamissingfree"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "arenas")
	ruletest.Run(t, arenamissingfree.Analyzer)
}
