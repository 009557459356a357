package freenotdeferred_test

import (
	"testing"

	"lessgc/vet/freenotdeferred"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "arenas")
	ruletest.Run(t, freenotdeferred.Analyzer)
}
