// Package repeats finds functions of the user's own module that do the same work more than once
// in one operation of a benchmark: with the same arguments, in the same memory, and with the
// same result.
//
// It builds the tests once more, by go build's -overlay, with calls of folder record in the
// functions that cost most and around the statements of benchmarks, and runs a few operations.
// Nothing in the user's folders is written.
package repeats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"lessgc/cmd/lessgc/internal/input"
)

// A Function is one that has been called with the same input again. Numbers are means per operation
// that calls it.
type Function struct {
	Func   string  `json:"func"` // as in profiles
	Calls  float64 `json:"calls"`
	Inputs float64 `json:"inputs"`           // distinct ones
	Across float64 `json:"across,omitempty"` // repeats by other call paths than the first
	Within float64 `json:"within,omitempty"` // repeats by one call path

	Texts    float64 `json:"texts,omitempty"`    // short strings that it returns
	Distinct float64 `json:"distinct,omitempty"` // distinct ones of these

	Places []Line `json:"places,omitempty"` // where the call paths of repeats part
	Lines  []Line `json:"lines,omitempty"`  // that call it with the same input again, by themselves
}

// A Line is a line that leads to calls of a function.
type Line struct {
	Func  string  `json:"func"`
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Calls float64 `json:"calls"`
	Again float64 `json:"again,omitempty"` // of those, with an input of which there was a call before

	Entered float64 `json:"entered,omitempty"` // calls of the line's function; 0 if not known
}

// File is the name of the results in a result folder.
const File = "repeats.json"

const format = "lessgc repeats 1"

type file struct {
	Format    string     `json:"format"`
	Functions []Function `json:"functions"`
}

// Write writes results into a folder; nothing if there are none.
func Write(dir string, all []Function) error {
	if len(all) == 0 {
		return nil
	}
	data, err := json.MarshalIndent(file{format, all}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, File), append(data, '\n'), 0o666)
}

// Bounds of what is read: the file may come from anybody.
const (
	maxFile      = 4 << 20
	maxFunctions = 200
	maxLines     = 64
)

// Read reads the results of a folder; none if there is no such file.
func Read(dir string) ([]Function, error) {
	name := filepath.Join(dir, File)
	data, err := input.ReadFile(name, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%s: %w; run lessgc advise again", name, err)
	}
	if f.Format != format {
		return nil, fmt.Errorf("%s is of format %.40q, and this lessgc reads %s; run lessgc advise again", name, f.Format, format)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("%s: %w; run lessgc advise again", name, err)
	}
	return f.Functions, nil
}

func (f *file) check() error {
	if len(f.Functions) > maxFunctions {
		return fmt.Errorf("it is about %d functions", len(f.Functions))
	}
	for _, x := range f.Functions {
		if !sound(x.Calls) || !sound(x.Inputs) || !sound(x.Across) || !sound(x.Within) || !sound(x.Texts) || !sound(x.Distinct) || x.Distinct > x.Texts || x.Func == "" || len(x.Places) > maxLines || len(x.Lines) > maxLines ||
			x.Across+x.Within > x.Calls {
			return fmt.Errorf("the numbers of %.100q make no sense", x.Func)
		}
		for _, l := range append(x.Places, x.Lines...) {
			if !sound(l.Calls) || !sound(l.Again) || !sound(l.Entered) || l.Line < 1 || l.File == "" {
				return fmt.Errorf("a line of %.100q makes no sense", x.Func)
			}
		}
	}
	return nil
}

func sound(x float64) bool { return x >= 0 && x < math.MaxInt32 }
