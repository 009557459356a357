package rpcescape_test

import (
	"testing"

	"lessgc/vet/internal/ruletest"
	"lessgc/vet/rpcescape"
)

func Test(t *testing.T) {
	ruletest.Arenas(t)
	ruletest.Run(t, rpcescape.Analyzer)
}
