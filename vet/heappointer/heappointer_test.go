package heappointer_test

import (
	"testing"

	"lessgc/vet/heappointer"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "arenas")
	ruletest.Run(t, heappointer.Analyzer)
}
