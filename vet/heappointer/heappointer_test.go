package heappointer_test

import (
	"testing"

	"lessgc/vet/heappointer"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Arenas(t)
	ruletest.Run(t, heappointer.Analyzer)
}
