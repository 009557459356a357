package arenauseafterfree_test

import (
	"testing"

	"lessgc/vet/arenauseafterfree"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Arenas(t)
	ruletest.Run(t, arenauseafterfree.Analyzer)
}
