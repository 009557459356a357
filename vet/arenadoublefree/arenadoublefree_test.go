package arenadoublefree_test

import (
	"testing"

	"lessgc/vet/arenadoublefree"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Arenas(t)
	ruletest.Run(t, arenadoublefree.Analyzer)
}
