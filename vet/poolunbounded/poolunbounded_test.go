package poolunbounded_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/poolunbounded"
)

func Test(t *testing.T) { ruletest.Run(t, poolunbounded.Analyzer) }
