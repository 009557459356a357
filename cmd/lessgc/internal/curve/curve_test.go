package curve

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestConstants compares the pacer's constants with the source of the toolchain that runs the test.
func TestConstants(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("there is no go command")
	}
	source := ""
	for _, name := range []string{"mgcpacer.go", "mgc.go", "mgclimit.go", "mgcwork.go"} {
		data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "src", "runtime", name))
		if err == nil {
			source += string(data)
		}
	}
	if source == "" {
		t.Skip("the toolchain has no source")
	}
	check := func(name, pattern string, want float64) {
		t.Helper()
		m := regexp.MustCompile(pattern).FindStringSubmatch(source)
		if m == nil {
			t.Errorf("%s is not in package runtime as it was: is the model still right?", name)
			return
		}
		if got, err := strconv.ParseFloat(m[1], 64); err != nil || got != want {
			t.Errorf("%s is %s, and the model has %g", name, m[1], want)
		}
	}
	check("defaultHeapMinimum", `defaultHeapMinimum = [^\n]*\n[^\n]*\(1-goexperiment\.HeapMinimum512KiBInt\)\*\((\d+)<<20\)`, minHeap>>20)
	check("triggerRatioDen", `triggerRatioDen = (\d+)`, 64)
	check("minTriggerRatioNum", `minTriggerRatioNum = (\d+)`, 64*minTrigger)
	check("maxTriggerRatioNum", `maxTriggerRatioNum = (\d+)`, 64*maxTrigger)
	check("gcGoalUtilization", `gcBackgroundUtilization = ([\d.]+)`, utilization)
	check("memoryLimitHeapGoalHeadroomPercent", `memoryLimitHeapGoalHeadroomPercent = (\d+)`, 100*limitHeadroom)
	check("sweepMinHeapDistance", `sweepMinHeapDistance = (\d+) \* 1024`, sweepDistance>>10)
	check("minRunway", `minRunway = (\d+) << 10`, leastRunway>>10)
	check("memoryLimitMinHeapGoalHeadroom", `memoryLimitMinHeapGoalHeadroom = (\d+) << 20`, limitLeast/(1<<20))
}

func TestGoal(t *testing.T) {
	const mib = 1 << 20
	check := func(s Setting, live, roots, beside, want float64) {
		t.Helper()
		if got := s.Goal(live*mib, roots*mib, beside*mib) / mib; math.Abs(got-want) > 1e-9 {
			t.Errorf("%v, %g live: %g, want %g", s, live, got, want)
		}
	}
	check(Setting{100, NoLimit}, 10, 2, 5, 22)
	check(Setting{100, NoLimit}, 1, 0, 5, 4)
	check(Setting{50, NoLimit}, 0.1, 0, 5, 2)
	check(Setting{800, NoLimit}, 10, 0, 5, 90)
	check(Setting{25, NoLimit}, 1, 0, 5, 2) // a cycle starts after 1 MiB at the earliest
	check(Setting{25, 7 * mib}, 1, 0, 5, 1) // unless the limit sets the goal
	check(Setting{-1, NoLimit}, 10, 0, 5, math.Inf(1))
	check(Setting{-1, 105 * mib}, 10, 0, 5, 97)
	check(Setting{100, 105 * mib}, 10, 0, 5, 20)
	check(Setting{100, 20 * mib}, 10, 0, 5, 14) // the headroom is at least 1 MiB
	check(Setting{100, 12 * mib}, 10, 0, 5, 10) // never below the live heap
	check(Setting{-1, 4 * mib}, 10, 0, 5, 10)
}

// TestPredictPlants predicts from one run of programs of all kinds, and simulates what comes.
func TestPredictPlants(t *testing.T) {
	plants, all, inside, wide := 200, map[string]int{}, map[string]int{}, 0
	for seed := range uint64(plants) {
		p := random(seed)
		base := p.run(Setting{100, NoLimit}, seed)
		if share(base) > 0.5 { // the limiter would work, and no such service lives long
			continue
		}
		m, err := Fit(base)
		if err != nil {
			t.Fatalf("plant %d: %v", seed, err)
		}
		for _, gogc := range []float64{50, 200, 400, 800} {
			s := Setting{gogc, NoLimit}
			measured := p.run(s, seed+1e6)
			predicted := m.Predict(s)
			count := func(what string, v Value, x float64) {
				all[what]++
				if v.Has(x) {
					inside[what]++
				} else if testing.Verbose() {
					t.Logf("plant %d %v: %s %g, predicted %+v", seed, s, what, x, v)
				}
			}
			count("GC CPU", predicted.GC, share(measured))
			count("peak", predicted.RSS, measured.PeakRSS)
			if half := (predicted.GC.Hi - predicted.GC.Lo) / 2; half > 0.02 && half > 0.2*predicted.GC.Value {
				wide++
			}
		}
	}
	for what, n := range all {
		if inside[what] < n*9/10 {
			t.Errorf("%s: %d of %d inside of a 90 %% interval", what, inside[what], n)
		}
	}
	if n := all["GC CPU"]; wide > n/3 {
		t.Errorf("%d of %d intervals are too wide to choose by: only where assists hid how fast a program allocates should they be", wide, n)
	}
}

