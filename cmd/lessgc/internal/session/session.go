// Package session is what `lessgc compare` keeps on disk while it measures:
// the plan, and one record per trial. Everything else in a result directory is
// derived from these and can be made again.
//
//	session.json   the plan: a Session, rewritten whole when it changes
//	trials.jsonl   one Trial per line, in the order in which they ran
//	raw/CELL.txt   the same trials in the Go benchmark format, for benchstat
//
// A run that was cut off can be taken up again: a last line that is not whole
// is passed over.
package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/gctrace"
	"lessgc/cmd/lessgc/internal/mode"
)

// Format is the version of the two files. A reader refuses others.
const Format = "lessgc-session/1"

const (
	planFile   = "session.json"
	trialsFile = "trials.jsonl"
	rawDir     = "raw"
)

// written are the names besides planFile that a result directory will hold, the
// renderings included.
var written = []string{trialsFile, rawDir, "report.html", "report.json", "results.csv", "summary.txt", "tsv", ProfilesDir}

// ProfilesDir is the folder in a result directory with what the runtime said of
// each server under load: DIR/CELL/ROW/cpu.pprof and so on.
const ProfilesDir = "profiles"

// A Session is the plan of one comparison.
type Session struct {
	Format  string    `json:"format"`
	Command []string  `json:"command"` // the arguments after "lessgc"
	Dir     string    `json:"dir"`     // where it was started
	Created time.Time `json:"created"`
	Host    Host      `json:"host"`

	Config Config `json:"config"`

	Cells    []Cell    `json:"cells"`
	Rows     []Row     `json:"rows"`               // nil until the pilot has run
	Problems []Problem `json:"problems,omitempty"` // what could not be measured
	Notes    []string  `json:"notes,omitempty"`    // what a reader of the result should know
}

// Config is what the user asked for.
type Config struct {
	Packages []string      `json:"packages,omitempty"`
	Bench    string        `json:"bench,omitempty"`   // as go test -bench
	Exec     string        `json:"exec,omitempty"`    // a whole program instead
	Load     string        `json:"load,omitempty"`    // or a server under load: the path of a load.Spec
	LoadSum  string        `json:"loadSum,omitempty"` // tells specs with different contents apart
	Modes    []mode.Mode   `json:"modes"`
	Baseline string        `json:"baseline"`         // name of a mode
	Base     string        `json:"base,omitempty"`   // git commit, full hash
	Column   string        `json:"column,omitempty"` // key of the benchmark names that makes columns, such as strategy
	Duet     bool          `json:"duet,omitempty"`
	Rounds   int           `json:"rounds"`  // planned, without the warm-up
	Budget   time.Duration `json:"budget"`  // 0 for none
	MinTrial time.Duration `json:"trial"`   // a trial lasts at least this long
	Timeout  time.Duration `json:"timeout"` // of one trial
	Seed     uint64        `json:"seed"`
	Procs    int           `json:"procs"`  // GOMAXPROCS of every cell that does not set its own
	Margin   float64       `json:"margin"` // ratio - 1 below which two cells count as the same
	Looks    int           `json:"looks"`  // how many times the result was or will be judged
}

// Host says where it was measured.
type Host struct {
	OS     string  `json:"os"`
	Arch   string  `json:"arch"`
	Kernel string  `json:"kernel,omitempty"`
	CPU    string  `json:"cpu,omitempty"`
	NumCPU int     `json:"numCPU"`
	Memory int64   `json:"memory,omitempty"` // bytes
	Load   float64 `json:"load"`             // load average at the start; -1 unknown
}

// A Cell is one column of the comparison: code of one version, built and run
// in one mode.
type Cell struct {
	ID      string     `json:"id"`   // unique, and fit for a file name
	Name    string     `json:"name"` // as shown
	Mode    mode.Mode  `json:"mode"`
	Version string     `json:"version,omitempty"` // "base" or "work" in a comparison of two code versions
	Value   string     `json:"value,omitempty"`   // of Config.Column
	Group   string     `json:"group,omitempty"`   // the baseline's Value where rows have different ones; such cells have rows of their own
	Ref     int        `json:"ref"`               // index of the cell to compare with; -1 for a baseline
	AA      bool       `json:"aa,omitempty"`      // the cell of Ref a second time, for the noise floor
	Build   build.Info `json:"build"`
	Err     string     `json:"err,omitempty"` // why there is no binary; one line
}

