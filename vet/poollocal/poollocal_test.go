package poollocal_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/poollocal"
)

func Test(t *testing.T) { ruletest.Run(t, poollocal.Analyzer) }
