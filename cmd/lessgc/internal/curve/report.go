package curve

import (
	"slices"
	"time"
)

// Format is the version of the JSON form of a Report.
const Format = "lessgc-tune/1"

// A Report holds tune's predictions for each program that it observed.
type Report struct {
	Format   string    `json:"format"`
	Tool     string    `json:"tool"`
	Created  time.Time `json:"created"`
	Replicas int       `json:"replicas,omitempty"` // of the service; 0 if it is one
	Weight   float64   `json:"weight"`             // bytes of memory that one CPU is worth
	Memory   float64   `json:"memory,omitempty"`   // bytes that a replica may take; 0 if nothing says
	From     string    `json:"memoryFrom,omitempty"`
	Subjects []Subject `json:"subjects"`
	Record   *Record   `json:"record,omitempty"` // of earlier predictions
}

// A Subject is one program, benchmark or service.
type Subject struct {
	Name    string   `json:"name"`
	Err     string   `json:"error,omitempty"` // why nothing is predicted; the rest is empty then
	Source  string   `json:"source"`          // what told the figures
	Notes   []string `json:"notes,omitempty"`
	Seconds float64  `json:"seconds"` // that it was observed
	Procs   float64  `json:"procs"`   // GOMAXPROCS
	Cycles  float64  `json:"cycles"`  // collections that were observed
	Live    float64  `json:"live"`    // largest heap that was live after a collection, bytes
	RSS     float64  `json:"rss"`     // peak, bytes; 0 if it is not known
	Of      string   `json:"of"`      // what shares of CPU time are of: Busy or Available
	Setting Setting  `json:"setting"` // that of the run

	Curve  []Prediction    `json:"curve"`            // by GOGC
	Limits []Prediction    `json:"limits,omitempty"` // by limit
	Onset  *Onset          `json:"onset,omitempty"`  // of the spiral, at the setting that is recommended
	Advice *Recommendation `json:"advice,omitempty"`
	Limit  float64         `json:"limit,omitempty"` // to set beside the advice; 0 for none
	Rooms  []Room          `json:"rooms,omitempty"` // below the limit of the run, those to predict for, and Limit

	Outcomes []Outcome `json:"outcomes,omitempty"` // of -prove
	Run      *Run      `json:"run,omitempty"`      // what was observed, to predict from again
}

// What shares of CPU time are of.
const (
	Busy      = "busy"      // what the program used
	Available = "available" // what it could have used
)

// An Outcome holds the measurements at a setting that had been predicted.
type Outcome struct {
	Setting   Setting    `json:"setting"`
	Predicted Prediction `json:"predicted"`
	GC        Value      `json:"gc"`  // median, and its interval
	RSS       Value      `json:"rss"` // likewise
	CPU       Value      `json:"cpu"` // as a ratio to the setting of the run
	Verdict   string     `json:"verdict,omitempty"`
	Err       string     `json:"error,omitempty"`
}

// A Record counts how often predictions held.
type Record struct {
	GC  Hits `json:"gc"`
	RSS Hits `json:"rss"`
	CPU Hits `json:"cpu"`
}

// Hits are measurements inside the interval of a prediction, of all.
type Hits struct {
	Inside int `json:"inside"`
	All    int `json:"all"`
}

// Add counts an outcome.
func (r *Record) Add(o Outcome) {
	count := func(h *Hits, predicted, measured Value) {
		if measured.Value > 0 && predicted.Value > 0 {
			h.All++
			if predicted.Has(measured.Value) {
				h.Inside++
			}
		}
	}
	count(&r.GC, o.Predicted.GC, o.GC)
	count(&r.RSS, o.Predicted.RSS, o.RSS)
	count(&r.CPU, o.Predicted.CPU, o.CPU)
}

// Points are the GOGC of a curve.
var Points = []float64{25, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1200, 1600}

// New makes the subject of a run: its curve, the recommendation, and where the spiral starts. limits are GOMEMLIMIT to predict, in
// bytes.
func New(r *Run, w Wishes, limits []float64) (*Subject, error) {
	m, err := Fit(r)
	if err != nil {
		return nil, err
	}
	first, last := &r.Points[r.Start], &r.Points[len(r.Points)-1]
	s := &Subject{Seconds: last.At - first.At, Procs: r.Procs, Cycles: last.Cycles - first.Cycles, RSS: r.PeakRSS, Of: Busy, Setting: m.setting}
	if r.Available {
		s.Of = Available
	}
	for _, p := range r.Points {
		s.Live = max(s.Live, p.Live)
	}
	advice := m.Recommend(w)
	for _, g := range m.points(advice.Best.Setting.GOGC) {
		s.Curve = append(s.Curve, m.Predict(Setting{g, m.setting.Limit}))
	}
	for _, limit := range limits {
		s.Limits = append(s.Limits, m.Predict(Setting{r.GOGC, limit}), m.Predict(Setting{-1, limit}))
	}
	s.Advice = &advice
	if o, ok := m.Onset(advice.Best.Setting.GOGC); ok {
		s.Onset, s.Limit = &o, m.LimitFor(o, w)
	}
	m.rooms(s, limits)
	return s, nil
}

// rooms sets Rooms of a subject.
func (m *Model) rooms(s *Subject, limits []float64) {
	settings := []Setting{m.setting}
	for _, limit := range limits {
		settings = append(settings, Setting{m.setting.GOGC, limit})
	}
	if s.Limit > 0 {
		settings = append(settings, Setting{s.Advice.Best.Setting.GOGC, s.Limit})
	}
	for _, at := range settings {
		if r, ok := m.Room(at); ok {
			s.Rooms = append(s.Rooms, r)
		}
	}
}

// points are Points with the GOGC of the run and the recommended one among them, and off where the program ends or a limit stops
// the heap.
func (m *Model) points(best float64) []float64 {
	all := slices.Clone(Points)
	for _, g := range []float64{m.setting.GOGC, best} {
		if g > 0 && !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	slices.Sort(all)
	if !m.repeats || m.setting.Limit < NoLimit {
		all = append(all, -1)
	}
	return all
}
