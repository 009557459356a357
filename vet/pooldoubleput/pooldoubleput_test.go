package pooldoubleput_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/pooldoubleput"
)

func Test(t *testing.T) { ruletest.Run(t, pooldoubleput.Analyzer) }
