package trial

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// A Failure is a benchmark for which package testing printed FAIL.
type Failure struct {
	Name   string // as printed, with the number of processors, without "Benchmark"
	Reason string // what it said first
}

// Failures finds them in an output. What the benchmark said comes before that
// line under -test.v, and behind it otherwise.
func Failures(out []byte) []Failure {
	var all []Failure
	said, after := "", false
	for line := range strings.Lines(string(out)) {
		text := strings.TrimSpace(line)
		before, rest, failed := strings.Cut(text, "--- FAIL: Benchmark")
		switch {
		case failed && (before == "" || strings.HasPrefix(before, "Benchmark")): // it stands behind the name that waits for its result
			name, _, _ := strings.Cut(rest, " ") // empty for a function called Benchmark
			all = append(all, Failure{name, cmp.Or(said, "it failed without a word")})
			said, after = "", true
		case saidInTest.MatchString(line) && after:
			all[len(all)-1].Reason = Short(text)
			after = false
		case saidInTest.MatchString(line):
			said = Short(text)
		default:
			after = false
		}
	}
	return all
}

// saidInTest matches a line of b.Log, b.Error and b.Fatal.
var saidInTest = regexp.MustCompile(`^ +\S+\.go:\d+: `)

// BenchmarkReason is Reason of a test binary: if a benchmark has failed and said why, that.
func (o Outcome) BenchmarkReason() string {
	all := Failures(o.Stdout)
	if len(all) == 0 || o.Crashed() {
		return o.Reason()
	}
	text := Short("Benchmark"+all[0].Name) + ": " + all[0].Reason
	if more := len(all) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}
