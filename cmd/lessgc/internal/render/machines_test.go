package render

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// spreadOver is a report of machines of two classes, on one of which the change is worse.
func spreadOver(machines int) *verdict.Report {
	r := &verdict.Report{Shards: machines + 2, Missing: []int{machines + 1, machines + 2}, Seed: 7, Rounds: 10 * machines, Margin: 0.03,
		Classes: []verdict.Class{{Name: "A <i>", Machines: (machines + 1) / 2}, {Name: "B | @you", Machines: machines / 2}},
		Cells:   []verdict.Cell{{ID: "old", Name: "old", Ref: -1}, {ID: "new", Name: "new", Ref: 0}},
		Rows:    []verdict.Row{{Name: "X"}},
		Metrics: []verdict.Metric{{Unit: "cpu-sec/op", Name: "cpu", Title: "CPU time", Decides: true}},
		Answers: []verdict.Answer{{Cell: 1, Short: "it depends on the machine", Text: "So it is."}},
	}
	c := verdict.Comparison{Cell: 1, N: 10 * machines, Ratio: 1, Bounded: true, Lo: 0.8, Hi: 1.25, Word: verdict.Mixed, Machines: machines, I2: 0.9, Predicted: true, ExpectLo: 0.5, ExpectHi: 2,
		ByClass: []verdict.ClassEffect{{Class: 0, Machines: r.Classes[0].Machines, Ratio: 0.9, Bounded: true, Lo: 0.88, Hi: 0.92, Word: verdict.Better}, {Class: 1, Machines: r.Classes[1].Machines, Ratio: 1.1, Bounded: true, Lo: 1.08, Hi: 1.12, Word: verdict.Worse}}}
	for i := range machines {
		r.Machines = append(r.Machines, verdict.Machine{Shard: i + 1, Class: i % 2, Host: session.Host{CPU: "a CPU", NumCPU: 4, Quota: 1.5, Load: 2.5}, Procs: 2, Rounds: 10, Steal: 0.2})
		c.ByMachine = append(c.ByMachine, verdict.MachineEffect{Machine: i, N: 10, Ratio: 0.9 + 0.2*float64(i%2), Bounded: i > 0, Lo: 0.8, Hi: 1.3})
	}
	r.Comparisons = []verdict.Comparison{c}
	return r
}

// TestMachines checks what is shown of machines, in each form, with names that would do something.
func TestMachines(t *testing.T) {
	var text, markdown, html bytes.Buffer
	r := spreadOver(4)
	if err := (Text{Width: 100}).Write(&text, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"CPU time of new against old, by machine\n",
		"  shard 1              -10.0 %                    10 pairs, 4 CPUs, quota 1.5, GOMAXPROCS=2, load 2.5, steal up to 20 %, A <i>\n",
		"  shard 2              +10.0 % [-20.0, +30.0]     10 pairs, ",
		"  B | @you             worse +10.0 % [+8.0, +12.0]    2 machines\n",
		"  expected on another  +0.0 % [-50.0, +100.0]     I² 90 %\n",
		"mixed +0.0 % [-20.0, +25.0] (better -10.0 % on A <i>; worse +10.0 % on B | @you)",
		"4 shards of 6 (missing: 5, 6), 2 on A <i>, 2 on B | @you, seed 7\n",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("there is no %q in\n%s", want, &text)
		}
	}
	if err := Markdown(&markdown, r, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| **mixed**: better -10.0 % on A &lt;i&gt;; worse +10.0 % on B &#124; @<!-- -->you |", "| shard 1 |  | -10.0 % |", "| expected on another |  | +0.0 % [-50.0, +100.0] |"} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("there is no %q in\n%s", want, &markdown)
		}
	}
	if err := HTML(&html, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<section id="machines">`, "A &lt;i&gt;", "4 shards of 6 (missing: 5, 6)", `<span class="word mixed">mixed</span>`} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(html.String(), "<i>\"") || strings.Contains(html.String(), "A <i>") {
		t.Error("a name has made a tag")
	}
}

// TestManyMachines checks that a terminal gets the first machines and the sums, and the page all, and that
// nothing of a table is cut that is about all of them.
func TestManyMachines(t *testing.T) {
	var text, markdown, html bytes.Buffer
	r := spreadOver(200)
	if err := (Text{Width: 100}).Write(&text, r); err != nil {
		t.Fatal(err)
	}
	if s := text.String(); !strings.Contains(s, "  shard 20 ") || strings.Contains(s, "  shard 21 ") || !strings.Contains(s, "and 180 machines more, see -html\n") || !strings.Contains(s, "200 machines\n") {
		t.Errorf("%s", s)
	}
	if err := Markdown(&markdown, r, 0); err != nil {
		t.Fatal(err)
	}
	if s := markdown.String(); !strings.Contains(s, "| all | mixed |") || !strings.Contains(s, "| expected on another |") || strings.Count(s, "| shard ") > 40 {
		t.Errorf("%s", s)
	}
	if err := HTML(&html, r); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(html.String(), `<th scope="row">shard `); n != 200 {
		t.Errorf("the page has %d machines", n)
	}
}

// TestWideMachines checks that intervals wider than any drawing have a place in it.
func TestWideMachines(t *testing.T) {
	r := spreadOver(3)
	c := &r.Comparisons[0]
	c.Lo, c.Hi, c.ExpectLo, c.ExpectHi = math.Exp(-300), math.Exp(300), math.Exp(-300), math.Exp(300)
	var html bytes.Buffer
	if err := HTML(&html, r); err != nil || strings.Contains(html.String(), "NaN") || strings.Contains(html.String(), "Inf") {
		t.Error(err)
	}
}
