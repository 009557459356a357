package main

import (
	"os"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/vetrun"
)

// TestVettingPage checks that docs/vetting.md lists the rules, and tells which have to be
// asked for.
func TestVettingPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/vetting.md")
	if err != nil {
		t.Fatal(err)
	}
	on, off, ok := strings.Cut(string(data), "\nAdvisory rules, ")
	if !ok {
		t.Fatal("there is no list of advisory rules")
	}
	listed := 0
	for _, a := range vetrun.Rules() {
		page := on
		if vetrun.Advises(a.Name) {
			page = off
		}
		if !strings.Contains(page, "\n| ["+a.Name+"](../vet/"+a.Name+"/doc.go) | ") {
			t.Errorf("%s is not listed where it belongs", a.Name)
		}
		listed++
	}
	if n := strings.Count(string(data), "/doc.go) | "); n != listed {
		t.Errorf("%d rules are listed; there are %d", n, listed)
	}
}
