// Package session is the result folder that `lessgc compare` keeps while it measures:
// the plan, and one record per trial. Everything else in a result directory is
// derived from these and can be made again.
//
//	session.json   the plan: a Session, rewritten whole when it changes
//	trials.jsonl   one Trial per line, in the order in which they ran
//	raw/CELL.txt   the same trials in the Go benchmark format, for benchstat
//
//	lock           while a process writes: who that is
//
// A run that was cut off can be taken up again: a last line that is not whole
// is passed over. A directory may be a stranger's: every field is checked
// before anything is done with it.
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
	"time"

	"lessgc/cmd/lessgc/internal/executable"
	"lessgc/cmd/lessgc/internal/lockfile"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/rooted"
	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/cmd/lessgc/internal/upgrade"
	"lessgc/cmd/lessgc/internal/visible"
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
var written = []string{trialsFile, rawDir, "report.html", "report.json", "results.csv", "upgrade.csv", "summary.txt", "tsv", ProfilesDir}

// ProfilesDir is the folder in a result directory with what the runtime said of
// each benchmark or server: CELL/ROW/cpu.pprof and so on.
const ProfilesDir = "profiles"

// A Session is the plan of one comparison.
type Session struct {
	Format  string    `json:"format"`
	Tool    string    `json:"tool,omitempty"` // the lessgc that began it
	Command []string  `json:"command"`        // the arguments after "lessgc"
	Dir     string    `json:"dir"`            // where it was started
	Created time.Time `json:"created"`
	Commit  string    `json:"commit,omitempty"` // that git had checked out in Dir then, with + behind it if not all was committed; "" if not known
	Host    Host      `json:"host"`

	Config Config `json:"config"`
	Code   string `json:"code,omitempty"` // with Config.Shard: tells source files with different contents apart

	Cells    []Cell    `json:"cells"`
	Rows     []Row     `json:"rows"`               // nil until the pilot has run
	Problems []Problem `json:"problems,omitempty"` // what could not be measured
	Notes    []string  `json:"notes,omitempty"`    // what a reader of the result should know

	// With Config.Adaptive: the rounds after which the result was looked at before the end of
	// its time, and how it ended, if it has: with each row clear, or because its time was over,
	// which makes the next look the last.
	Looked  []int `json:"looked,omitempty"`
	Settled bool  `json:"settled,omitempty"`
	Ended   bool  `json:"ended,omitempty"`
}

// Config holds the user's choices.
type Config struct {
	Packages []string      `json:"packages,omitempty"`
	Bench    string        `json:"bench,omitempty"`   // as go test -bench; with Load, of the names of requests, "" for all
	Args     []string      `json:"args,omitempty"`    // for the test binaries, behind lessgc's own
	Exec     string        `json:"exec,omitempty"`    // a whole program instead
	Load     string        `json:"load,omitempty"`    // or a server under load: the path of a load.Spec
	LoadSum  string        `json:"loadSum,omitempty"` // tells specs with different contents apart
	Modes    []mode.Mode   `json:"modes"`
	Baseline string        `json:"baseline"`         // name of a mode
	Base     string        `json:"base,omitempty"`   // git commit, full hash
	Tests    string        `json:"tests,omitempty"`  // with Base: whose test files both versions run, "new", "base" or "own"; "" finds out what builds
	Column   string        `json:"column,omitempty"` // key of the benchmark names that makes columns, such as strategy
	Duet     bool          `json:"duet,omitempty"`
	NoTurns  bool          `json:"noTurns,omitempty"`  // trials run one after the other
	OneLink  bool          `json:"oneLink,omitempty"`  // each binary is linked once, in the linker's own order
	Rounds   int           `json:"rounds"`             // planned, without the warm-up
	Adaptive bool          `json:"adaptive,omitempty"` // rounds go on until each row is clear, or Budget is spent
	Clear    []string      `json:"clear,omitempty"`    // with Adaptive: metrics, besides CPU time, that are to be clear, by name or unit
	Decide   string        `json:"decide,omitempty"`   // the unit that a benchmark reports its CPU time in, which is taken for that of the process
	Budget   time.Duration `json:"budget"`             // 0 for none
	MinTrial time.Duration `json:"trial"`              // a trial lasts at least this long
	Timeout  time.Duration `json:"timeout"`            // of one trial
	Seed     uint64        `json:"seed"`
	Procs    int           `json:"procs"`  // GOMAXPROCS of every cell that does not set its own
	Margin   float64       `json:"margin"` // ratio - 1 below which two cells count as the same
	Looks    int           `json:"looks"`  // how many times the result was or will be judged

	Upgrade *upgrade.Plan `json:"upgrade,omitempty"` // what the modes are for, if that is an upgrade of the toolchain

	Shard *Shard `json:"shard,omitempty"` // of a comparison that is spread over machines; nil for all of it

	Profiles bool `json:"profiles,omitempty"` // of benchmarks, after the rounds; of a load they are always taken
}

