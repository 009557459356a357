package verdict

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/session"
)

// TestDisagree checks what becomes of a verdict that the clock contradicts.
func TestDisagree(t *testing.T) {
	judged := func(cpu, wall, gc float64) (*Report, *Comparison) {
		rng := rand.New(rand.NewPCG(1, 2))
		m := plan(1, 2).run(12, func(round, row, cell int) cost {
			noise := 1 + 0.004*rng.NormFloat64()
			c := cost{cpu: 1e-3 * noise, values: []session.Value{{Value: 1e-3 * noise * (1 + 0.002*rng.NormFloat64()), Unit: "sec/op"}}}
			if cell == 1 {
				c.cpu *= cpu
				c.values[0].Value *= wall
			}
			return c
		})
		for i := range m.trials {
			x := &m.trials[i]
			x.GC.CPU = x.User / 4
			if x.Cell == 1 {
				x.GC.CPU = time.Duration(gc * float64(x.User))
			}
		}
		r := New(m.Session, m.trials)
		return r, r.find(0, 1, r.metric("cpu"))
	}
	for _, test := range []struct {
		name          string
		cpu, wall, gc float64 // of the other cell: times the base's, and the collector's share of CPU time, which is 1/4 in the base
		want          Word
	}{
		{"both less", 0.86, 0.86, 0.25, Better},
		{"both more", 1.2, 1.2, 0.25, Worse},
		{"set-up only", 0.86, 0.991, 0.25, Unclear},
		{"on another CPU", 1.1, 0.6, 0.25, Unclear},
		{"less collection beside the program", 0.86, 0.998, 0.128, Better}, // 0.86*(1-0.128) = 0.75
		{"less collection, half of it in the program's time", 0.86, 0.93, 0.128, Better},
		{"more collection beside the program", 1.25, 1.002, 0.4, Worse},
		{"the same", 1, 1.001, 0.25, Same},
	} {
		r, c := judged(test.cpu, test.wall, test.gc)
		if c.Word != test.want {
			t.Errorf("%s: %s, want %s: %+v", test.name, c.Word, test.want, c)
		}
		withheld := test.want == Unclear
		text := r.Answers[0].Text + "\n" + strings.Join(r.Notes, "\n")
		if withheld != (c.Withheld != "") || withheld != (strings.Count(text, "but the time on the clock") == 2) || withheld && (c.Need != 0 || r.Answers[0].Short != "cannot tell yet") {
			t.Errorf("%s: %q, needs %d, %s\n%s", test.name, c.Withheld, c.Need, r.Answers[0].Short, text)
		}
	}
	// Both say worse, and differ in how much: the word stays.
	r, c := judged(1.43, 1.86, 0.25)
	if c.Word != Worse || c.Withheld != "" || !strings.Contains(strings.Join(r.Notes, "\n"), "but the time on the clock +8") {
		t.Errorf("%+v, %q", c, r.Notes)
	}
}
