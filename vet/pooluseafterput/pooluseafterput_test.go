package pooluseafterput_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/pooluseafterput"
)

func Test(t *testing.T) { ruletest.Run(t, pooluseafterput.Analyzer) }
