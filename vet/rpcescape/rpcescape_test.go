package rpcescape_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/rpcescape"
)

func Test(t *testing.T) {
	t.Setenv("GOEXPERIMENT", "arenas")
	ruletest.Run(t, rpcescape.Analyzer)
}
