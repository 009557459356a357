package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// A parcaType is a type of profiles in Parca.
type parcaType struct {
	Name                   string
	SampleType, SampleUnit string
	PeriodType, PeriodUnit string
	Delta                  bool // it is of some time, not since the process started
}

func (t parcaType) String() string {
	id := strings.Join([]string{t.Name, t.SampleType, t.SampleUnit, t.PeriodType, t.PeriodUnit}, ":")
	if t.Delta {
		id += ":delta"
	}
	return id
}

// fromParca gets the profiles of Parca, the CPU's with one value.
func (s *Store) fromParca(ctx context.Context, from, to time.Time) (cpu, allocs *profile.Profile, notes []string, err error) {
	var answer struct{ Types []parcaType }
	if err := s.get(ctx, "types", nil, &answer); err != nil {
		return nil, nil, nil, err
	}
	slices.SortFunc(answer.Types, func(a, b parcaType) int { return cmp.Compare(a.String(), b.String()) })
	if cpu, err = s.parcaCPU(ctx, answer.Types, from, to); err != nil {
		return nil, nil, nil, err
	}
	for _, delta := range []bool{true, false} {
		for _, objects := range answer.Types {
			space, ok := sibling(answer.Types, objects, "alloc_space")
			if objects.SampleType != "alloc_objects" || objects.Delta != delta || !ok {
				continue
			}
			if delta {
				allocs, err = s.mergeBoth(ctx, objects, space, from, to)
			} else {
				allocs, notes, err = s.grown(ctx, answer.Types, objects, space, from, to)
			}
			if err != nil || allocs != nil {
				return cpu, allocs, notes, err
			}
		}
	}
	return cpu, nil, notes, nil
}

// sibling is the type of the same profiles with another value.
func sibling(all []parcaType, t parcaType, value string) (parcaType, bool) {
	i := slices.IndexFunc(all, func(x parcaType) bool { return x.Name == t.Name && x.Delta == t.Delta && x.SampleType == value })
	if i < 0 {
		return parcaType{}, false
	}
	return all[i], true
}

// parcaCPU gets the CPU profile of whoever took one: Parca itself, or its agent. Of
// one that counts samples, Parca says how much time they are.
func (s *Store) parcaCPU(ctx context.Context, types []parcaType, from, to time.Time) (*profile.Profile, error) {
	for _, value := range []string{"cpu", "samples"} {
		for _, t := range types {
			if t.PeriodType != "cpu" || t.SampleType != value || !t.Delta {
				continue
			}
			if p, err := s.merge(ctx, t, from, to, "cpu", "samples"); err != nil || p != nil {
				return p, err
			}
		}
	}
	return nil, nil
}

// mergeBoth gets allocations that were taken for some time each: they may be added up.
// What they have as live is a difference too, and of no use.
func (s *Store) mergeBoth(ctx context.Context, objects, space parcaType, from, to time.Time) (*profile.Profile, error) {
	var all []*profile.Profile
	for _, t := range []parcaType{objects, space} {
		p, err := s.merge(ctx, t, from, to, t.SampleType)
		if err != nil || p == nil {
			return nil, err
		}
		all = append(all, spread(p, 1))
	}
	p, err := join(all)
	if err != nil || p == nil {
		return nil, err
	}
	forget(p)
	return p, nil
}

// merge gets the sum of all profiles of a type, or nil.
func (s *Store) merge(ctx context.Context, t parcaType, from, to time.Time, values ...string) (*profile.Profile, error) {
	return s.query(ctx, t, url.Values{
		"mode":        {"MODE_MERGE"},
		"merge.query": {t.String() + s.Query},
		"merge.start": {from.Format(time.RFC3339Nano)},
		"merge.end":   {to.Format(time.RFC3339Nano)},
	}, values)
}

// single gets the profile of one process that was taken at a time, or nil. The time is
// that of an answer of query_range, to the millisecond.
func (s *Store) single(ctx context.Context, t parcaType, labels string, at time.Time) (*profile.Profile, error) {
	return s.query(ctx, t, url.Values{
		"mode":         {"MODE_SINGLE_UNSPECIFIED"},
		"single.query": {t.String() + labels},
		"single.time":  {at.Format(time.RFC3339Nano)},
	}, []string{t.SampleType})
}

func (s *Store) query(ctx context.Context, t parcaType, query url.Values, values []string) (*profile.Profile, error) {
	query.Set("reportType", "REPORT_TYPE_PPROF")
	var answer struct{ Pprof []byte }
	if err := s.get(ctx, "query", query, &answer); notFound(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	p, err := s.read(answer.Pprof, values...)
	if err != nil {
		return nil, fmt.Errorf("%s of Parca: %w", oneLine(t.String()), err)
	}
	return p, nil
}

// parcaLabels are the values of a label, or the names of labels if it has none.
func (s *Store) parcaLabels(ctx context.Context, name string, from, to time.Time) ([]string, error) {
	path := "labels"
	if name != "" {
		path += "/" + url.PathEscape(name) + "/values"
	}
	var answer struct{ LabelNames, LabelValues []string }
	err := s.get(ctx, path, url.Values{"start": {from.Format(time.RFC3339Nano)}, "end": {to.Format(time.RFC3339Nano)}}, &answer)
	return append(answer.LabelNames, answer.LabelValues...), err
}

// get reads the answer to a question, which is JSON as protobuf has it: numbers of 64
// bits are strings.
func (s *Store) get(ctx context.Context, path string, query url.Values, answer any) error {
	data, err := s.ask(ctx, http.MethodGet, "api/profiles/"+path, query, "", nil)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("%s of Parca answers something that is not of its API: %w", path, err)
	}
	return nil
}

// selector names exactly the labels of a process.
func selector(labels []parcaLabel) string {
	var all []string
	for _, l := range labels {
		all = append(all, l.Name+"="+strconv.Quote(l.Value))
	}
	return "{" + strings.Join(all, ",") + "}"
}