// TestLimitPlants checks that the limit at which collecting doubles is where the simulation has it.
func TestLimitPlants(t *testing.T) {
	all, inside := 0, 0
	for seed := range uint64(60) {
		p := random(seed)
		base := p.run(Setting{100, NoLimit}, seed)
		m, err := Fit(base)
		if err != nil {
			t.Fatalf("plant %d: %v", seed, err)
		}
		o, ok := m.Onset(100)
		if !ok {
			t.Fatalf("plant %d: no onset", seed)
		}
		last := base.Points[len(base.Points)-1]
		per := last.gc() / last.Alloc
		doubles := func(limit float64) bool {
			l := p.run(Setting{100, limit}, seed)
			last := l.Points[len(l.Points)-1]
			return last.gc()/last.Alloc >= 2*per
		}
		all++
		if doubles(o.Doubles.Lo*0.999) && !doubles(o.Doubles.Hi*1.001) {
			inside++
		} else if testing.Verbose() {
			t.Logf("plant %d: %+v", seed, o)
		}
	}
	if inside < all*9/10 {
		t.Errorf("%d of %d limits are inside of their interval", inside, all)
	}
}

// TestRoom checks that a plant whose live heap, or memory beside the heap, has grown by as much as Room says spends as much
// on collecting as it says.
func TestRoom(t *testing.T) {
	const mib = 1 << 20
	all, inside := 0, 0
	for seed := range uint64(120) {
		p := random(seed)
		most := 0.0
		for i := range 100 {
			most = max(most, p.live(p.total*float64(i)/100))
		}
		base := p.run(Setting{100, NoLimit}, seed)
		if share(base) > 0.2 { // too near to what is looked for
			continue
		}
		m, err := Fit(base)
		if err != nil {
			t.Fatalf("plant %d: %v", seed, err)
		}
		s := Setting{100, 6*most + 2*p.beside + 40*mib}
		r, ok := m.Room(s)
		if !ok {
			continue
		}
		check := func(what string, at func(more float64) plant, now float64, to Value) {
			all++
			few, many := at(to.Lo-now).run(s, seed+1e6), at(to.Hi-now).run(s, seed+1e6)
			if share(few) < r.Share*1.1 && (share(many) > r.Share*0.9 || to.Hi-now > 0.999*(s.Limit-r.Live-r.NonHeap)) {
				inside++
			} else if testing.Verbose() {
				t.Logf("plant %d: %s from %.1f to %.1f MiB (%.1f to %.1f): share %.3f to %.3f", seed, what, now/mib, to.Value/mib, to.Lo/mib, to.Hi/mib, share(few), share(many))
			}
		}
		check("live", func(more float64) plant {
			q := p
			q.live = func(alloc float64) float64 { return p.live(alloc) * (1 + more/r.Live) }
			return q
		}, r.Live, r.To)
		check("beside", func(more float64) plant {
			q := p
			q.beside += more
			return q
		}, r.NonHeap, r.Beside)
	}
	if all < 60 || inside < all*9/10 {
		t.Errorf("%d of %d inside", inside, all)
	}
	m, err := Fit(random(1).run(Setting{100, NoLimit}, 1))
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := m.Room(Setting{100, m.largest() + m.NonHeap}); ok {
		t.Errorf("no room, but %+v", r)
	}
	if r, ok := m.Room(Setting{100, NoLimit}); ok {
		t.Errorf("no limit, but %+v", r)
	}
}

