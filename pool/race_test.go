//go:build race

package pool_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"lessgc/pool"
)

// A race is a program in which a goroutine uses a value that another one has put
// back. Nothing but the race detector notices, and it names the line after the
// call of at.
type race struct {
	name string
	do   func(place *string)
}

var races = []race{
	{"Buffer read after Put", readAfterPut("contents")},
	// The pool keeps no memory that was large only once.
	{"large Buffer read after Put", readAfterPut(strings.Repeat("x", 100<<10))},
	{"value read after Put", func(place *string) {
		var p pool.Pool[request]
		v := p.Get()
		done := elsewhere(func() {
			at(place)
			sink += v.id
		})
		p.Put(v)
		wait(done)
	}},
	{"value read after Put, and after other uses of the pool", func(place *string) {
		var p pool.Pool[request]
		stale := p.Get()
		next := elsewhere(func() {
			time.Sleep(time.Second / 10)
			for v := (*request)(nil); v != stale; v = p.Get() {
			}
			stale.id = 7
		})
		p.Put(stale)
		var others []*request
		for range 20 {
			others = append(others, p.Get())
		}
		for _, v := range others[1:] {
			p.Put(v)
		}
		at(place)
		sink += stale.id
		p.Put(others[0])
		wait(next)
	}},
}

// readAfterPut reads the bytes of a Buffer with these contents.
func readAfterPut(contents string) func(place *string) {
	return func(place *string) {
		var p pool.Buffers
		b := p.Get(0)
		b.WriteString(contents)
		held := b.Bytes()
		done := elsewhere(func() {
			at(place)
			sink += int(held[0])
		})
		p.Put(b)
		wait(done)
	}
}

// elsewhere calls f in another goroutine.
func elsewhere(f func()) chan bool {
	done := make(chan bool)
	go func() {
		f()
		runtime.RaceDisable()
		close(done)
		runtime.RaceEnable()
	}()
	return done
}

// wait waits for f of elsewhere without ordering it for the race detector.
func wait(done chan bool) {
	runtime.RaceDisable()
	<-done
	runtime.RaceEnable()
}

// tries limits the runs of a program until its race is reported: the detector keeps only the
// last accesses to a word, and does not see all races of goroutines that access it at the
// same moment. On a busy machine it misses at most one in eight runs of these programs.
const tries = 6

// TestRace runs this test again for each program, which must report a race.
func TestRace(t *testing.T) {
	if name := os.Getenv("LESSGC_POOL_RACE"); name != "" {
		for _, r := range races {
			if r.name == name {
				var place string
				r.do(&place)
				os.Stdout.WriteString("place " + place + "\n")
			}
		}
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range races {
		t.Run(r.name, func(t *testing.T) {
			for n := 1; ; n++ {
				cmd := exec.Command(exe, "-test.run=^TestRace$")
				cmd.Env = append(os.Environ(), "LESSGC_POOL_RACE="+r.name)
				out, err := cmd.CombinedOutput()
				_, place, _ := strings.Cut(string(out), "place ")
				place, _, _ = strings.Cut(place, "\n")
				if err != nil && place != "" && strings.Contains(string(out), "DATA RACE") && strings.Count(string(out), place) >= 2 {
					return
				}
				if n == tries {
					t.Fatalf("error %v, want a data race at %q:\n%s", err, place, out)
				}
			}
		})
	}
}
