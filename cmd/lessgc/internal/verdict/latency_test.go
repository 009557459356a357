package verdict

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
)

// TestLatencies checks that the requests of all rounds are taken together, and what
// is said of a load that failed or was late.
func TestLatencies(t *testing.T) {
	s := &session.Session{
		Config: session.Config{Load: "load.json", Rounds: 7, Margin: 0.03, Looks: 1},
		Cells: []session.Cell{
			{ID: "a", Name: "a", Mode: mode.Default(), Ref: -1},
			{ID: "b", Name: "b", Mode: mode.Default(), Ref: 0},
			{ID: "aa", Name: "A/A", Ref: 0, AA: true},
		},
		Rows: []session.Row{{Name: "get", Label: "get", Bench: []string{"get", "get", "get"}, N: 100}},
	}
	var trials []session.Trial
	for round := range 8 {
		for cell := range s.Cells {
			h := hdrhistogram.New(1000, int64(time.Minute), 3)
			for i := range int64(100) { // 1 to 100 ms; twice that in b; the last round has one of a second
				ms := (i + 1) * int64(time.Millisecond)
				if cell == 1 {
					ms *= 2
				}
				h.RecordValue(ms)
			}
			if round == 7 {
				h.RecordValue(int64(time.Second))
			}
			data, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
			if err != nil {
				t.Fatal(err)
			}
			p99 := time.Duration(h.ValueAtQuantile(99)).Seconds() * (1 + 0.001*float64(round+cell%2))
			failed := 0.0
			if round == 3 && cell == 1 {
				failed = 0.25
			}
			trials = append(trials, session.Trial{Round: round, Cell: cell, N: 100, User: time.Second, Latency: data, Values: []session.Value{
				{Value: p99, Unit: "p99-sec"}, {Value: 0.05, Unit: session.LateUnit}, {Value: failed, Unit: session.FailedUnit},
			}})
		}
	}
	trials = append(trials, session.Trial{Round: 7, Cell: 2, N: 100, User: time.Second, Latency: []byte("no histogram")})
	r := New(s, trials)
	if len(r.Latencies) != 3 {
		t.Fatalf("%d latencies: %+v", len(r.Latencies), r.Latencies)
	}
	near := func(got, want float64) bool { return math.Abs(got-want) < 0.002*want }
	for i, scale := range []float64{1, 2} {
		l := r.Latencies[i]
		if l.Cell != i || l.Requests != 701 || !near(l.P50, 0.050*scale) && !near(l.P50, 0.051*scale) || !near(l.P99, 0.099*scale) && !near(l.P99, 0.1*scale) || !near(l.Max, 1) {
			t.Errorf("%+v", l)
		}
	}
	x := r.find(0, 1, r.metric("p99"))
	if x == nil || x.Word != Worse || !near(x.Ratio, 2) && math.Abs(x.Ratio-2) > 0.01 {
		t.Errorf("p99 of b: %+v", x)
	}
	if slices.ContainsFunc(r.Metrics, func(m Metric) bool { return m.Unit == session.LateUnit || m.Unit == session.FailedUnit }) {
		t.Error("what becomes a note is a table too")
	}
	notes := strings.Join(r.Notes, "\n")
	for _, want := range []string{"get in b: up to 25 % of the requests of a trial failed", "get: one request in a hundred was sent 50ms late or more",
		"the latencies of a trial of round 7 could not be read"} {
		if !strings.Contains(notes, want) {
			t.Errorf("there is no note %q in:\n%s", want, notes)
		}
	}
	for _, a := range r.Answers {
		if !strings.Contains(a.Text, "Latency, 99 %: +") {
			t.Errorf("the answer does not say that latency doubled: %s", a.Text)
		}
	}
}

// TestDecodeLatency checks that only histograms as compare makes them are read.
func TestDecodeLatency(t *testing.T) {
	encode := func(h *hdrhistogram.Histogram) []byte {
		t.Helper()
		data, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	ours := hdrhistogram.New(lowestLatency, highestLatency, latencyDigits)
	ours.RecordValue(12345)
	good := encode(ours)
	if h, err := decodeLatency(good); err != nil || h.TotalCount() != 1 {
		t.Errorf("%v, %v", h, err)
	}
	many := hdrhistogram.New(lowestLatency, highestLatency, latencyDigits)
	many.RecordValues(1000, math.MaxInt64/4)
	for name, data := range map[string][]byte{
		"a wide range":  encode(hdrhistogram.New(1, math.MaxInt64/2, 5)),
		"many requests": encode(many),
		"nothing":       nil,
		"short":         []byte("AAAA"),
		"no base64":     []byte("!!!!"),
		"no zlib":       []byte("AAAAAAAAAAAAAAAAAAAAAAAA"),
		"half":          good[:len(good)/8*4],
	} {
		if _, err := decodeLatency(data); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}
