// Package verdict turns the trials of a comparison into statements: what
// changed, by how much, how sure that is, and what to do about it. Renderings
// show a Report and compute nothing.
package verdict

import (
	"time"

	"lessgc/cmd/lessgc/internal/executable"
	"lessgc/cmd/lessgc/internal/session"
)

// Format is the version of report.json.
const Format = "lessgc-report/1"

// A Word is the verdict on a difference.
type Word string

// The words. Better and Worse need an interval without 1, a p-value below the
// level of the table after Holm's correction over it, and an effect above the
// noise floor. Same needs the whole interval inside the margin. Mixed is of several machines only: some class
// of them is better or worse, and what holds for all together is something else.
const (
	Better  Word = "better"
	Worse   Word = "worse"
	Same    Word = "same"
	Unclear Word = "unclear"
	Mixed   Word = "mixed"
)

// A Report is all that a rendering needs.
type Report struct {
	Format   string        `json:"format"`
	Tool     string        `json:"tool,omitempty"`     // the lessgc that made the report
	Measured string        `json:"measured,omitempty"` // the lessgc that measured, if it is another
	Command  []string      `json:"command"`
	Created  time.Time     `json:"created"`
	Commit   string        `json:"commit,omitempty"` // that was checked out, with + behind it if not all was committed; "" if not known
	Base     string        `json:"base,omitempty"`   // the commit of -base
	Host     session.Host  `json:"host"`
	Seed     uint64        `json:"seed"`
	Rounds   int           `json:"rounds"` // complete ones
	Planned  int           `json:"planned"`
	Orders   int           `json:"orders,omitempty"` // in which binaries that differ had their functions, each a sample; 0 for the linker's own only
	Procs    int           `json:"procs"`            // GOMAXPROCS
	MinTrial time.Duration `json:"trial"`
	Duet     bool          `json:"duet,omitempty"`
	Program  bool          `json:"program,omitempty"` // -exec: a row is a whole program
	Load     bool          `json:"load,omitempty"`    // a row is a request to a server under load
	Margin   float64       `json:"margin"`
	Alpha    float64       `json:"alpha"` // for the whole table; 0.05 unless it is looked at more than once

	Shards   int       `json:"shards,omitempty"`   // into which the comparison was divided; 0 if it was not
	Missing  []int     `json:"missing,omitempty"`  // the shards of which there is nothing
	Machines []Machine `json:"machines,omitempty"` // of the others; Host is that of the first
	Classes  []Class   `json:"classes,omitempty"`  // of machines

	Answers     []Answer          `json:"answers"` // one per cell that is compared
	Upgrade     *Upgrade          `json:"upgrade,omitempty"`
	Cells       []Cell            `json:"cells"`
	Rows        []Row             `json:"rows"`
	Metrics     []Metric          `json:"metrics"` // in the order in which to show them; those that were measured
	Values      []Value           `json:"values"`
	Latencies   []Latency         `json:"latencies,omitempty"` // of servers under load
	Comparisons []Comparison      `json:"comparisons"`
	Problems    []session.Problem `json:"problems,omitempty"`
	Notes       []string          `json:"notes,omitempty"`
}

// RowNoun returns the word for a row: benchmark, program or request.
func (r *Report) RowNoun() string {
	switch {
	case r.Program:
		return "program"
	case r.Load:
		return "request"
	}
	return "benchmark"
}

// An Answer is the plain words on one cell: should I turn it on?
type Answer struct {
	Cell  int    `json:"cell"`
	Short string `json:"short"` // yes, no, ...: a few words
	Text  string `json:"text"`  // sentences
}

// A Cell is a column.
type Cell struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Settings  string          `json:"settings,omitempty"`  // what its mode sets
	Explained string          `json:"explained,omitempty"` // what its mode is, if that is a preset
	Build     executable.Info `json:"build"`
	Group     string          `json:"group,omitempty"` // the baseline's name where rows have different ones; such cells have rows of their own
	Ref       int             `json:"ref"`             // cell it is compared with; -1 for none
	AA        bool            `json:"aa,omitempty"`
	Without   string          `json:"without,omitempty"` // of an upgrade: the change that the new toolchain is without here
	Err       string          `json:"err,omitempty"`     // why it was not built
}

// Compared reports whether the cell has a comparison that is a claim.
func (c Cell) Compared() bool { return c.Ref >= 0 && !c.AA && c.Err == "" }

// A Row is a benchmark.
type Row struct {
	Package string `json:"package,omitempty"`
	Name    string `json:"name"`
	N       int    `json:"n"` // iterations per trial
}