// A Cell is one column of the comparison: code of one version, built and run
// in one mode.
type Cell struct {
	ID      string          `json:"id"`   // unique, and fit for a file name
	Name    string          `json:"name"` // as shown
	Mode    mode.Mode       `json:"mode"`
	Version string          `json:"version,omitempty"` // "base" or "work" in a comparison of two code versions
	Value   string          `json:"value,omitempty"`   // of Config.Column
	Group   string          `json:"group,omitempty"`   // the baseline's Value where rows have different ones; such cells have rows of their own
	Ref     int             `json:"ref"`               // index of the cell to compare with; -1 for a baseline
	AA      bool            `json:"aa,omitempty"`      // the cell of Ref a second time, for the noise floor
	Build   executable.Info `json:"build"`
	Err     string          `json:"err,omitempty"` // why there is no binary; one line
}

// A Row is one benchmark, or one program.
type Row struct {
	Package string   `json:"package,omitempty"` // import path
	Name    string   `json:"name"`              // without "Benchmark", the -GOMAXPROCS suffix and Config.Column
	Label   string   `json:"label"`             // Name, or more where another package has the same
	Bench   []string `json:"bench"`             // by cell: the full name in that cell's binary, with "Benchmark"; "" if it has none
	N       int      `json:"n"`                 // iterations per trial, or requests
	Same    []bool   `json:"same,omitempty"`    // by cell: of an upgrade, its binary is that of its reference, so nothing is measured there; nil for none
	Fewer   []int    `json:"fewer,omitempty"`   // by cell: iterations of those that are much slower; 0 for N; nil for N in all
}

// Iterations returns the iterations of a trial in a cell.
func (r Row) Iterations(cell int) int {
	if cell < len(r.Fewer) && r.Fewer[cell] > 0 {
		return r.Fewer[cell]
	}
	return r.N
}

// A Problem is something that was asked for and could not be measured.
type Problem struct {
	Cell   string `json:"cell,omitempty"`                   // ID
	Row    string `json:"row,omitempty"`                    // its Label, or the benchmark's name if it is not a row
	Text   string `json:"text"`                             // one line, with what to do
	Detail string `json:"detail,omitempty" visible:"lines"` // the words of the compiler or of the program
}

// A Dir is a result directory that is being written, by one goroutine of one
// process. Nothing outside of it is written: a name that leads elsewhere, by a
// symbolic link or by "..", is an error.
type Dir struct {
	Path    string
	Root    *os.Root
	Session *Session
	lock    *lockfile.Lock
	whole   int64 // bytes of trials.jsonl, up to the end of the last whole line
	trials  *os.File
	raw     map[int]*rawLog // by cell
}

// lockFile is there while a process writes into the directory.
const lockFile = "lock"

// Open opens a result directory for writing, and keeps other processes from doing
// the same until Close. It does not read what is there.
func Open(path string) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	lock, err := lockfile.Acquire(root, lockFile, lockfile.Self(os.Args[1:]...))
	if err != nil {
		root.Close()
		return nil, err
	}
	return &Dir{Path: path, Root: root, lock: lock, raw: map[int]*rawLog{}}, nil
}

// Create makes a result directory for s, and the folders above it. A directory
// that already holds a session is refused.
func Create(path string, s *Session) (*Dir, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the result folder: %w; name another with -o", err)
	}
	d, err := Open(path)
	if errors.As(err, new(*lockfile.Held)) {
		return nil, fmt.Errorf("%w; or name another folder with -o", err)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot make the result folder: %w; name another with -o", err)
	}
	d.Session = s
	if err := d.mustBeFree(); err != nil {
		d.Close()
		return nil, err
	}
	if err := errors.Join(d.Root.Mkdir(rawDir, 0o777), d.Save()); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// mustBeFree refuses a folder with files that the results would replace.
