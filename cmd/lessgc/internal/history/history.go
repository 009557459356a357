// Package history keeps what comparisons have found, one run a line, so that the results of
// many commits can be drawn beside each other.
//
// A file is only ever appended to: an entry is written at once, under a lock, or not at all.
// It may be a stranger's: every bound and every field is checked before anything is shown.
package history

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/version"
)

// Format is the version of a line. A reader refuses others.
const Format = "lessgc-history/1"

// A Run is one line: what one comparison found of the metrics that decide.
type Run struct {
	Format   string    `json:"format"`
	Tool     string    `json:"tool,omitempty"` // the lessgc that wrote the line
	ID       string    `json:"id"`             // made of what was measured: the same results are one line
	Plan     string    `json:"plan"`           // made of how the comparison began: more rounds of it have the same
	Time     time.Time `json:"time"`           // when it began
	Commit   string    `json:"commit,omitempty"`
	Dirty    bool      `json:"dirty,omitempty"` // not all was committed
	Base     string    `json:"base,omitempty"`  // the commit of -base
	Rounds   int       `json:"rounds"`          // complete ones
	Machines []Machine `json:"machines"`
	Results  []Result  `json:"results"`
}

// A Machine measured.
type Machine struct {
	CPU    string `json:"cpu,omitempty"`
	NumCPU int    `json:"numCPU"`
	OS     string `json:"os"`
	Arch   string `json:"arch"`
}

// A Result is a cell against its baseline in one row and metric.
type Result struct {
	Package  string       `json:"package,omitempty"`
	Name     string       `json:"name,omitempty"` // of the row; "" with Mean
	Mean     bool         `json:"mean,omitempty"` // the geometric mean of all rows
	Cell     string       `json:"cell"`
	Group    string       `json:"group,omitempty"` // the baseline's name where rows have different ones
	Against  string       `json:"against"`         // the baseline
	Metric   string       `json:"metric"`          // short: cpu, allocs
	Unit     string       `json:"unit"`
	Exact    bool         `json:"exact,omitempty"`
	Ratio    float64      `json:"ratio"`
	Bounded  bool         `json:"bounded,omitempty"` // there is an interval
	Lo       float64      `json:"lo,omitempty"`      // of the ratio, 95 %
	Hi       float64      `json:"hi,omitempty"`
	Word     verdict.Word `json:"word"`
	Withheld string       `json:"withheld,omitempty"`
	Pairs    int          `json:"pairs"`
	Median   float64      `json:"median,omitempty"`   // of the cell; 0 for a mean
	Baseline float64      `json:"baseline,omitempty"` // median of the baseline
}

// machines are those of the shards, or the one that there is.
func machines(r *verdict.Report) []Machine {
	hosts := []session.Host{r.Host}
	if len(r.Machines) > 0 {
		hosts = nil
		for _, m := range r.Machines {
			hosts = append(hosts, m.Host)
		}
	}
	var all []Machine
	for _, h := range hosts {
		all = append(all, Machine{h.CPU, h.NumCPU, h.OS, h.Arch})
	}
	return all
}

