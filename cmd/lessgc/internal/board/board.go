// Package board keeps what became of changes that lessgc apply has tried: what was predicted, what was measured, and
// whether they were kept. One board comes with the command, of public modules; the other is the user's own.
//
// A board is a file of JSON lines, each an [Entry]. Fields may be added; readers skip those they do not know.
package board

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"lessgc/cmd/lessgc/internal/input"
)

// An Entry is a change that was tried, in the benchmark that it was predicted to matter most to.
type Entry struct {
	Time      time.Time `json:"time"`
	Tool      string    `json:"tool,omitempty"`
	Go        string    `json:"go,omitempty"`
	Module    string    `json:"module"` // path@version, or the path and a commit
	Lever     string    `json:"lever"`
	Line      string    `json:"line"`    // file:line
	Outcome   string    `json:"outcome"` // as package apply names them
	Benchmark string    `json:"benchmark,omitempty"`
	Predicted *Range    `json:"predicted,omitempty"` // share of the benchmark's CPU time; nil if nothing was
	Measured  *Range    `json:"measured,omitempty"`  // 95 % interval of the share that was saved; nil if it was not measured
	Saved     float64   `json:"saved,omitempty"`     // the estimate of Measured
	Memory    *Range    `json:"memory,omitempty"`    // predicted share of the benchmark's bytes that go; nil if nothing was
	Freed     *float64  `json:"freed,omitempty"`     // share of the bytes that went; nil if they were not counted
	Allocs    string    `json:"allocs,omitempty"`    // per operation, before -> after
}

// A Range has both ends of a share, 0 to 1; less than 0 is a cost.
type Range struct {
	Lo float64 `json:"lo"`
	Hi float64 `json:"hi"`
}

// A Score is the outcome of a prediction.
type Score string

const (
	Inside      Score = "inside"
	Outside     Score = "outside"
	Noisy       Score = "too noisy" // the measurement knows less than the prediction
	Unpredicted Score = "not predicted"
)

// Score compares the prediction with the measurement; "" if nothing was measured.
func (e Entry) Score() Score {
	switch p, m := e.Predicted, e.Measured; {
	case m == nil:
		return ""
	case p == nil:
		return Unpredicted
	case m.Hi-m.Lo > p.Hi-p.Lo:
		return Noisy
	case p.Lo <= e.Saved && e.Saved <= p.Hi:
		return Inside
	}
	return Outside
}

// resolution is a share of bytes that counts as none.
const resolution = 0.001

// MemoryScore compares what was predicted of bytes with what was counted; "" if they were not counted.
func (e Entry) MemoryScore() Score {
	switch p := e.Memory; {
	case e.Freed == nil:
		return ""
	case p == nil:
		return Unpredicted
	case p.Lo-resolution <= *e.Freed && *e.Freed <= p.Hi+resolution:
		return Inside
	}
	return Outside
}

// check finds what no entry has: the file may come from elsewhere.
func (e Entry) check() error {
	if e.Lever == "" || e.Outcome == "" {
		return errors.New("it has no lever, or no outcome")
	}
	shares := []float64{e.Saved}
	if e.Freed != nil {
		shares = append(shares, *e.Freed)
	}
	for _, r := range []*Range{e.Predicted, e.Measured, e.Memory} {
		if r != nil {
			shares = append(shares, r.Lo, r.Hi)
		}
	}
	for _, s := range shares {
		if math.IsNaN(s) || s < -100 || s > 2 {
			return fmt.Errorf("invalid share %g", s)
		}
	}
	return nil
}

//go:embed public.jsonl
var public []byte

// Public are the entries of public modules.
var Public = sync.OnceValue(func() []Entry {
	all, err := parse(public)
	if err != nil {
		panic("public.jsonl: " + err.Error()) // a test reads it
	}
	return all
})

func parse(data []byte) (all []Entry, err error) {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		all = append(all, e)
	}
	return all, nil
}

