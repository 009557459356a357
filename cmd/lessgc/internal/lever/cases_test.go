package lever

import (
	"os"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/board"
)

// TestCases checks that the cases are of existing levers, and that the results report them.
func TestCases(t *testing.T) {
	var results strings.Builder // of people, and of lessgc apply
	for _, name := range []string{"advise.md", "apply.md"} {
		data, err := os.ReadFile("../../../../bench/results/" + name)
		if err != nil {
			t.Fatal(err)
		}
		results.Write(data)
	}
	for _, c := range Cases() {
		if ByName(c.Lever) == nil {
			t.Errorf("%s: there is no lever %s", c.Line, c.Lever)
		}
		if row := c.Row(); !strings.Contains(results.String(), row) {
			t.Errorf("neither bench/results/advise.md nor apply.md has\n%s", row)
		}
	}
	half := &Lever{Name: "nothing"}
	if got := half.Record(); got != "not measured in modules of others yet" {
		t.Error(got)
	}
	for line, want := range map[string]board.Score{
		"r\tm x.go:1\tB\t1.0..3.0\t2.0 ± 0.5\t2 -> 1\tpass":  board.Inside,
		"r\tm x.go:1\tB\t1.0..3.0\t3.5 ± 0.5\t2 -> 1\tpass":  board.Outside,
		"r\tm x.go:1\tB\t1.0..3.0\t-3.5 ± 0.9\t2 -> 1\tpass": board.Outside,
		"r\tm x.go:1\tB\t1.0..3.0\t2.0 ± 1.5\t2 -> 1\tpass":  board.Noisy,
		"r\tm x.go:1\tB\t-\t2.0 ± 1.5\t2 -> 1\tpass":         board.Unpredicted,
	} {
		if c, err := parseCase(line); err != nil || c.Score() != want {
			t.Errorf("%s: %s, %v", line, c.Score(), err)
		}
	}
	for _, line := range []string{"", "r\tm\tB\t1..2\t2 ± 1\t2 -> 1\tfail", "r\tm\tB\t1-2\t2 ± 1\t2 -> 1\tpass", "r\tm\tB\t1..2\t2\t2 -> 1\tpass"} {
		if _, err := parseCase(line); err == nil {
			t.Errorf("%q is a case", line)
		}
	}
}
