package poolnonpointer_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/poolnonpointer"
)

func Test(t *testing.T) { ruletest.Run(t, poolnonpointer.Analyzer) }
