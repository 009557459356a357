// Package runs sets the reports of several comparisons side by side: those of two commits,
// say, each against its own baseline.
//
// Runs that were made at different times are not paired: the machine may have been another
// one, or slower that day. So there is no verdict on what differs between two runs, and no
// absolute value is kept that somebody could divide. What each run says of its own change
// can be read beside what the others say of theirs.
package runs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/version"
)

// Format is the version of the JSON form.
const Format = "lessgc-runs/1"

// Most limits the runs that are set side by side: more do not fit beside each other.
const Most = 8

// An Input is one run that was read.
type Input struct {
	Dir     string
	Session *session.Session
	Report  *verdict.Report
}

// A Report holds several runs. All slices that are called by run have the order of Runs.
type Report struct {
	Format  string       `json:"format"`
	Tool    string       `json:"tool,omitempty"` // the lessgc that made it
	Runs    []Run        `json:"runs"`
	Differs []Difference `json:"differs"`
	Tables  []Table      `json:"tables"`
	Notes   []string     `json:"notes"`
}

// A Run is one result folder.
type Run struct {
	Name     string            `json:"name"` // a letter
	Dir      string            `json:"dir"`
	Commit   string            `json:"commit,omitempty"` // with + behind it if not all was committed; "" if not known
	Created  time.Time         `json:"created"`
	Rounds   int               `json:"rounds"` // complete ones
	Answers  []Answer          `json:"answers"`
	Problems []session.Problem `json:"problems,omitempty"`
	Notes    []string          `json:"notes,omitempty"`
}

// An Answer is a run's answer on one mode or version.
type Answer struct {
	Cell    string `json:"cell"`
	Against string `json:"against"`
	Short   string `json:"short"` // yes, no, ...: a few words
	Text    string `json:"text"`  // sentences
}

// A Difference is something that is not the same in all runs.
type Difference struct {
	What   string   `json:"what"`
	Values []string `json:"values"` // by run; "" where a run does not say
}

// A Table is one metric of the cells that have the same name in the runs.
type Table struct {
	Metric verdict.Metric `json:"metric"`
	Cell   string         `json:"cell"`
	Rows   []Row          `json:"rows"`
}

// A Row is a benchmark, or, if Mean is set, the geometric mean of those above.
type Row struct {
	Package string    `json:"package,omitempty"`
	Name    string    `json:"name"`
	Mean    bool      `json:"mean,omitempty"`
	Changes []*Change `json:"changes"` // by run; nil where it was not compared
}

// A Change holds one run's result: the cell against that run's own baseline.
type Change struct {
	Against  string       `json:"against"`
	Pairs    int          `json:"pairs"`
	Ratio    float64      `json:"ratio"`   // cell / baseline
	Bounded  bool         `json:"bounded"` // there is an interval
	Lo       float64      `json:"lo,omitempty"`
	Hi       float64      `json:"hi,omitempty"` // of the ratio, 95 %
	Word     verdict.Word `json:"word"`
	Withheld string       `json:"withheld,omitempty"`
}

// New sets runs side by side; there are two at least, and Most at most.
func New(inputs []Input) *Report {
	r := &Report{Format: Format, Tool: version.Tool(), Differs: []Difference{}, Tables: []Table{}}
	for i, in := range inputs {
		run := Run{Name: string(rune('A' + i)), Dir: in.Dir, Commit: in.Session.Commit, Created: in.Report.Created, Rounds: in.Report.Rounds,
			Answers: []Answer{}, Problems: in.Report.Problems, Notes: in.Report.Notes}
		for _, a := range in.Report.Answers {
			cell := in.Report.Cells[a.Cell]
			answer := Answer{Cell: title(cell), Short: a.Short, Text: a.Text}
			if cell.Ref >= 0 {
				answer.Against = in.Report.Cells[cell.Ref].Name
			}
			run.Answers = append(run.Answers, answer)
		}
		r.Runs = append(r.Runs, run)
	}
	r.differs(inputs)
	r.join(inputs)
	r.Notes = append(r.Notes, "The runs were made at different times and are not paired: set the changes side by side, each against its own run's baseline; "+
		"absolute values of different runs are not comparable, and a difference between two changes has no verdict.")
	if len(r.Tables) > 0 && !slices.ContainsFunc(r.Tables, func(t Table) bool {
		return slices.ContainsFunc(t.Rows, func(row Row) bool { return !row.Mean && !slices.Contains(row.Changes, nil) })
	}) {
		r.Notes = append(r.Notes, "No benchmark was compared in all runs under the same name of a mode.")
	}
	return r
}

