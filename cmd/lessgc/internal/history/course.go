package history

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/version"
)

// CourseFormat is the version of the JSON form of a Course.
const CourseFormat = "lessgc-course/1"

// A Course shows a history by row: what each run says of its own change. Runs are not paired
// with each other, so nothing is computed between them, and no change is looked for.
type Course struct {
	Format string   `json:"format"`
	Tool   string   `json:"tool,omitempty"` // the lessgc that made it
	Runs   []Stop   `json:"runs"`           // by time, the newest last
	Tables []Table  `json:"tables"`
	Notes  []string `json:"notes"`
}

// A Stop is a run.
type Stop struct {
	Time     time.Time `json:"time"`
	Commit   string    `json:"commit,omitempty"` // with + behind it if not all was committed; "" if not known
	Base     string    `json:"base,omitempty"`
	Rounds   int       `json:"rounds"`
	Machines []Machine `json:"machines"`
}

// A Table holds the rows of one metric and cell.
type Table struct {
	Metric string `json:"metric"`
	Unit   string `json:"unit"`
	Title  string `json:"title"`
	Exact  bool   `json:"exact,omitempty"`
	Cell   string `json:"cell"`
	Group  string `json:"group,omitempty"`
	Rows   []Row  `json:"rows"`
}

// A Row is a benchmark, or, if Mean is set, the geometric mean.
type Row struct {
	Package string   `json:"package,omitempty"`
	Name    string   `json:"name"`
	Mean    bool     `json:"mean,omitempty"`
	Points  []*Point `json:"points"` // by run; nil where it was not compared
}

// A Point is what one run says: the cell against that run's own baseline.
type Point struct {
	Against  string       `json:"against"`
	Ratio    float64      `json:"ratio"`
	Bounded  bool         `json:"bounded"` // there is an interval
	Lo       float64      `json:"lo,omitempty"`
	Hi       float64      `json:"hi,omitempty"` // of the ratio, 95 %
	Word     verdict.Word `json:"word"`
	Withheld string       `json:"withheld,omitempty"`
	Pairs    int          `json:"pairs"`
	Median   float64      `json:"median,omitempty"`
	Baseline float64      `json:"baseline,omitempty"`
}

// maxPoints bounds a course: a stranger's file may have other rows in each run.
const maxPoints = 1 << 22

// Course returns what a history shows. Of the lines of one comparison that got more rounds the last counts.
func (f *File) Course() (*Course, error) {
	c := &Course{Format: CourseFormat, Tool: version.Tool(), Runs: []Stop{}, Tables: []Table{}, Notes: []string{}}
	runs := latest(f.Runs)
	for _, r := range runs {
		s := Stop{r.Time, r.Commit, r.Base, r.Rounds, r.Machines}
		if r.Dirty {
			s.Commit += "+"
		}
		c.Runs = append(c.Runs, s)
	}
	rows := map[key]bool{}
	for _, r := range runs {
		for _, x := range r.Results {
			rows[x.key()] = true
		}
	}
	if len(rows)*len(runs) > maxPoints {
		return nil, fmt.Errorf("%d rows in %d runs are more than lessgc can draw; start another file", len(rows), len(runs))
	}
	c.tables(runs)
	c.notes(f)
	return c, nil
}

// latest returns the runs by time.
func latest(all []Run) []Run {
	last := map[string]int{}
	for i, r := range all {
		last[r.Plan] = i
	}
	var kept []Run
	for i, r := range all {
		if last[r.Plan] == i {
			kept = append(kept, r)
		}
	}
	slices.SortStableFunc(kept, func(a, b Run) int { return a.Time.Compare(b.Time) })
	return kept
}

// tables puts results together by what they are about. The newest run says what comes first.
func (c *Course) tables(runs []Run) {
	type place struct{ table, row int }
	tables, rows := map[key]int{}, map[key]place{}
	for i := len(runs) - 1; i >= 0; i-- {
		for _, x := range runs[i].Results {
			at, ok := rows[x.key()]
			if !ok {
				of := key{cell: x.Cell, group: x.Group, unit: x.Unit}
				if at.table, ok = tables[of]; !ok {
					at.table = len(c.Tables)
					tables[of] = at.table
					c.Tables = append(c.Tables, Table{Metric: x.Metric, Unit: x.Unit, Title: title(x), Exact: x.Exact, Cell: x.Cell, Group: x.Group})
				}
				t := &c.Tables[at.table]
				at.row = len(t.Rows)
				rows[x.key()] = at
				t.Rows = append(t.Rows, Row{x.Package, x.Name, x.Mean, make([]*Point, len(runs))})
			}
			c.Tables[at.table].Rows[at.row].Points[i] = &Point{x.Against, x.Ratio, x.Bounded, x.Lo, x.Hi, x.Word, x.Withheld, x.Pairs, x.Median, x.Baseline}
		}
	}
}

// title is the name of a metric for a heading.
func title(x Result) string {
	switch {
	case x.Unit == "cpu-sec/op":
		return "CPU time"
	case x.Metric == "cpu":
		return "CPU time (" + x.Unit + ")"
	case x.Metric == "allocs":
		return "allocations"
	}
	return cmp.Or(x.Metric, x.Unit)
}

// notes says what a reader of the course should know.
func (c *Course) notes(f *File) {
	c.Notes = append(c.Notes, "Each run is compared with its own baseline, in the same rounds. Runs are not paired with each other: what differs between two of them has no verdict.")
	machines, bases, dirty := map[string]bool{}, map[string]bool{}, 0
	for _, s := range c.Runs {
		machines[fmt.Sprint(s.Machines)] = true
		bases[s.Base] = true
		if len(s.Commit) > 0 && s.Commit[len(s.Commit)-1] == '+' {
			dirty++
		}
	}
	if len(machines) > 1 {
		c.Notes = append(c.Notes, fmt.Sprintf("The runs are of %d machines. Ratios may differ between them, and medians do.", len(machines)))
	}
	if len(bases) > 1 {
		c.Notes = append(c.Notes, fmt.Sprintf("The runs are against %d base revisions: a ratio is what changed since that run's base, not since the run before.", len(bases)))
	}
	if dirty > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("Of %d of %d runs not everything was committed: they have a + behind the commit.", dirty, len(c.Runs)))
	}
	if older := len(f.Runs) - len(c.Runs); older > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d lines are left out: the comparison got more rounds later.", older))
	}
	if f.Cut != "" {
		c.Notes = append(c.Notes, f.Cut)
	}
}
