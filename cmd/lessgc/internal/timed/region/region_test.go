package testing

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	gotesting "testing"
)

// TestReport checks the line that a region ends with. What the calls in package
// testing do is checked by package timed.
func TestReport(t *gotesting.T) {
	var r lessgcRegion
	off := func() {
		r.reset()
		r.begin()
		r.end()
		r.report("BenchmarkOff", 1)
	}
	off() // before the flags are there
	file := filepath.Join(t.TempDir(), "regions")
	lessgcTimed = new("")
	defer func() { lessgcTimed = nil }()
	off()
	*lessgcTimed = file
	r.reset()
	for i := range len(lessgcSpans) + 10 {
		r.begin()
		r.began.cycles -= 2 + uint64(i%2) // as if there had been some, apart from each other
		r.end()
	}
	r.report("BenchmarkOn", 3)
	r.reset()
	r.report("BenchmarkOn", 4)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "3 ") || !strings.HasSuffix(lines[0], " BenchmarkOn") || lines[1] != "4 0 0 0 - BenchmarkOn" {
		t.Fatalf("%.300q", lines)
	}
	if spans := strings.Split(strings.Fields(lines[0])[4], ","); len(spans) != len(lessgcSpans) {
		t.Errorf("%d spans", len(spans))
	}
	*lessgcTimed = filepath.Join(file, "nowhere")
	r.report("BenchmarkOn", 5) // is no panic
	var c lessgcCounts
	runtime.GC()
	if c.readCPU(); c.user+c.system <= 0 {
		t.Errorf("%+v", c)
	}
	if c.readRuntime(); c.busy <= 0 || c.cycles == 0 {
		t.Errorf("%+v", c)
	}
}
