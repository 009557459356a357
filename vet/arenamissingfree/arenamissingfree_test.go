package arenamissingfree_test

import (
	"testing"

	"lessgc/vet/arenamissingfree"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Arenas(t)
	ruletest.Run(t, arenamissingfree.Analyzer)
}