// title distinguishes cells whose rows are compared with different baselines.
func title(c verdict.Cell) string {
	if c.Group != "" {
		return c.Name + " against " + c.Group
	}
	return c.Name
}

// differs finds what is not the same in all runs.
func (r *Report) differs(inputs []Input) {
	add := func(what string, of func(Input) string) {
		d := Difference{What: what}
		for _, in := range inputs {
			d.Values = append(d.Values, of(in))
		}
		if len(slices.Compact(slices.Clone(d.Values))) > 1 {
			r.Differs = append(r.Differs, d)
		}
	}
	add("commit", func(in Input) string { return short(in.Session.Commit) })
	add("base revision", func(in Input) string { return short(in.Session.Config.Base) })
	add("toolchain", toolchains)
	add("machine", machine)
	add("command", func(in Input) string { return "lessgc " + strings.Join(in.Report.Command, " ") })
	add("GOMAXPROCS", func(in Input) string { return fmt.Sprint(in.Report.Procs) })
	add("rounds", func(in Input) string { return fmt.Sprint(in.Report.Rounds) })
	add("least duration of a trial", func(in Input) string { return in.Report.MinTrial.String() })
	add("margin", func(in Input) string { return fmt.Sprintf("%.3g %%", 100*in.Report.Margin) })
	runs := map[rowName]int{}
	for _, in := range inputs {
		for _, row := range in.Session.Rows {
			runs[rowName{row.Package, row.Name}]++
		}
	}
	add("benchmarks", func(in Input) string { return benchmarks(in, runs, len(inputs)) })
	var names []string
	for _, in := range inputs {
		for _, c := range in.Report.Cells {
			if !c.AA && !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	for _, name := range names {
		add("settings of "+name, func(in Input) string { return settings(in.Report, name) })
	}
	add("lessgc that measured", func(in Input) string { return in.Session.Tool })
}

// short is the beginning of a commit's hash, with the plus sign that may be at its end.
func short(commit string) string {
	const most = 12
	hash, plus := strings.CutSuffix(commit, "+")
	hash = hash[:min(len(hash), most)]
	if plus {
		hash += "+"
	}
	return hash
}

// toolchains are all that built a cell.
func toolchains(in Input) string {
	var all []string
	for _, c := range in.Report.Cells {
		if v := c.Build.GoVersion; v != "" && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func machine(in Input) string {
	h := in.Report.Host
	text := fmt.Sprintf("%s, %d CPUs, %s/%s", h.CPU, h.NumCPU, h.OS, h.Arch)
	if h.Kernel != "" {
		text += ", kernel " + h.Kernel
	}
	if h.Memory > 0 {
		text += fmt.Sprintf(", %.1f GiB", float64(h.Memory)/(1<<30))
	}
	return text
}

// fewNames bounds a list of names in a line.
const fewNames = 10

// benchmarks describes how many a run has, and which of them not all runs have. runs counts
// those of each.
func benchmarks(run Input, runs map[rowName]int, all int) string {
	var only []string
	for _, row := range run.Session.Rows {
		if runs[rowName{row.Package, row.Name}] < all {
			only = append(only, row.Name)
		}
	}
	text := fmt.Sprint(len(run.Session.Rows))
	if len(only) == 0 {
		return text
	}
	text += ", not in all runs: " + strings.Join(only[:min(len(only), fewNames)], ", ")
	if more := len(only) - fewNames; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// settings returns the settings of a cell, and what it was built with.
func settings(r *verdict.Report, name string) string {
	i := slices.IndexFunc(r.Cells, func(c verdict.Cell) bool { return c.Name == name })
	if i < 0 {
		return "not measured"
	}
	c := r.Cells[i]
	text := strings.TrimSpace(c.Settings + " " + c.Build.Experiment)
	if c.Err != "" {
		text = "not built"
	}
	return text
}
