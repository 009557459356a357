package arenashared_test

import (
	"testing"

	"lessgc/vet/arenashared"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "arenas")
	ruletest.Run(t, arenashared.Analyzer)
}