// A Row is one benchmark, or one program.
type Row struct {
	Package string   `json:"package,omitempty"` // import path
	Name    string   `json:"name"`              // without "Benchmark", the -GOMAXPROCS suffix and Config.Column
	Label   string   `json:"label"`             // Name, or more where another package has the same
	Bench   []string `json:"bench"`             // by cell: the full name in that cell's binary, with "Benchmark"; "" if it has none
	N       int      `json:"n"`                 // iterations per trial, or requests
}

// A Problem is something that was asked for and could not be measured.
type Problem struct {
	Cell   string `json:"cell,omitempty"`   // ID
	Row    string `json:"row,omitempty"`    // its Label, or the benchmark's name if it is no row
	Text   string `json:"text"`             // one line, with what to do
	Detail string `json:"detail,omitempty"` // the words of the compiler or of the program
}

// A Trial is one process. Of a server under load, N requests of the open loop are
// what User, System and GC are about.
type Trial struct {
	Round   int             `json:"round"` // 0 is the warm-up, which no statistic uses
	Order   int             `json:"order"` // within the round
	Cell    int             `json:"cell"`
	Row     int             `json:"row"`
	N       int             `json:"n"`
	Start   time.Time       `json:"start"`
	Wall    time.Duration   `json:"wall"` // of the process
	User    time.Duration   `json:"user"`
	System  time.Duration   `json:"system"`
	RSS     int64           `json:"rss"` // peak, bytes
	GC      gctrace.Summary `json:"gc"`
	Load    float64         `json:"load"`
	Steal   float64         `json:"steal"`
	Values  []Value         `json:"values,omitempty"`  // what the benchmark itself printed, in base units
	Latency []byte          `json:"latency,omitempty"` // of a server under load: an HdrHistogram of nanoseconds, V2 compressed
	Err     string          `json:"err,omitempty"`     // it failed; there are no values then
}

// A Value is one metric of a benchmark line.
type Value struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
}

// Metrics returns all that a trial measured, by unit. Times are in seconds,
// sizes in bytes. The CPU time of the process is divided by the iterations,
// start-up and set-up included.
func (t Trial) Metrics() []Value {
	n := float64(max(t.N, 1))
	gcShare := 0.0
	if cpu := t.User + t.System; cpu > 0 {
		gcShare = min(float64(t.GC.CPU)/float64(cpu), 1)
	}
	measured := []Value{
		{(t.User + t.System).Seconds() / n, "cpu-sec/op"},
		{t.User.Seconds() / n, "user-sec/op"},
		{t.System.Seconds() / n, "sys-sec/op"},
		{float64(t.RSS), "peak-RSS-bytes"},
		{float64(t.GC.Cycles), "gc-cycles"},
		{gcShare, "gc-cpu-fraction"},
		{t.GC.Stopped.Seconds(), "stw-sec"},
		{t.GC.MaxPause.Seconds(), "max-pause-sec"},
		{float64(t.GC.HeapGoal), "heap-goal-bytes"},
	}
	var all []Value
	for _, v := range t.Values { // a unit of the same name that the benchmark reports gives way
		if !slices.ContainsFunc(measured, func(m Value) bool { return m.Unit == v.Unit }) {
			all = append(all, v)
		}
	}
	return append(all, measured...)
}

// Units of servers under load that become notes: how late the load itself was, and the
// share of requests without an answer.
const (
	LateUnit   = "late-p99-sec"
	FailedUnit = "failed-fraction"
)

// A Dir is a result directory that is being written. One goroutine uses it.
type Dir struct {
	Path    string
	Session *Session
	trials  *os.File
	raw     map[int]*rawLog // by cell
}

// Create makes a result directory for s, and the folders above it. A directory
// that already holds a session is refused.
func Create(path string, s *Session) (*Dir, error) {
	if _, err := os.Stat(filepath.Join(path, planFile)); err == nil {
		return nil, fmt.Errorf("%s already holds results; go on with them by -resume %s, read them by lessgc report %s, or name another folder with -o", path, path, path)
	}
	for _, name := range written {
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			return nil, fmt.Errorf("%s holds %s, which would be written over; name another folder with -o", path, name)
		}
	}
	if err := os.MkdirAll(filepath.Join(path, rawDir), 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the result folder: %w; name another with -o", err)
	}
	d := &Dir{Path: path, Session: s, raw: map[int]*rawLog{}}
	return d, d.Save()
}

// Resume opens a result directory to go on with it, and returns the trials it
// holds. The raw logs are made again from them: a run that was cut off may have
// stored a trial in one place only.
func Resume(path string) (*Dir, []Trial, error) {
	s, trials, err := Read(path)
	if err != nil {
		return nil, nil, err
	}
	d := &Dir{Path: path, Session: s}
	return d, trials, d.Rewrite(trials)
}

