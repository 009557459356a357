package runs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/executable"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// measured is a run of the benchmarks named, in which mode new takes so much of the time of
// mode old.
func measured(dir, commit string, ratio float64, names ...string) Input {
	s := &session.Session{Format: session.Format, Commit: commit, Created: time.Unix(1e9, 0), Command: []string{"compare", "./..."},
		Host: session.Host{OS: "linux", Arch: "amd64", CPU: "Example", NumCPU: 2}, Config: session.Config{Rounds: 10, Margin: 0.03, Looks: 1}}
	for i, name := range []string{"old", "new", "A/A"} {
		ref := 0
		if i == 0 {
			ref = -1
		}
		s.Cells = append(s.Cells, session.Cell{ID: fmt.Sprint(i), Name: name, Ref: ref, AA: i == 2, Mode: mode.Mode{Name: name}, Build: executable.Info{GoVersion: "go1.26.8"}})
	}
	var trials []session.Trial
	for row, name := range names {
		s.Rows = append(s.Rows, session.Row{Package: "example.com/x", Name: name, Label: name, N: 1, Bench: []string{"x", "x", "x"}})
		for round := 1; round <= 10; round++ {
			for cell := range s.Cells {
				cpu := time.Second + time.Duration(7*round*(cell+3)%11)*time.Millisecond/2
				if cell == 1 {
					cpu = time.Duration(ratio * float64(cpu))
				}
				trials = append(trials, session.Trial{Round: round, Row: row, Cell: cell, N: 1, Wall: cpu, User: cpu, Values: []session.Value{{Value: cpu.Seconds(), Unit: "sec/op"}}})
			}
		}
	}
	return Input{dir, s, verdict.New(s, trials)}
}

func tableOf(t *testing.T, r *Report, metric string) Table {
	t.Helper()
	for _, table := range r.Tables {
		if table.Metric.Name == metric && table.Cell == "new" {
			return table
		}
	}
	t.Fatalf("there is no table of %s", metric)
	return Table{}
}

// text writes a table: its rows, and what each run says.
func text(table Table) string {
	var lines []string
	for _, row := range table.Rows {
		line := row.Name
		for _, c := range row.Changes {
			if c == nil {
				line += " –"
			} else {
				line += fmt.Sprintf(" %s %s", verdict.Percent(c.Ratio), c.Word)
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

// TestJoin checks that rows meet by their names, and the geometric means only where they
// are of the same benchmarks.
func TestJoin(t *testing.T) {
	a, b := measured("one", "aaaa", 0.5, "Get", "Put"), measured("two", "bbbb", 0.8, "Put", "Get")
	r := New([]Input{a, b})
	if got, want := text(tableOf(t, r, "cpu")), "Get -50.0 % better -20.0 % better; Put -50.0 % better -20.0 % better; geometric mean -50.0 % better -20.0 % better"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c := tableOf(t, r, "cpu").Rows[0].Changes[0]
	if c.Against != "old" || !c.Bounded || c.Lo > 0.5 || c.Hi < 0.5 || c.Pairs != 10 {
		t.Errorf("%+v", c)
	}
	if len(r.Runs) != 2 || r.Runs[1].Name != "B" || r.Runs[1].Dir != "two" || len(r.Runs[1].Answers) != 1 || r.Runs[1].Answers[0].Short != "yes" || r.Runs[1].Rounds != 10 {
		t.Errorf("%+v", r.Runs)
	}
	if len(r.Differs) != 1 || r.Differs[0].What != "commit" || strings.Join(r.Differs[0].Values, " ") != "aaaa bbbb" {
		t.Errorf("%+v", r.Differs)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "are not paired") {
		t.Errorf("%q", r.Notes)
	}

	r = New([]Input{a, measured("two", "aaaa", 1, "Get", "Scan"), measured("three", "aaaa", 2, "Get")})
	if got, want := text(tableOf(t, r, "cpu")), "Get -50.0 % better +0.0 % same +100.0 % worse; Put -50.0 % better – –; Scan – +0.0 % same –"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(r.Differs) != 1 || strings.Join(r.Differs[0].Values, "; ") != "2, not in all runs: Put; 2, not in all runs: Scan; 1" {
		t.Errorf("%+v", r.Differs)
	}

	r = New([]Input{a, measured("two", "aaaa", 1, "Scan")})
	if len(r.Notes) != 2 || !strings.HasPrefix(r.Notes[1], "No benchmark was compared in all runs") {
		t.Errorf("%q", r.Notes)
	}
}

// TestDiffers checks that what may explain a difference is named, by run.
func TestDiffers(t *testing.T) {
	a, b := measured("one", "aaaa", 1, "Get"), measured("two", "0123456789abcdef+", 1, "Get")
	s := b.Session
	s.Config.Base, s.Config.Margin, s.Config.Procs, s.Tool = "cccc", 0.05, 4, "lessgc v9"
	s.Host.Kernel, s.Host.Memory = "6.1", 4<<30
	s.Host.NumCPU, s.Command = 8, []string{"compare", "-bench", "Get"}
	s.Cells[1].Build = executable.Info{GoVersion: "go1.27.3", Experiment: "greenteagc"}
	s.Cells[0].Mode.RunEnv = []string{"GOGC=200"}
	s.Rows[0].Label = "x/Get" // elsewhere another package has a Get
	b.Report = verdict.New(s, nil)
	var got []string
	for _, d := range New([]Input{a, b}).Differs {
		got = append(got, d.What+": "+strings.Join(d.Values, " | "))
	}
	want := []string{"commit: aaaa | 0123456789ab+", "base revision:  | cccc", "toolchain: go1.26.8 | go1.26.8, go1.27.3", "machine: Example, 2 CPUs, linux/amd64 | Example, 8 CPUs, linux/amd64, kernel 6.1, 4.0 GiB",
		"command: lessgc compare ./... | lessgc compare -bench Get", "GOMAXPROCS: 0 | 4", "rounds: 10 | 0", "margin: 3 % | 5 %", "settings of old:  | GOGC=200", "settings of new:  | greenteagc", "lessgc that measured:  | lessgc v9"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