func (d *Dir) mustBeFree() error {
	if _, err := d.Root.Lstat(planFile); err == nil {
		return fmt.Errorf("%s already holds results; go on with them by -resume %s, read them by lessgc report %s, or name another folder with -o", d.Path, d.Path, d.Path)
	}
	for _, name := range written {
		if _, err := d.Root.Lstat(name); err == nil {
			return fmt.Errorf("%s holds %s, which would be written over; name another folder with -o", d.Path, name)
		}
	}
	return nil
}

// Resume opens a result directory to go on with it, and returns the trials it
// holds. The raw logs are made again from them: a run that was cut off may have
// stored a trial in one file only.
//
// Going on runs what the directory says: its packages, or the commands of
// Config.Exec and Config.Load, with the environment of Config.Modes, in the folder
// Session.Dir.
func Resume(path string) (*Dir, []Trial, error) {
	if _, err := os.Stat(filepath.Join(path, planFile)); errors.Is(err, fs.ErrNotExist) { // no lock file in a folder of something else
		return nil, nil, noResults(path)
	}
	d, err := Open(path)
	if err != nil {
		return nil, nil, err
	}
	trials, err := d.resume()
	if err != nil {
		d.Close()
		return nil, nil, err
	}
	return d, trials, nil
}

func (d *Dir) resume() ([]Trial, error) {
	s, trials, whole, err := readAll(d.Root, d.Path)
	if err != nil {
		return nil, err
	}
	if err := s.resumable(); err != nil {
		return nil, fmt.Errorf("%s: %w; %s", filepath.Join(d.Path, planFile), err, startNew)
	}
	d.Session, d.whole = s, whole
	return trials, d.Rewrite(trials)
}

// Rewrite makes the raw logs again from trials.
func (d *Dir) Rewrite(trials []Trial) error {
	for _, log := range d.raw {
		log.file.Close()
	}
	d.raw = map[int]*rawLog{}
	if err := rooted.FreshDir(d.Root, rawDir); err != nil {
		return err
	}
	for _, t := range trials {
		if err := d.appendRaw(t); err != nil {
			return err
		}
	}
	return nil
}

// Save writes the plan, without secrets. It replaces the old one only when the new one
// is whole. A plan that Read would refuse is refused.
func (d *Dir) Save() error {
	plan := d.Session.Redacted()
	if err := plan.check(); err != nil {
		return fmt.Errorf("the plan cannot be kept: %w; measure less, with -bench or -mode", err)
	}
	data, err := json.MarshalIndent(plan, "", "\t")
	if err != nil {
		return err
	}
	return rooted.WriteFile(d.Root, planFile, append(data, '\n'))
}

