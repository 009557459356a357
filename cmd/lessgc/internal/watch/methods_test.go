package watch

import (
	"math"
	"strings"
	"testing"

	"lessgc/live"
)

// TestMethods checks what methods did between snapshots, and over a restart.
func TestMethods(t *testing.T) {
	with := func(segment, second int, methods ...live.Method) *Snapshot {
		s := snapshot(segment, second)
		s.Methods = methods
		return s
	}
	get := func(messages, live_ int64) live.Method {
		return live.Method{Method: "/a.B/Get", Messages: messages, Memory: 100 * messages, Objects: 3 * messages, Live: live_, Errors: messages / 10, Audited: messages / 10}
	}
	put := live.Method{Method: "/a.B/Put", Messages: 7, Fallback: "no table"}
	a, b := with(0, 0, get(100, 2)), with(0, 10, put, get(1100, 5))
	c, d := with(1, 20, get(0, 0)), with(1, 25, get(10, 1))
	r := Between(a, b)
	want := []Method{
		{Method: "/a.B/Get", PerSecond: 100, Memory: 100, Objects: 3, Errors: 10, Audited: 100, Live: 5},
		{Method: "/a.B/Put", PerSecond: 0.7, Fallback: "no table"},
	}
	if len(r.Methods) != 2 || r.Methods[0] != want[0] || r.Methods[1] != want[1] {
		t.Errorf("%+v", r.Methods)
	}
	if quiet := Between(a, with(0, 1, get(100, 0))); len(quiet.Methods) != 0 {
		t.Errorf("of a method that did nothing: %+v", quiet.Methods)
	}
	var sum Sum
	for _, s := range []*Snapshot{a, b, c, d} {
		sum.Add(s)
	}
	for range 2 { // a summary changes nothing
		m := sum.Summary().Methods[0]
		if m.Method != "/a.B/Get" || math.Abs(m.PerSecond-1010.0/15) > 1e-9 || m.Live != 1 || m.Audited != 101 {
			t.Errorf("over a restart: %+v", m)
		}
	}
}

// TestMethodsWrong checks that what no server says of its methods is refused.
func TestMethodsWrong(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, wrong := range [][]live.Method{
		{{Method: long}}, {{Fallback: long}}, {{Messages: -1}}, {{Live: -1}}, {{Escapes: math.MinInt64}}, make([]live.Method, maxMethods+1),
	} {
		s := snapshot(0, 0)
		s.Methods = wrong
		if err := s.check(); err == nil || len(err.Error()) > 200 {
			t.Errorf("%.100v: %v", wrong, err)
		}
	}
}
