package poolnoreset_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/poolnoreset"
)

func Test(t *testing.T) { ruletest.Run(t, poolnoreset.Analyzer) }
