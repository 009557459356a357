package live

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"

	"lessgc/internal/methods"
	"lessgc/internal/pacing"
)

var sink []byte

// TestRead checks that values move as the program does.
func TestRead(t *testing.T) {
	const size, times = 1 << 20, 50
	a := Read()
	for range times {
		sink = make([]byte, size)
	}
	runtime.GC()
	b := Read()
	check := func(what string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("%s:\n%+v\n%+v", what, a, b)
		}
	}
	check("bytes", b.AllocBytes-a.AllocBytes >= size*times)
	check("objects", b.AllocObjects-a.AllocObjects >= times)
	check("forced collections", b.GCForced == a.GCForced+1)
	check("automatic collections", b.GCAutomatic >= a.GCAutomatic)
	check("pauses", total(b.Pauses) >= total(a.Pauses)+2)
	check("time stopped", b.PauseSeconds > a.PauseSeconds)
	check("CPU time available", b.CPU.Total > a.CPU.Total)
	check("CPU time", b.CPU.GCDedicated+b.CPU.GCIdle > a.CPU.GCDedicated+a.CPU.GCIdle)
	sum := b.CPU.User + b.CPU.Idle + b.CPU.GCAssist + b.CPU.GCDedicated + b.CPU.GCIdle + b.CPU.GCPause + b.CPU.Scavenge
	check("sum of CPU times", math.Abs(sum-b.CPU.Total) < 1e-3*b.CPU.Total)
	check("live heap", b.HeapLive >= size && b.HeapGoal >= b.HeapLive)
	check("heap", b.HeapBytes >= size && b.HeapObjects > 0 && b.Memory >= b.HeapBytes)
	check("goroutines", b.Goroutines >= 1 && b.GOMAXPROCS == uint64(runtime.GOMAXPROCS(0)))
	check("process", a.Start.Equal(b.Start) && b.Time.After(a.Time) && a.Time.After(a.Start) && b.Go == runtime.Version())
	if runtime.GOOS == "linux" {
		check("what the system says", b.RSS >= size && b.CPUSeconds > 0 && b.CPUSeconds >= a.CPUSeconds)
	}
}

func total(all []Bucket) (n uint64) {
	for _, b := range all {
		n += b.Count
	}
	return n
}

// TestSettings checks the values that stand for off.
func TestSettings(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	if s := Read(); s.GOGC != -1 || s.MemoryLimit != math.MaxInt64 {
		t.Errorf("GOGC %d, limit %d", s.GOGC, s.MemoryLimit)
	}
	debug.SetGCPercent(150)
	debug.SetMemoryLimit(1 << 40)
	if s := Read(); s.GOGC != 150 || s.MemoryLimit != 1<<40 {
		t.Errorf("GOGC %d, limit %d", s.GOGC, s.MemoryLimit)
	}
}

// TestKnown checks that this release has all metrics, and that one it lacks changes
// nothing.
func TestKnown(t *testing.T) {
	have := map[string]bool{}
	for _, d := range metrics.All() {
		have[d.Name] = true
	}
	for _, m := range known {
		if !have[m.name] {
			t.Errorf("%s has no %s", runtime.Version(), m.name)
		}
		s := Snapshot{AllocBytes: 1, Memory: 1, GOGC: 1}
		m.set(&s, metrics.Value{})
		if want := (Snapshot{AllocBytes: 1, Memory: 1, GOGC: 1}); !reflect.DeepEqual(s, want) {
			t.Errorf("without %s: %+v", m.name, s)
		}
	}
}

func TestCompact(t *testing.T) {
	inf := math.Inf(1)
	got := compact(&metrics.Float64Histogram{Counts: []uint64{1, 0, 3, 4}, Buckets: []float64{-inf, 0, 1, 2, inf}})
	want := []Bucket{{0, 0, 1}, {1, 2, 3}, {2, 2, 4}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestHandler(t *testing.T) {
	get := func(method string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, httptest.NewRequest(method, "/debug/lessgc", nil))
		return w
	}
	w := get("GET")
	var s Snapshot
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	if h := w.Header(); w.Code != http.StatusOK || h.Get("Cache-Control") != "no-store" || h.Get("Content-Type") != "application/json" {
		t.Errorf("%d %v", w.Code, h)
	}
	if s.Format != Format || s.AllocBytes == 0 || s.Time.IsZero() {
		t.Errorf("%+v", s)
	}
	if w := get("POST"); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") == "" {
		t.Errorf("POST: %d %v", w.Code, w.Header())
	}
}

// TestJSON checks that the form loses nothing.
func TestJSON(t *testing.T) {
	runtime.GC() // so that there are pauses
	want := Read()
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Snapshot
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if !got.Time.Equal(want.Time) || !got.Start.Equal(want.Start) {
		t.Errorf("%v %v, want %v %v", got.Start, got.Time, want.Start, want.Time)
	}
	got.Time, got.Start = want.Time, want.Start
	if len(got.Pauses) == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestConcurrent reads while others do: counters never fall for any of them.
func TestConcurrent(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			last := Read()
			for range 100 {
				s := Read()
				if s.AllocBytes < last.AllocBytes || total(s.Pauses) < total(last.Pauses) || s.Time.Before(last.Time) {
					t.Errorf("%+v after %+v", s, last)
				}
				last = s
			}
		})
	}
	all.Wait()
}

// TestMethods checks that an answer has what the methods of package arenagrpc did.
func TestMethods(t *testing.T) {
	said := true
	methods.Add(func() ([]methods.Method, bool) {
		return []methods.Method{{Method: "/a.B/C", Messages: 1, Bytes: 2, Memory: 3, Objects: 4, Kept: 5, Errors: 6, Live: 7, Audited: 8, Escapes: 9, Fallback: "x"}}, said
	})
	got, err := json.Marshal(Read().Methods)
	if want := `[{"method":"/a.B/C","messages":1,"bytes":2,"memory":3,"objects":4,"kept":5,"errors":6,"live":7,"audited":8,"escapes":9,"fallback":"x"}]`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	said = false
	Read()
}

// TestPace checks that an answer has what package pace does, if it does something.
func TestPace(t *testing.T) {
	if p := Read().Pace; p != nil {
		t.Errorf("%+v before it is started", p)
	}
	pacing.Set(func() pacing.Figures { return pacing.Figures{State: "steady", Limit: 1, Calls: 2} })
	got, err := json.Marshal(Read().Pace)
	want := `{"state":"steady","limit":1,"memoryLimit":0,"gogc":0,"target":0,"margin":0,"outside":0,"memory":0,"nonHeap":0,"live":0,"goal":0,` +
		`"share":0,"bound":0,"limited":false,"needed":0,"cycles":0,"looks":0,"gogcChanges":0,"limitChanges":0,"episodes":0,"calls":2,"releases":0}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	pacing.Set(nil)
	if p := Read().Pace; p != nil {
		t.Errorf("%+v after it was stopped", p)
	}
}
