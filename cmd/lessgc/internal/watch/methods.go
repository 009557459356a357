package watch

import (
	"cmp"
	"fmt"
	"slices"

	"lessgc/live"
)

// A Method sums up the RPCs of one with arenas in a time.
type Method struct {
	Method    string  `json:"method"`
	PerSecond float64 `json:"perSecond"` // messages
	Memory    float64 `json:"memory"`    // bytes of its arena for each message
	Objects   float64 `json:"objects"`   // for each message
	Errors    float64 `json:"errors"`    // per second
	Kept      int64   `json:"kept"`      // arenas
	Escapes   int64   `json:"escapes"`   // objects that audits found kept
	Audited   int64   `json:"audited"`   // arenas
	Live      int64   `json:"live"`      // arenas that are open at the end
	Fallback  string  `json:"fallback,omitempty"`
}

// methodCounters are the fields of m that only grow.
func methodCounters(m *live.Method) []*int64 {
	return []*int64{&m.Messages, &m.Bytes, &m.Memory, &m.Objects, &m.Kept, &m.Errors, &m.Audited, &m.Escapes}
}

func (s *Snapshot) checkMethods() error {
	if len(s.Methods) > maxMethods {
		return fmt.Errorf("there are %d methods, more than %d", len(s.Methods), maxMethods)
	}
	for i := range s.Methods {
		m := &s.Methods[i]
		if len(m.Method) > maxMethod || len(m.Fallback) > maxMethod {
			return fmt.Errorf("the method %.40q has a text of more than %d bytes", m.Method, maxMethod)
		}
		for _, n := range append(methodCounters(m), &m.Live) {
			if *n < 0 {
				return fmt.Errorf("invalid counter value %d of %.40q", *n, m.Method)
			}
		}
	}
	return nil
}

// methodsSince returns the differences of what methods did, those of the same name together.
func methodsSince(a, b []live.Method) []live.Method {
	return addMethods(addMethods(nil, b, 1), a, -1)
}

// addMethods adds sign times what methods did to what is in all, which it changes. Live is
// added, not taken away; Fallback is that of the last that has one.
func addMethods(all, methods []live.Method, sign int64) []live.Method {
	for _, m := range methods {
		i := slices.IndexFunc(all, func(x live.Method) bool { return x.Method == m.Method })
		if i < 0 && sign < 0 {
			continue
		}
		if i < 0 {
			i = len(all)
			all = append(all, live.Method{Method: m.Method})
		}
		sum := &all[i]
		for j, n := range methodCounters(&m) {
			*methodCounters(sum)[j] += sign * *n
		}
		if sign > 0 {
			sum.Live, sum.Fallback = sum.Live+m.Live, cmp.Or(m.Fallback, sum.Fallback)
		}
	}
	return all
}

// methodRates returns the rates of what methods did in some seconds, the busiest first; those
// that did nothing and have nothing open are left out.
func methodRates(all []live.Method, seconds float64) []Method {
	var out []Method
	for _, m := range all {
		if m.Messages <= 0 && m.Live <= 0 {
			continue
		}
		messages := float64(max(1, m.Messages))
		out = append(out, Method{m.Method, float64(max(0, m.Messages)) / seconds, float64(m.Memory) / messages, float64(m.Objects) / messages,
			float64(m.Errors) / seconds, m.Kept, m.Escapes, m.Audited, m.Live, m.Fallback})
	}
	slices.SortStableFunc(out, func(x, y Method) int {
		return cmp.Or(cmp.Compare(y.PerSecond, x.PerSecond), cmp.Compare(x.Method, y.Method))
	})
	return out
}
