package poolmismatch_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/poolmismatch"
)

func Test(t *testing.T) { ruletest.Run(t, poolmismatch.Analyzer) }
