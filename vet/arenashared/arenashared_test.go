package arenashared_test

import (
	"testing"

	"lessgc/vet/arenashared"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Arenas(t)
	ruletest.Run(t, arenashared.Analyzer)
}
