// Package attempt holds what became of changes that lessgc apply has tried: the state of a run, its attempts and their
// outcomes, on disk and in memory. Package apply fills it, and package render shows it.
package attempt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/input"
	"lessgc/cmd/lessgc/internal/verdict"
)

// Format is the version of the files of a run.
const Format = "lessgc-apply/1"

// The files of a result folder.
const (
	StateFile    = "apply.json"     // a State
	attemptsFile = "attempts.jsonl" // an Attempt on each line, in order
	AdviceFolder = "advice"         // the profiles
)

// A State is what a run was asked to do. It is written once.
type State struct {
	Format   string    `json:"format"`
	Tool     string    `json:"tool"`
	Command  []string  `json:"command"`
	Created  time.Time `json:"created"`
	Dir      string    `json:"dir"`                // the folder that it was run in
	Packages []string  `json:"packages,omitempty"` // patterns
	Options
	Module   string `json:"module"`             // path of the module
	Base     string `json:"base"`               // the commit, in the run's own repository
	Snapshot bool   `json:"snapshot,omitempty"` // Base holds uncommitted work
	Branch   string `json:"branch,omitempty"`   // of the user's repository; "" if there is none, and the patches are all
	Online   string `json:"online,omitempty"`   // why tests and benchmarks are not kept from the network; "" if they are
	Go       string `json:"go"`                 // the version of the toolchain
}

// Options are settings of a run.
type Options struct {
	Bench  string        `json:"bench,omitempty"` // pattern of the benchmarks
	Load   string        `json:"load,omitempty"`  // file that describes a server and its load
	Exec   string        `json:"exec,omitempty"`  // command line of a program
	Tags   string        `json:"tags,omitempty"`
	Short  bool          `json:"short,omitempty"` // tests run with -short
	Levers []string      `json:"levers,omitempty"`
	Most   int           `json:"most"`   // changes that are tried
	Time   time.Duration `json:"time"`   // of a comparison, at most
	Test   time.Duration `json:"test"`   // of a run of tests, at most
	Differ time.Duration `json:"differ"` // of the differential check of each function; 0 for none
}

// A Gain is what a change was predicted to save in a benchmark.
type Gain struct {
	Benchmark string        `json:"benchmark"`           // import path and name, as example.com/x.BenchmarkY/z; "" for a program, a server, or all
	Bytes     float64       `json:"bytes,omitempty"`     // share of the bytes that the benchmark allocates; 0 if it only comes by
	Predicted *advice.Range `json:"predicted,omitempty"` // share of CPU time; nil if the profile does not tell
	Memory    *advice.Range `json:"memory,omitempty"`    // share of the benchmark's bytes that go; nil if nothing was predicted
}

// Middle is the middle of what was predicted; of a change without a prediction it only gives an order.
func (g Gain) Middle() float64 {
	if g.Predicted == nil {
		return g.Bytes / 100
	}
	return (g.Predicted.Lo + g.Predicted.Hi) / 2
}

// Split returns the package and the function, with sub-benchmarks, of the benchmark: "" and "" if it is not one.
func (g Gain) Split() (pkg, function string) {
	i := strings.Index(g.Benchmark, ".Benchmark")
	if i < 0 {
		return "", ""
	}
	return g.Benchmark[:i], g.Benchmark[i+1:]
}

// Whole reports whether the gain is in a program, a server or all benchmarks together.
func (g Gain) Whole() bool {
	pkg, _ := g.Split()
	return pkg == ""
}

// Of reports whether the gain is in the benchmark of a row of a comparison; the row may be without a package.
func (g Gain) Of(x Row) bool {
	pkg, name := g.Split()
	return pkg != "" && (x.Package == "" || x.Package == pkg) && x.Name == strings.TrimPrefix(name, "Benchmark")
}

// A Row is what a comparison measured of a benchmark.
type Row struct {
	Package   string        `json:"package,omitempty"`
	Name      string        `json:"name"`
	Predicted *advice.Range `json:"predicted,omitempty"` // as of the Gain
	Memory    *advice.Range `json:"memory,omitempty"`    // as of the Gain
	CPU       Effect        `json:"cpu"`
	Bytes     Effect        `json:"bytes"`
	Allocs    Effect        `json:"allocs"`
	GC        *Effect       `json:"gc,omitempty"` // collections

	// First is the CPU time of a comparison before that of the row, which did not tell whether it is worse; nil if there was none.
	First *Effect `json:"first,omitempty"`
}

