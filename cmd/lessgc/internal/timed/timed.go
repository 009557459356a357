// Package timed has the test binaries that lessgc builds measure the region that
// package testing times: from StartTimer to StopTimer, without set-up, the iterations
// that find out how many there are to be, and the start of the process.
//
// It does that by go build's -overlay: a copy of the toolchain's own package testing
// in which four methods of B call the code of folder region. No file of the user's or
// of the toolchain's is written, and what the benchmark prints stays as it is.
package timed

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Flag is the flag of a test binary that names the file for its regions.
const Flag = "-test.lessgctimed"

// CounterFlag is the flag of a test binary that gives the descriptor of a counter of
// instructions; it is opened by whoever starts it: see package trial.
const CounterFlag = "-test.lessgccounter"

// TurnsFlag is the flag of a test binary that takes turns with others: a number of
// iterations, a colon and the name of a file. See package turns.
const TurnsFlag = "-test.lessgcturns"

//go:embed region/*.go
var region embed.FS

// Systems lists the values of GOOS whose CPU clocks folder region can read.
var Systems = []string{"darwin", "dragonfly", "freebsd", "linux", "netbsd", "openbsd", "windows"}

// Overlay writes into dir the files that stand in for some of the toolchain's, and
// returns which for which, as go build's -overlay wants them. goroot is that of the
// toolchain, as its go command names it. The error says that its package testing is
// not as any that is known.
func Overlay(dir, goroot string) (map[string]string, error) {
	testing := filepath.Join(goroot, "src", "testing")
	source, err := os.ReadFile(filepath.Join(testing, "benchmark.go"))
	if err != nil {
		return nil, err
	}
	changed, err := instrument(source)
	if err != nil {
		return nil, fmt.Errorf("package testing of %s: %w", goroot, err)
	}
	replace := map[string]string{}
	write := func(name string, data []byte) error {
		file := filepath.Join(dir, name)
		replace[filepath.Join(testing, name)] = file
		return os.WriteFile(file, data, 0o666)
	}
	if err := write("benchmark.go", changed); err != nil {
		return nil, err
	}
	files, err := region.ReadDir("region")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		data, err := region.ReadFile("region/" + f.Name())
		if err != nil {
			return nil, err
		}
		if err := write("lessgc_"+f.Name(), data); err != nil {
			return nil, err
		}
	}
	return replace, nil
}

// A Region holds the figures of the time in which the timer of a benchmark ran.
type Region struct {
	User, System time.Duration // CPU time, with that of children waited for
	// Busy is for how long Ps were not idle, added up over them, by the clock of the
	// runtime: from the end of the last collection before the region to that of the
	// last one in it. The collector's own figures are to be compared with it: both
	// count a thread that the system does not let run.
	Busy time.Duration
	// Instructions counts instructions in user mode, of all threads and of children; 0
	// if they are not known.
	Instructions int64

	spans [][2]uint64
}

// Has reports whether the collection of that number ended in the region.
func (r *Region) Has(cycle int) bool {
	return slices.ContainsFunc(r.spans, func(s [2]uint64) bool { return uint64(cycle) > s[0] && uint64(cycle) <= s[1] })
}

// maxFile bounds what is read: thousands of times the length of a line.
const maxFile = 16 << 20

// Read finds the region of a benchmark, named with "Benchmark", of n iterations, in the file of a
// process. The last one counts.
func Read(file, name string, n int) (*Region, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, errors.New("it did not tell what its timed region cost")
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("its timed regions are %d bytes long", info.Size())
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var found *Region
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != 7 || fields[6] != name || fields[0] != strconv.Itoa(n) {
			continue
		}
		if r, ok := parse(fields); ok {
			found = r
		}
	}
	if found == nil {
		return nil, fmt.Errorf("it did not tell what the timed region of %s cost", name)
	}
	return found, nil
}

func parse(fields []string) (*Region, bool) {
	var times [3]int64
	for i := range times {
		t, err := strconv.ParseInt(fields[1+i], 10, 64)
		if err != nil || t < 0 {
			return nil, false
		}
		times[i] = t
	}
	r := &Region{User: time.Duration(times[0]), System: time.Duration(times[1]), Busy: time.Duration(times[2])}
	if fields[4] != "-" {
		n, err := strconv.ParseInt(fields[4], 10, 64)
		if err != nil || n < 0 {
			return nil, false
		}
		r.Instructions = n
	}
	if fields[5] == "-" {
		return r, true
	}
	for span := range strings.SplitSeq(fields[5], ",") {
		first, last, _ := strings.Cut(span, "-")
		lo, err1 := strconv.ParseUint(first, 10, 64)
		hi, err2 := strconv.ParseUint(last, 10, 64)
		if err1 != nil || err2 != nil || hi < lo {
			return nil, false
		}
		r.spans = append(r.spans, [2]uint64{lo, hi})
	}
	return r, true
}
