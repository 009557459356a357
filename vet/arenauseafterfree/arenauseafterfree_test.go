package arenauseafterfree_test

import (
	"testing"

	"lessgc/vet/arenauseafterfree"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "arenas")
	ruletest.Run(t, arenauseafterfree.Analyzer)
}
