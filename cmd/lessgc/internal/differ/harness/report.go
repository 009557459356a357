package harness

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

// Mark begins the lines by which a test tells what it has found, and Phase those by which it tells what it does.
const (
	Mark  = "lessgc-differ: "
	Phase = "lessgc-differ-phase: "
)

// settings are what the environment asks for.
type settings struct {
	duration time.Duration
	seed     uint64
	careful  bool // small inputs only
}

func newSettings() *settings {
	s := &settings{duration: time.Second, seed: 1, careful: os.Getenv("LESSGC_DIFFER_CAREFUL") != ""}
	if d, err := time.ParseDuration(os.Getenv("LESSGC_DIFFER_DURATION")); err == nil {
		s.duration = d
	}
	if n, err := strconv.ParseUint(os.Getenv("LESSGC_DIFFER_SEED"), 10, 64); err == nil {
		s.seed = n
	}
	return s
}

// A report is what has been found.
type report struct {
	mu sync.Mutex

	Inputs, Panicked int    // inputs that were played, and those for which both functions panicked
	Varied           int    // inputs for which the outcomes of the old function differ
	Difference       string // between the functions, in one sentence
	Unstable         string // how the outcomes of the old function differ
	Slow             string // what took too long
	Cannot           string // why no inputs can be made
}

// print writes the report for package differ, after what a panic says about a type that cannot be made.
func (r *report) print(s *settings) {
	if failed := recover(); failed != nil {
		why, ok := failed.(cannot)
		if !ok {
			panic(failed)
		}
		r.Cannot = string(why)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write()
}

func (r *report) write() {
	line, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	fmt.Printf("\n%s%s\n", Mark, line)
}

// end writes the report and ends the process, as a call cannot be stopped.
func (r *report) end(set func()) {
	r.mu.Lock()
	set()
	r.write()
	os.Exit(3)
}

// phase tells what is done from now on, and after how many inputs, for the case that the process ends in it.
func phase(name string, inputs int) { fmt.Printf("\n%s%s %d\n", Phase, name, inputs) }