// File returns the name of the user's own board: LESSGC_SCOREBOARD, or scoreboard.jsonl in the folder for lessgc's
// settings.
func File() (string, error) {
	if name := os.Getenv("LESSGC_SCOREBOARD"); name != "" {
		return name, nil
	}
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "lessgc", "scoreboard.jsonl"), err
}

// maxBoard bounds a board, in bytes: some hundred thousand entries.
const maxBoard = 64 << 20

// Read reads a board; one that is not there is empty.
func Read(file string) ([]Entry, error) {
	data, err := input.ReadFile(file, maxBoard)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; repair the line, or move the file away", file, err)
	}
	return all, nil
}

// Append adds an entry to a board, which is made if it is not there. Several processes may do so at once.
func Append(file string, e Entry) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n')) // in one write, so that lines stay whole
	return errors.Join(err, f.Close())
}

// A Sum is the record of a lever.
type Sum struct {
	Lever    string         `json:"lever"`
	Tried    int            `json:"tried"`
	Kept     int            `json:"kept"`
	Measured int            `json:"measured"` // by a comparison, which decided
	Outcomes map[string]int `json:"outcomes"`
	Scores   map[Score]int  `json:"scores"`           // of CPU time
	Memory   map[Score]int  `json:"memory,omitempty"` // of bytes
	Saved    *Range         `json:"saved,omitempty"`  // the least and the most that a kept change has saved
}

// Scored returns how many predictions could be told right from wrong, and how many were right, of Scores or Memory.
func Scored(of map[Score]int) (inside, scored int) {
	return of[Inside], of[Inside] + of[Outside]
}

// Format is the version of a Report.
const Format = "lessgc-scoreboard/1"

// A Report is a board with its sums, for programs.
type Report struct {
	Format  string  `json:"format"`
	Tool    string  `json:"tool"`
	Levers  []Sum   `json:"levers"` // "" is all together
	Entries []Entry `json:"entries"`
}

// Sums are the records of the levers, by name, and of all together, under "".
func Sums(entries []Entry) []Sum {
	by := map[string]*Sum{}
	for _, e := range entries {
		for _, name := range []string{e.Lever, ""} {
			s := by[name]
			if s == nil {
				s = &Sum{Lever: name, Outcomes: map[string]int{}, Scores: map[Score]int{}, Memory: map[Score]int{}}
				by[name] = s
			}
			s.add(e)
		}
	}
	var all []Sum
	for _, name := range slices.Sorted(maps.Keys(by)) {
		all = append(all, *by[name])
	}
	return all
}

func (s *Sum) add(e Entry) {
	s.Tried++
	s.Outcomes[e.Outcome]++
	if score := e.Score(); score != "" {
		s.Measured++
		s.Scores[score]++
	}
	if score := e.MemoryScore(); score != "" {
		s.Memory[score]++
	}
	if e.Outcome != "kept" {
		return
	}
	s.Kept++
	switch {
	case s.Saved == nil:
		s.Saved = &Range{e.Saved, e.Saved}
	default:
		s.Saved.Lo, s.Saved.Hi = min(s.Saved.Lo, e.Saved), max(s.Saved.Hi, e.Saved)
	}
}

// Text is the record in a few words: "kept 12 of 15, CPU time inside its range 9 of 11, bytes 13 of 15".
func (s Sum) Text() string {
	text := fmt.Sprintf("kept %d of %d", s.Kept, s.Tried)
	var parts []string
	if inside, scored := Scored(s.Scores); scored > 0 {
		parts = append(parts, fmt.Sprintf("CPU time inside its range %d of %d", inside, scored))
	}
	if n := s.Scores[Noisy]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d too noisy", n))
	}
	if inside, scored := Scored(s.Memory); scored > 0 {
		parts = append(parts, fmt.Sprintf("bytes inside their range %d of %d", inside, scored))
	}
	return strings.Join(append([]string{text}, parts...), ", ")
}