// Rewrite makes the raw logs again from trials.
func (d *Dir) Rewrite(trials []Trial) error {
	for _, log := range d.raw {
		log.file.Close()
	}
	d.raw = map[int]*rawLog{}
	if err := os.RemoveAll(filepath.Join(d.Path, rawDir)); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(d.Path, rawDir), 0o777); err != nil {
		return err
	}
	for _, t := range trials {
		if err := d.appendRaw(t); err != nil {
			return err
		}
	}
	return nil
}

// Save writes the plan. It replaces the old one only when the new one is whole.
func (d *Dir) Save() error {
	data, err := json.MarshalIndent(d.Session, "", "\t")
	if err != nil {
		return err
	}
	tmp := filepath.Join(d.Path, planFile+".tmp")
	if err := os.WriteFile(tmp, append(data, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(tmp, filepath.Join(d.Path, planFile))
}

// Append stores trials at once, so that nothing measured is lost when the run
// ends early. Those of one call are stored together or not at all, as far as the
// system lets them.
func (d *Dir) Append(trials ...Trial) error {
	if d.trials == nil {
		f, err := openTrials(filepath.Join(d.Path, trialsFile))
		if err != nil {
			return err
		}
		d.trials = f
	}
	var lines []byte
	for _, t := range trials {
		line, err := json.Marshal(t)
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	if _, err := d.trials.Write(lines); err != nil {
		return err
	}
	for _, t := range trials {
		if err := d.appendRaw(t); err != nil {
			return err
		}
	}
	return nil
}

// openTrials opens the file for appending. A last line that is not whole is cut
// off: readTrials has passed over it.
func openTrials(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return f, err
	}
	data, err := io.ReadAll(f)
	if err == nil {
		err = f.Truncate(int64(bytes.LastIndexByte(data, '\n') + 1))
	}
	return f, err
}

// Discard removes a result directory that holds no trial.
func (d *Dir) Discard() {
	os.RemoveAll(filepath.Join(d.Path, rawDir))
	os.Remove(filepath.Join(d.Path, planFile))
	os.Remove(d.Path) // stays if something else is in it
}

// Close closes the files. The directory stays as it is.
func (d *Dir) Close() error {
	var errs []error
	if d.trials != nil {
		errs = append(errs, d.trials.Close())
	}
	for _, log := range d.raw {
		errs = append(errs, log.file.Close())
	}
	return errors.Join(errs...)
}

// Read reads a result directory.
func Read(path string) (*Session, []Trial, error) {
	data, err := os.ReadFile(filepath.Join(path, planFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s holds no results of lessgc compare (there is no %s in it)", path, planFile)
	}
	if err != nil {
		return nil, nil, err
	}
	s := new(Session)
	if err := json.Unmarshal(data, s); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", filepath.Join(path, planFile), err)
	}
	if s.Format != Format {
		return nil, nil, fmt.Errorf("%s is of format %q; this lessgc reads %s", path, s.Format, Format)
	}
	trials, err := readTrials(filepath.Join(path, trialsFile), s)
	return s, Latest(trials), err
}

// Latest keeps the last trial of each cell and row in each round: those of a
// round in which a row was cut off are run again when it is resumed, because
// only trials that ran one after the other make a pair.
func Latest(trials []Trial) []Trial {
	type place struct{ round, row, cell int }
	last := map[place]int{}
	for i, t := range trials {
		last[place{t.Round, t.Row, t.Cell}] = i
	}
	var kept []Trial
	for i, t := range trials {
		if last[place{t.Round, t.Row, t.Cell}] == i {
			kept = append(kept, t)
		}
	}
	return kept
}

func readTrials(name string, s *Session) ([]Trial, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	var trials []Trial
	r := bufio.NewReader(f)
	for number := 1; ; number++ {
		line, err := r.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return trials, nil // a line without its end was cut off
		}
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		var t Trial
		if err := json.Unmarshal([]byte(line), &t); err != nil {
			s.Notes = append(s.Notes, fmt.Sprintf("line %d of %s could not be read and is left out", number, trialsFile))
			continue
		}
		if t.Cell < 0 || t.Cell >= len(s.Cells) || t.Row < 0 || t.Row >= len(s.Rows) {
			return nil, fmt.Errorf("%s:%d: the trial is of a cell or row that %s does not have", name, number, planFile)
		}
		trials = append(trials, t)
	}
}