// A Metric is a unit of measure and how to read it.
type Metric struct {
	Unit    string `json:"unit"`              // as in the raw logs
	Name    string `json:"name"`              // short: cpu, wall, allocs, ...
	Title   string `json:"title"`             // for a heading
	Higher  bool   `json:"higher,omitempty"`  // more is better
	Exact   bool   `json:"exact,omitempty"`   // compared as counts, without statistics
	Decides bool   `json:"decides,omitempty"` // the answers rest on it
}

// A Value is a row's measurement in a cell.
type Value struct {
	Row    int       `json:"row"`
	Cell   int       `json:"cell"`
	Metric int       `json:"metric"`
	Median float64   `json:"median"`
	Rounds []int     `json:"rounds"` // the round of each trial
	Trials []float64 `json:"trials"`
}

// Geomean is the row of a comparison that stands for all rows together.
const Geomean = -1

// A Comparison is a cell against its reference in one row and metric.
type Comparison struct {
	Row      int     `json:"row"` // or Geomean
	Cell     int     `json:"cell"`
	Ref      int     `json:"ref"`
	Metric   int     `json:"metric"`
	N        int     `json:"n"`       // pairs: of rounds, or of links, of which each may have several rounds
	Ratio    float64 `json:"ratio"`   // cell / reference
	Bounded  bool    `json:"bounded"` // there is an interval; false with too few pairs, and for Exact metrics
	Lo       float64 `json:"lo"`      // of the ratio, 95 %
	Hi       float64 `json:"hi"`
	P        float64 `json:"p"`                  // two-sided: Wilcoxon signed-rank, or Student's t where rounds are too few for that; 1 for Exact metrics
	Adjusted float64 `json:"adjusted"`           // by Holm over the table of this metric
	NoFloor  bool    `json:"noFloor,omitempty"`  // the A/A cell was not measured, so nothing is called
	Floor    float64 `json:"floor"`              // how far apart two copies of the baseline may lie: a ratio minus 1
	Word     Word    `json:"word,omitempty"`     // empty for the A/A cell, which is not a claim
	Withheld string  `json:"withheld,omitempty"` // why Word is Unclear though the figures alone are not
	Need     int     `json:"need,omitempty"`     // about how many rounds, or of several machines how many of those, would make it clear; 0 if unknown or too many

	// Of several machines: Ratio, Lo and Hi are about the mean over machines like these.
	Machines  int             `json:"machines,omitempty"`  // that have pairs; 0 where there is only one at all
	Between   float64         `json:"between,omitempty"`   // standard deviation of the effect from machine to machine, of the logarithm of the ratio
	I2        float64         `json:"i2,omitempty"`        // share of the variation between the machines' ratios that is theirs and not noise
	Predicted bool            `json:"predicted,omitempty"` // there are ExpectLo and ExpectHi
	ExpectLo  float64         `json:"expectLo,omitempty"`  // of the ratio on a further machine like these, 95 %
	ExpectHi  float64         `json:"expectHi,omitempty"`
	ByMachine []MachineEffect `json:"byMachine,omitempty"` // of metrics that decide
	ByClass   []ClassEffect   `json:"byClass,omitempty"`   // if there is more than one class
}

// A Machine is what one shard was measured on.
type Machine struct {
	Dir    string       `json:"dir"`
	Shard  int          `json:"shard"`
	Host   session.Host `json:"host"`
	Class  int          `json:"class"` // index of Report.Classes
	Procs  int          `json:"procs"` // GOMAXPROCS
	Rounds int          `json:"rounds"`
	Steal  float64      `json:"steal"` // the most of a trial
}

// A Class is machines with the same CPU and the same instructions.
type Class struct {
	Name     string `json:"name"`
	Machines int    `json:"machines"`
}

// A MachineEffect is what one machine says.
type MachineEffect struct {
	Machine int     `json:"machine"` // index of Report.Machines
	N       int     `json:"n"`
	Ratio   float64 `json:"ratio"`
	Error   float64 `json:"error"` // standard error of the logarithm of Ratio
	Bounded bool    `json:"bounded"`
	Lo      float64 `json:"lo,omitempty"`
	Hi      float64 `json:"hi,omitempty"` // of the ratio on this machine, 95 %
}

// A ClassEffect is what a class of machines says. Its word is judged as that of a comparison, with Holm's correction
// over the classes of the table.
type ClassEffect struct {
	Class    int     `json:"class"` // index of Report.Classes
	Machines int     `json:"machines"`
	Ratio    float64 `json:"ratio"`
	Bounded  bool    `json:"bounded"`
	Lo       float64 `json:"lo,omitempty"`
	Hi       float64 `json:"hi,omitempty"`
	P        float64 `json:"p"`
	Adjusted float64 `json:"adjusted"`
	Word     Word    `json:"word"`
}

// Open reports whether more rounds may make the comparison clear.
func (c *Comparison) Open() bool { return c.Word == Unclear && c.Withheld == "" && !c.NoFloor }
