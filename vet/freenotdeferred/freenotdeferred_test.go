package freenotdeferred_test

import (
	"testing"

	"lessgc/vet/freenotdeferred"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Arenas(t)
	ruletest.Run(t, freenotdeferred.Analyzer)
}
