package arenadoublefree_test

import (
	"testing"

	"lessgc/vet/arenadoublefree"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "arenas")
	ruletest.Run(t, arenadoublefree.Analyzer)
}