// TestRoomOrder checks that what Room says lies in order and within the limit, for limits of any size and programs that collect
// much and hardly at all, and that the share it is of is one.
func TestRoomOrder(t *testing.T) {
	for seed := range uint64(24) {
		p := random(seed)
		if seed%3 == 0 {
			p.scan *= 1000 // hardly costs anything
		}
		m, err := Fit(p.run(Setting{100, NoLimit}, seed))
		if err != nil {
			t.Fatalf("plant %d: %v", seed, err)
		}
		for _, times := range []float64{0.01, 0.9, 1, 1.05, 2, 1000} {
			for _, gogc := range []float64{-1, 100} {
				s := Setting{gogc, times * (m.largest() + m.NonHeap)}
				r, ok := m.Room(s)
				if !ok {
					continue
				}
				inOrder := func(now float64, to Value) bool {
					return now <= to.Lo && to.Lo <= to.Value && to.Value <= to.Hi && to.Hi-now <= s.Limit-r.Live-r.NonHeap+1
				}
				if !inOrder(r.Live, r.To) || !inOrder(r.NonHeap, r.Beside) || !(r.Share >= SpiralShare && r.Share < 1) {
					t.Errorf("plant %d, %v: %+v", seed, s, r)
				}
			}
		}
	}
}

// TestLimitBelowLive checks that memory is at least the live heap, however low a limit is.
func TestLimitBelowLive(t *testing.T) {
	for seed := range uint64(40) {
		m, err := Fit(random(seed).run(Setting{100, NoLimit}, seed))
		if err != nil {
			t.Fatalf("plant %d: %v", seed, err)
		}
		for _, times := range []float64{0.01, 0.3, 0.9, 1} {
			p := m.Predict(Setting{-1, times * (m.largest() + m.NonHeap)})
			if least := m.largest() + m.NonHeap; p.RSS.Value < least {
				t.Errorf("plant %d: %v, %.0f MiB are live and %.0f beside, and %.0f resident", seed, p.Setting, m.largest()/(1<<20), m.NonHeap/(1<<20), p.RSS.Value/(1<<20))
			}
		}
	}
}

// TestLimiter checks that at a limit with hardly any room no more CPU time is predicted than there is: the runtime leaves half of it
// to the program.
func TestLimiter(t *testing.T) {
	for _, busy := range []float64{0.1, 1, 3.9} {
		p := plant{live: constant(100 << 20), roots: 1 << 20, rate: 300 << 20, busy: busy, procs: 4, scan: 500 << 20, fixed: 1e-4, beside: 8 << 20, total: 20 << 30, slow: 1}
		m, err := Fit(p.run(Setting{100, NoLimit}, 1))
		if err != nil {
			t.Fatal(err)
		}
		got := m.Predict(Setting{-1, 1.001 * (m.largest() + m.NonHeap) / (1 - limitHeadroom)})
		used := m.User * m.Rate // CPUs of the program itself
		left := min(used, 2)
		if most := 1 - left/4; !got.Spiral || got.GC.Value > most+0.01 {
			t.Errorf("%g CPUs used: %+v; at most %.2f", used, got, most)
		}
	}
}

// TestKept checks that a run that was written and read again is the same, and that what is none is refused.
func TestKept(t *testing.T) {
	r := random(3).run(Setting{100, 1 << 30}, 3)
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again Run
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r, &again) {
		t.Errorf("%+v, want %+v", again, *r)
	}
	for _, bad := range []string{`{}`, strings.Replace(string(data), columns, columns+" more", 1), strings.Replace(string(data), `["`, `["x`, 1), strings.Replace(string(data), `["`, `["1 `, 1)} {
		if err := json.Unmarshal([]byte(bad), &again); err == nil {
			t.Errorf("%.200s is read", bad)
		}
	}
}

// TestFinite checks that every figure of a report is one, for all settings.
func TestFinite(t *testing.T) {
	for seed := range uint64(40) {
		p := random(seed)
		for _, ends := range []bool{false, true} {
			r := p.run(Setting{100, NoLimit}, seed)
			r.Ends = ends
			s, err := New(r, Wishes{Memory: 1 << 30, Free: seed%2 == 0}, []float64{1 << 20, 100 << 20, 10 << 30})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := json.Marshal(s); err != nil {
				t.Errorf("plant %d, %v: %v", seed, ends, err)
			}
			last := s.Curve[len(s.Curve)-1]
			if ends && (last.Setting.GOGC != -1 || last.GC.Value > 1e-6 || last.Heap.Value < p.total/2) {
				t.Errorf("plant %d with GOGC=off: %+v", seed, last)
			}
			for i := 1; i < len(s.Curve); i++ {
				if a, b := s.Curve[i-1], s.Curve[i]; b.Heap.Value < a.Heap.Value*0.9 || b.GC.Value > a.GC.Value*1.1 {
					t.Errorf("plant %d: from %v to %v GC CPU goes from %g to %g, the heap from %g to %g", seed, a.Setting, b.Setting, a.GC.Value, b.GC.Value, a.Heap.Value, b.Heap.Value)
				}
			}
		}
	}
}