// An Effect is what became of a metric.
type Effect struct {
	Word   verdict.Word `json:"word,omitempty"` // "" if it was not measured
	Ratio  float64      `json:"ratio,omitempty"`
	Lo     float64      `json:"lo,omitempty"` // 95 %; 0 for metrics that are counted
	Hi     float64      `json:"hi,omitempty"`
	Before float64      `json:"before,omitempty"` // medians
	After  float64      `json:"after,omitempty"`
}

// Change is the change in percent, with its interval if there is one: "-5.0 % [-7.1, -2.9]".
func (e Effect) Change() string {
	if e.Lo == 0 && e.Hi == 0 {
		return verdict.Percent(e.Ratio)
	}
	return fmt.Sprintf("%s [%s]", verdict.Percent(e.Ratio), verdict.Range(e.Lo, e.Hi))
}

// Saved is the share that went, of a metric that is counted; 0 if there was nothing.
func (e Effect) Saved() float64 {
	if e.Before <= 0 {
		return 0
	}
	return 1 - e.After/e.Before
}

// Number writes a number of bytes or allocations. A median of whole numbers may be in between.
func Number(f float64) string {
	digits := 1
	if f >= 100 || f == math.Trunc(f) {
		digits = 0
	}
	return strconv.FormatFloat(f, 'f', digits, 64)
}

// An Attempt is a change that was tried, and its outcome.
type Attempt struct {
	Lever    string            `json:"lever"`
	Title    string            `json:"title"`
	Risk     string            `json:"risk,omitempty"`
	File     string            `json:"file"`  // in the repository, with slashes
	Line     int               `json:"line"`  // as it was when the change was tried
	First    int               `json:"first"` // as it was at first
	Func     string            `json:"func"`
	Text     string            `json:"text"`
	Evidence []advice.Evidence `json:"evidence,omitempty"`
	Reasons  []string          `json:"reasons,omitempty"` // why it allocated, by the compiler
	Gains    []Gain            `json:"gains,omitempty"`
	With     []string          `json:"with,omitempty"`   // keys of others that it is of, too
	Larger   []Larger          `json:"larger,omitempty"` // what was tried of it before, in this order

	Outcome Outcome       `json:"outcome"`
	Why     string        `json:"why"`                              // in a sentence
	Output  string        `json:"output,omitempty" visible:"lines"` // of what failed, its beginning
	Diff    string        `json:"diff,omitempty" visible:"lines"`
	Tests   []string      `json:"tests,omitempty"`  // the commands that passed
	Differ  string        `json:"differ,omitempty"` // what the differential check did
	Rows    []Row         `json:"rows,omitempty"`
	Commit  string        `json:"commit,omitempty"` // in the run's own repository
	Time    time.Time     `json:"time"`
	Took    time.Duration `json:"took"`
}

// A Larger is what became of a change that an attempt is only a part of.
type Larger struct {
	With    []string `json:"with,omitempty"` // keys of the others, which are attempts of their own now
	And     string   `json:"and"`            // what it was of besides, for people
	Outcome Outcome  `json:"outcome"`
	Why     string   `json:"why"`
}

// String is a sentence without its end.
func (l Larger) String() string { return fmt.Sprintf("with %s: %s: %s", l.And, l.Outcome, l.Why) }

// An Outcome is what became of an attempt.
type Outcome string

// The outcomes. All but Kept leave the source as it was.
const (
	Kept       Outcome = "kept"
	Refused    Outcome = "refused"    // nothing may be changed there
	Broken     Outcome = "broken"     // it does not build, or go vet or lessgc vet reports something new
	Failed     Outcome = "failed"     // a test fails, or old and new differ
	Untested   Outcome = "untested"   // the tests do not pass without it, either
	NoEffect   Outcome = "no effect"  // the benchmarks allocate no less; neither tested nor measured
	NoGain     Outcome = "no gain"    // nothing is better
	Worse      Outcome = "worse"      // something is worse
	Unclear    Outcome = "unclear"    // CPU time may be worse
	Unmeasured Outcome = "unmeasured" // the comparison failed
)