// Append stores trials at once, so that nothing measured is lost when the run
// ends early. Those of one call are stored together or not at all, as far as the
// system lets them.
func (d *Dir) Append(trials ...Trial) error {
	if d.trials == nil {
		f, err := d.openTrials()
		if err != nil {
			return err
		}
		d.trials = f
	}
	var lines []byte
	for _, t := range trials {
		t.Err = secret.Hide(t.Err)
		line, err := json.Marshal(t)
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	if d.whole += int64(len(lines)); d.whole > maxTrials {
		return fmt.Errorf("%s would have more than the %d bytes that lessgc reads; start a new comparison", filepath.Join(d.Path, trialsFile), maxTrials)
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
// off: it was passed over when the file was read.
func (d *Dir) openTrials() (*os.File, error) {
	if err := mustBeRegular(d.Root, trialsFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := d.Root.OpenFile(trialsFile, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(d.whole); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Discard removes a result directory that holds no trial which did not fail, and closes
// it.
func (d *Dir) Discard() {
	d.Root.RemoveAll(rawDir)
	d.Root.Remove(trialsFile)
	d.Root.Remove(planFile)
	d.Close()
	os.Remove(d.Path) // stays if something else is in it
}

// Close closes the files, and lets other processes write. The directory stays as
// it is. A second Close does nothing.
func (d *Dir) Close() error {
	if d.lock == nil {
		return nil
	}
	var errs []error
	if d.trials != nil {
		errs = append(errs, d.trials.Close())
	}
	for _, log := range d.raw {
		errs = append(errs, log.file.Close())
	}
	errs = append(errs, d.lock.Release(), d.Root.Close())
	d.lock = nil
	return errors.Join(errs...)
}

// Read reads a result directory.
func Read(path string) (*Session, []Trial, error) {
	root, err := os.OpenRoot(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, noResults(path)
	}
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	s, trials, _, err := readAll(root, path)
	return s, trials, err
}

// ErrNone is about a folder that is not there or has no session in it.
var ErrNone = errors.New("no results of lessgc compare")

func noResults(path string) error {
	return fmt.Errorf("%s holds %w (there is no %s in it)", path, ErrNone, planFile)
}

// startNew is the advice on a plan that no run has written.
const startNew = "lessgc did not write this: start a new comparison"

func readAll(root *os.Root, path string) (s *Session, trials []Trial, whole int64, err error) {
	data, err := readFile(root, planFile, maxPlan)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, 0, noResults(path)
	}
	if err != nil {
		return nil, nil, 0, err
	}
	s, err = decodePlan(data)
	if format := new(formatError); errors.As(err, &format) {
		return nil, nil, 0, fmt.Errorf("%s is of format %q; this lessgc reads %s: take the lessgc that measured it, or measure again into another folder", path, format.found, Format)
	}
	if err != nil {
		return nil, nil, 0, fmt.Errorf("%s: %w", filepath.Join(path, planFile), err)
	}
	f, err := open(root, trialsFile, maxTrials)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil, 0, nil
	}
	if err != nil {
		return nil, nil, 0, err
	}
	defer f.Close()
	trials, whole, err = decodeTrials(f, s)
	if err != nil {
		return nil, nil, 0, fmt.Errorf("%s:%w", filepath.Join(path, trialsFile), err)
	}
	return s, Latest(trials), whole, nil
}

// A formatError is a plan of another version.
type formatError struct{ found string }

func (e *formatError) Error() string { return fmt.Sprintf("format %q", visible.Short(e.found, 100)) }

// decodePlan reads and checks session.json.
func decodePlan(data []byte) (*Session, error) {
	if n := bytes.Count(data, []byte("{")); n > maxObjects {
		return nil, fmt.Errorf("it has %d objects, more than the %d that lessgc reads; %s", n, maxObjects, startNew)
	}
	var head struct{ Format string }
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.Format != Format {
		return nil, &formatError{head.Format}
	}
	s := new(Session)
	if err := json.Unmarshal(data, s); err != nil { // that of a time has all of what is none
		return nil, fmt.Errorf("%s; %s", visible.Short(err.Error(), 500), startNew)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%w; %s", err, startNew)
	}
	return s, nil
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

// decodeTrials reads and checks trials.jsonl, up to its last whole line. The error
// begins with the number of the line.
func decodeTrials(r io.Reader, s *Session) (trials []Trial, whole int64, err error) {
	lines := bufio.NewReaderSize(r, maxLine)
	units := map[string]bool{}
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			return trials, whole, nil // a line without its end was cut off
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			err = fmt.Errorf("it is longer than %d bytes", maxLine)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("%d: %w; remove the line", number, err)
		}
		whole += int64(len(line))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if len(trials) == maxRecords {
			return nil, 0, fmt.Errorf("%d: there are more than %d trials; start a new comparison", number, maxRecords)
		}
		var t Trial
		err = json.Unmarshal(line, &t)
		if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
			return nil, 0, fmt.Errorf("%d: %q cannot be %s; remove the line", number,
				visible.Short(wrong.Field, 100), visible.Short(wrong.Value, 100))
		}
		if err != nil {
			s.Notes = append(s.Notes, fmt.Sprintf("line %d of %s could not be read and is left out", number, trialsFile))
			if len(s.Notes) > maxNotes {
				return nil, 0, fmt.Errorf("%d: %s; too many lines are like this: start a new comparison", number, visible.Short(err.Error(), 500))
			}
			continue
		}
		if t.Cell < 0 || t.Cell >= len(s.Cells) || t.Row < 0 || t.Row >= len(s.Rows) {
			return nil, 0, fmt.Errorf("%d: the trial is of a cell or row that %s does not have", number, planFile)
		}
		if err := t.Check(); err != nil {
			return nil, 0, fmt.Errorf("%d: %w; remove the line", number, err)
		}
		for _, v := range t.Values {
			units[v.Unit] = true
		}
		if len(units) > maxUnits {
			return nil, 0, fmt.Errorf("%d: there are more than %d metrics; start a new comparison and report fewer", number, maxUnits)
		}
		trials = append(trials, t)
	}
}