// TestRefused checks runs that nothing can be predicted from.
func TestRefused(t *testing.T) {
	p := random(3)
	good := p.run(Setting{100, NoLimit}, 3)
	check := func(what string, change func(r *Run)) {
		t.Helper()
		r := *good
		r.Points = append([]Point{}, good.Points...)
		change(&r)
		if _, err := Fit(&r); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if _, err := Fit(good); err != nil {
		t.Fatal(err)
	}
	check("no points", func(r *Run) { r.Points = nil })
	check("no GOMAXPROCS", func(r *Run) { r.Procs = 0 })
	check("a counter that falls", func(r *Run) { r.Points[2].Alloc = 0 })
	check("no number", func(r *Run) { r.Points[2].Live = math.NaN() })
	check("nothing allocated", func(r *Run) {
		for i := range r.Points {
			r.Points[i].Alloc = 5
		}
	})
	check("no CPU time", func(r *Run) {
		for i := range r.Points {
			r.Points[i].Dedicated, r.Points[i].Assist, r.Points[i].Idle = 0, 0, 0
		}
	})
	r := *good
	r.Points = good.Points[:5]
	if _, err := Fit(&r); !errors.Is(err, errFew) {
		t.Errorf("few collections: %v", err)
	}
}

// TestRecommend checks what is recommended of plants whose answer is known.
func TestRecommend(t *testing.T) {
	fit := func(p plant, gogc float64) *Model {
		t.Helper()
		m, err := Fit(p.run(Setting{gogc, NoLimit}, 1))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	small := plant{live: constant(2 << 20), roots: 1 << 20, rate: 1 << 30, busy: 2, procs: 4, scan: 500 << 20, fixed: 1e-4, beside: 8 << 20, total: 20 << 30, slow: 1}
	r := fit(small, 100).Recommend(Wishes{})
	if !r.Change || r.Best.Setting.GOGC < 300 || r.Saved.Value <= 0 || r.Why != Knee {
		t.Errorf("2 CPUs that collect 4 MiB heaps: %+v", r)
	}
	// A limit that the operator has set stays: what is recommended is predicted with it.
	bounded, err := Fit(small.run(Setting{100, 24 << 20}, 1))
	if err != nil {
		t.Fatal(err)
	}
	if r := bounded.Recommend(Wishes{}); r.Best.Setting.Limit != 24<<20 || r.Best.Heap.Value > 24<<20 {
		t.Errorf("with a limit of 24 MiB: %+v", r)
	}
	idle := small
	idle.rate, idle.total = 2<<20, 200<<20 // allocates next to nothing for its CPU time
	if r := fit(idle, 100).Recommend(Wishes{}); r.Change {
		t.Errorf("nothing to save: %+v", r)
	}
	big := plant{live: constant(2 << 30), roots: 1 << 20, rate: 100 << 20, busy: 0.1, procs: 4, scan: 2 << 30, fixed: 1e-4, beside: 50 << 20, total: 100 << 30, slow: 1}
	if r := fit(big, 100).Recommend(Wishes{}); !r.Change || r.Best.Setting.GOGC >= 100 || r.More.Value >= 0 {
		t.Errorf("2 GiB live and a tenth of a CPU: memory is what costs: %+v", r)
	}
	allowed := Wishes{Memory: 5 << 30, Free: true}
	m := fit(big, 100)
	if r := m.Recommend(allowed); r.Best.High() > allowed.Memory*(1-Reserve) {
		t.Errorf("more than is allowed: %+v", r)
	}
	if r := m.Recommend(Wishes{Memory: 1 << 30, Free: true}); r.Why != NoFit || r.Change {
		t.Errorf("a live heap larger than what is allowed: %+v", r)
	}
	o, ok := m.Onset(100)
	if !ok {
		t.Fatal("no onset")
	}
	if limit := m.LimitFor(o, Wishes{Memory: 2200 << 20, Free: true}); limit != 0 {
		t.Errorf("a limit of %g where collecting has doubled", limit)
	}
	if limit := m.LimitFor(o, Wishes{Memory: 8 << 30, Free: true}); !(limit > 7<<30) {
		t.Errorf("no limit where there is room: %g", limit)
	}
}