// Key tells attempts apart: by the line at first, or, of one that was not there, by the line as it was tried.
func (a *Attempt) Key() string {
	at := a.First
	if at == 0 {
		at = -a.Line
	}
	return fmt.Sprintf("%s %s:%d", a.Lever, a.File, at)
}

// A Person is advice that apply does not carry out.
type Person struct {
	Lever string `json:"lever"`
	Title string `json:"title"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	Text  string `json:"text"`
	Gain  Gain   `json:"gain"`
}

// maxState bounds what is read from a result folder.
const maxState = 64 << 20

// ReadState reads the State of a result folder.
func ReadState(dir string) (*State, error) {
	name := filepath.Join(dir, StateFile)
	data, err := input.ReadFile(name, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no %s: it is not a folder of lessgc apply", dir, StateFile)
	}
	if err != nil {
		return nil, err
	}
	var head struct{ Format string } // those of other formats may not fit into a State
	if err := json.Unmarshal(data, &head); err == nil && head.Format != Format {
		return nil, fmt.Errorf("%s is of format %.40q, and this lessgc reads %s", name, head.Format, Format)
	}
	s := new(State)
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.Most < 1 || s.Time <= 0 || s.Test <= 0 || s.Differ < 0 || len(s.Base) < 40 {
		return nil, fmt.Errorf("%s has settings that no run has; start again without -resume", name)
	}
	return s, nil
}

// Write writes the State into a result folder.
func (s *State) Write(dir string) error {
	data, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, StateFile), append(data, '\n'), 0o666)
}

// ReadAttempts reads the attempts of a result folder, without a last one that was not written as a whole.
func ReadAttempts(dir string) (all []Attempt, whole int64, err error) {
	name := filepath.Join(dir, attemptsFile)
	data, err := input.ReadFile(name, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	r := bufio.NewReader(bytes.NewReader(data))
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return all, whole, nil
		}
		var a Attempt
		if err := json.Unmarshal(line, &a); err != nil {
			return nil, 0, fmt.Errorf("%s: attempt %d: %w", name, len(all)+1, err)
		}
		all, whole = append(all, a), whole+int64(len(line))
	}
}

// Append writes an attempt into the file of a result folder, of which at is the length. It returns the new length.
func (a *Attempt) Append(dir string, at int64) (int64, error) {
	data, err := json.Marshal(a)
	if err != nil {
		return at, err
	}
	f, err := os.OpenFile(filepath.Join(dir, attemptsFile), os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return at, err
	}
	data = append(data, '\n')
	_, err = f.WriteAt(data, at)
	if err == nil {
		err = errors.Join(f.Truncate(at+int64(len(data))), f.Sync())
	}
	return at + int64(len(data)), errors.Join(err, f.Close())
}

// A Report is what became of a run.
type Report struct {
	State
	Attempts []Attempt `json:"attempts"`
	Person   []Person  `json:"person,omitempty"`  // advice that apply does not carry out
	Total    []Row     `json:"total,omitempty"`   // all kept changes together, measured against the source as it was
	Mean     Effect    `json:"mean"`              // CPU time of all rows of Total together
	Problem  string    `json:"problem,omitempty"` // why there is no total
	Notes    []string  `json:"notes,omitempty"`
	DryRun   bool      `json:"dryRun,omitempty"` // nothing was tried
}

// ReportFile is the name of the Report as JSON in a result folder, and PatchFile that of the patches.
const (
	ReportFile = "report.json"
	PatchFile  = "changes.patch"
)

// Count returns the number of attempts with an outcome.
func (r *Report) Count(o ...Outcome) (n int) {
	for _, a := range r.Attempts {
		if slices.Contains(o, a.Outcome) {
			n++
		}
	}
	return n
}

// End sets the outcome, with the reason in a sentence and the output of what failed.
func (a *Attempt) End(o Outcome, why, output string) { a.Outcome, a.Why, a.Output = o, why, output }

// Place is the line that an attempt is about, as it was when it was tried.
func (a *Attempt) Place() string { return fmt.Sprintf("%s:%d", a.File, a.Line) }
