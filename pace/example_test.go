package pace_test

import (
	"expvar"
	"fmt"
	"net/http"
	"sync"

	"lessgc/live"
	"lessgc/pace"
)

// One line in main.
func Example() {
	defer pace.Start(pace.Options{}).Stop()

	fmt.Println("serving")
	// Output: serving
}

// A cache gives back half of what it holds when memory is short, and the service would rather be restarted than
// have the collector take a third of the CPU.
func ExampleStart() {
	var cache struct {
		sync.Mutex
		entries map[string][]byte
	}
	halve := func(now pace.Pressure) {
		cache.Lock()
		defer cache.Unlock()
		left := len(cache.entries) / 2
		for key := range cache.entries {
			if len(cache.entries) == left {
				break
			}
			delete(cache.entries, key)
		}
	}
	p := pace.Start(pace.Options{
		Limit:      2 << 30,
		MaxGC:      0.3,
		OnPressure: []func(pace.Pressure){halve},
		AtLimit:    pace.Crash,
	})
	defer p.Stop()

	s := p.Stats()
	fmt.Println(s.State, s.Limit>>20, s.Source, s.MemoryLimit < s.Limit)
	// Output: steady 2048 option true
}

// What pace does is served by expvar, if the program wants that, and by package live without more.
func ExamplePacer_String() {
	p := pace.Start(pace.Options{Limit: 2 << 30})
	defer p.Stop()
	expvar.Publish("pace", p)

	mux := http.NewServeMux()
	mux.Handle("/debug/vars", expvar.Handler())
	mux.Handle("/debug/lessgc", live.Handler())
	fmt.Println(live.Read().Pace.State)
	// Output: steady
}
