package poolmissingput_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/poolmissingput"
)

func Test(t *testing.T) { ruletest.Run(t, poolmissingput.Analyzer) }
