package poolalias_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/poolalias"
)

func Test(t *testing.T) { ruletest.Run(t, poolalias.Analyzer) }
