package differ

import (
	"strings"
	"testing"
)

// TestParse checks what is made of the output of tests that ended before they had a result.
func TestParse(t *testing.T) {
	const race = "==================\nWARNING: DATA RACE\nWrite at 0x1 by goroutine 9:\n  runtime.mapassign()\n      x.go:1\n  m/p.F()\n      p.go:3 +0x1\n\nPrevious write at 0x1 by goroutine 8:\n  m/p.G()\n      p.go:4\n\nGoroutine 9 (running) created at:\n  m/p.x()\n"
	for _, c := range []struct{ name, out, difference, unstable, slow, err string }{
		{"race in the new one", "\nlessgc-differ-phase: several-new 12\n" + race, "calls at the same time: data race in m/p.F and m/p.G", "", "", ""},
		{"race in the old one", "\nlessgc-differ-phase: several-old 12\n" + race, "", "calls of the old function at the same time: data race", "", ""},
		{"fatal", "\nlessgc-differ-phase: several-new 12\nfatal error: concurrent map writes\n", "calls at the same time: fatal error: concurrent map writes", "", "", ""},
		{"fatal with one", "\nlessgc-differ-phase: one 0\nfatal error: stack overflow\n", "", "", "one of the functions, called with generated inputs: fatal error: stack overflow", ""},
		{"not built", "# m/p\n./lessgc_differ_test.go:3:4: undefined: x\n", "", "", "", "does not compile beside the new one: ./lessgc_differ_test.go:3:4: undefined: x"},
		{"other test not built", "# m/p\n./p_test.go:3:4: undefined: x\n", "", "", "", "run the check: # m/p"},
		{"result", "\nlessgc-differ-phase: done 7\n\nlessgc-differ: {\"Inputs\":7,\"Difference\":\"d\"}\n--- FAIL: TestLessgcDiffer\n", "d", "", "", ""},
		{"type", "\nlessgc-differ-phase: one 0\n\nlessgc-differ: {\"Cannot\":\"no value\"}\n", "", "", "", "no value"},
	} {
		r, err := parse(c.out)
		if err == nil && c.err != "" || err != nil && (c.err == "" || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, text := range [][2]string{{r.Difference, c.difference}, {r.Unstable, c.unstable}, {r.Slow, c.slow}} {
			if !strings.HasPrefix(text[0], text[1]) || text[1] == "" && text[0] != "" {
				t.Errorf("%s: %+v", c.name, r)
			}
		}
		if err == nil && strings.Contains(c.out, " 12") && r.Inputs != 12 {
			t.Errorf("%s: %d inputs", c.name, r.Inputs)
		}
	}
}