// NewRun takes from a report what a history keeps. The error says that nothing was compared.
func NewRun(r *verdict.Report) (*Run, error) {
	run := &Run{Format: Format, Tool: version.Tool(), Time: r.Created.UTC(), Base: r.Base, Rounds: r.Rounds, Machines: machines(r)}
	run.Commit, run.Dirty = strings.CutSuffix(r.Commit, "+")
	median := map[[3]int]float64{}
	for _, v := range r.Values {
		median[[3]int{v.Row, v.Cell, v.Metric}] = v.Median
	}
	seen := map[key]bool{}
	for _, x := range r.Comparisons {
		m, cell := r.Metrics[x.Metric], r.Cells[x.Cell]
		if !m.Decides || !cell.Compared() || cell.Without != "" {
			continue
		}
		out := Result{Mean: x.Row == verdict.Geomean, Cell: cell.Name, Group: cell.Group, Against: r.Cells[x.Ref].Name, Metric: m.Name, Unit: m.Unit, Exact: m.Exact,
			Ratio: x.Ratio, Word: x.Word, Withheld: x.Withheld, Pairs: x.N}
		if x.Bounded && !m.Exact {
			out.Bounded, out.Lo, out.Hi = true, x.Lo, x.Hi
		}
		if !out.Mean {
			out.Package, out.Name = r.Rows[x.Row].Package, r.Rows[x.Row].Name
			out.Median, out.Baseline = median[[3]int{x.Row, x.Cell, x.Metric}], median[[3]int{x.Row, x.Ref, x.Metric}]
		}
		if !seen[out.key()] { // of two rows of a name the first counts
			seen[out.key()] = true
			run.Results = append(run.Results, out)
		}
	}
	if len(run.Results) == 0 {
		return nil, errors.New("nothing was compared, so there is nothing to keep in a history")
	}
	var err error
	if run.Plan, err = sum(r.Created.UTC(), r.Seed, r.Command, r.Commit, r.Base, r.Host.CPU, r.Host.Kernel); err != nil {
		return nil, err
	}
	var cells []string
	for _, c := range r.Cells {
		cells = append(cells, c.ID)
	}
	if run.ID, err = sum(run.Plan, cells, r.Rows, r.Values); err != nil {
		return nil, err
	}
	return run, run.check()
}

// sum is the beginning of a hash of values.
func sum(values ...any) (string, error) {
	h := sha256.New()
	for _, v := range values {
		data, err := json.Marshal(v)
		if err != nil {
			return "", err
		}
		h.Write(append(data, '\n'))
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// Bounds of a file, far above what runs write.
const (
	maxFile    = 256 << 20 // bytes
	maxLine    = 16 << 20  // bytes of a run
	maxObjects = 1 << 20   // results of all runs, in memory 250 bytes each
	maxRuns    = 100_000
	maxRatio   = 1e150
	maxMedian  = 1e100
)

// check finds what no comparison can have found.
func (r *Run) check() error {
	switch {
	case len(r.ID) != 32 || strings.Trim(r.ID, "0123456789abcdef") != "":
		return fmt.Errorf("id is %.40q, which is not 32 hexadecimal digits", r.ID)
	case len(r.Plan) != 32 || strings.Trim(r.Plan, "0123456789abcdef") != "":
		return fmt.Errorf("plan is %.40q, which is not 32 hexadecimal digits", r.Plan)
	case r.Time.Year() < 1 || r.Time.Year() > 9999:
		return errors.New("time is not in the years 1 to 9999")
	case len(r.Results) == 0:
		return errors.New("there are no results")
	case r.Rounds < 0 || r.Rounds > math.MaxInt32:
		return fmt.Errorf("rounds is %d", r.Rounds)
	}
	seen := map[key]bool{}
	for i, x := range r.Results {
		known := slices.Contains([]verdict.Word{verdict.Better, verdict.Worse, verdict.Same, verdict.Unclear, verdict.Mixed}, x.Word)
		switch {
		case !known:
			return fmt.Errorf("word of result %d is %.40q, not a verdict", i, x.Word)
		case !(x.Ratio >= 0 && x.Ratio <= maxRatio), x.Bounded && !(0 <= x.Lo && x.Lo <= x.Hi && x.Hi <= maxRatio):
			return fmt.Errorf("result %d has the ratio %g [%g, %g]", i, x.Ratio, x.Lo, x.Hi)
		case !(math.Abs(x.Median) <= maxMedian), !(math.Abs(x.Baseline) <= maxMedian), x.Pairs < 0 || x.Pairs > math.MaxInt32:
			return fmt.Errorf("result %d has the medians %g and %g of %d pairs", i, x.Median, x.Baseline, x.Pairs)
		case seen[x.key()]:
			return fmt.Errorf("result %d is a second one of %.40q in %.40q", i, cmp.Or(x.Name, "the mean"), x.Cell)
		}
		seen[x.key()] = true
	}
	return nil
}

// A key tells the series of a history apart.
type key struct {
	pkg, name   string
	mean        bool
	cell, group string
	unit        string
}

func (x Result) key() key { return key{x.Package, x.Name, x.Mean, x.Cell, x.Group, x.Unit} }
