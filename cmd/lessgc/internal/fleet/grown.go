package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/google/pprof/profile"
)

// What Parca scrapes of a Go process is what it has allocated since it started. So the
// sum of such profiles counts the same allocations again and again, and what the API
// calls a merge is that sum. What was allocated in some time is the last profile less
// the first, for each process. If it was restarted in between, the total falls: then all
// of the last profile before counts, less the first, and all of the last one after.

// snapshots is about how many profiles of each process are listed to find the processes.
// All would be too much for one answer.
const snapshots = 200

// processes limits the processes that are queried: each takes seven requests or more.
const processes = 24

// maxRestarts limits the restarts of a process that are followed: each takes two
// requests.
const maxRestarts = 500

// A process is one whose profiles the store has.
type process struct {
	labels string
	at     []time.Time // of profiles, in order
	ends   []int       // indices in at: the last profile before each restart, and the last of all
}

// A series holds the answer of Parca's API for a process.
type series struct {
	Labelset struct{ Labels []parcaLabel }
	Samples  []parcaSample
}

type parcaLabel struct{ Name, Value string }

// A parcaSample is the total of one profile.
type parcaSample struct {
	Timestamp time.Time
	Value     json.Number
}

// grown gets what was allocated, as profiles that count from the start of a process
// tell.
func (s *Store) grown(ctx context.Context, types []parcaType, objects, space parcaType, from, to time.Time) (*profile.Profile, []string, error) {
	found, err := s.processes(ctx, space, s.Query, to.Sub(from)/snapshots, from, to)
	if err != nil || len(found) == 0 {
		return nil, nil, err
	}
	var all []*profile.Profile
	var asked []*process
	counted, restarts := 0, 0
	for _, coarse := range some(found, processes) {
		p, err := s.exactly(ctx, space, coarse.labels, from, to)
		if err != nil {
			return nil, nil, err
		}
		if p == nil {
			continue
		}
		asked = append(asked, p)
		one, n, err := s.growth(ctx, p, objects, space)
		if err != nil {
			return nil, nil, err
		}
		if one != nil {
			all = append(all, one)
			counted++
			restarts += n
		}
	}
	if counted == 0 {
		return nil, []string{"the store has one profile of allocations of each process, and two tell what was allocated between them; name a longer -range"}, nil
	}
	notes := []string{fmt.Sprintf("allocations are those of %d of %d processes, the last profile of each less its first; restarts in between: %d", counted, len(found), restarts)}
	live, n, err := s.live(ctx, asked, types, objects)
	if err != nil {
		return nil, nil, err
	}
	if live != nil {
		all = append(all, live)
		notes = append(notes, fmt.Sprintf("the live heap is that of one process, the mean of %d at the end", n))
	}
	out, err := join(all)
	if err != nil || out == nil {
		return nil, nil, err
	}
	forget(out)
	return out, notes, nil
}

// live gets the mean live heap of processes at the last of their profiles, spread, and
// of how many. It is nil if the store does not keep that.
func (s *Store) live(ctx context.Context, all []*process, types []parcaType, of parcaType) (*profile.Profile, int, error) {
	objects, ok := sibling(types, of, "inuse_objects")
	space, ok2 := sibling(types, of, "inuse_space")
	if !ok || !ok2 {
		return nil, 0, nil
	}
	var parts []*profile.Profile
	for _, p := range all {
		two, err := s.singles(ctx, p.labels, p.at[len(p.at)-1], 1, objects, space)
		if err != nil {
			return nil, 0, err
		}
		parts = append(parts, two...)
	}
	n := len(parts) / 2
	sum, err := join(parts)
	if err != nil || sum == nil {
		return nil, 0, err
	}
	for _, x := range sum.Sample {
		for i, v := range x.Value {
			x.Value[i] = scaled(v, 1/float64(n))
		}
	}
	return sum, n, nil
}

// exactly gets all profiles of one process, or nil.
func (s *Store) exactly(ctx context.Context, t parcaType, labels string, from, to time.Time) (*process, error) {
	found, err := s.processes(ctx, t, labels, 0, from, to)
	i := slices.IndexFunc(found, func(p *process) bool { return p.labels == labels }) // others may have more labels
	if err != nil || i < 0 {
		return nil, err
	}
	return found[i], nil
}

// processes lists those that have profiles of a type, with one profile in each step, some
// one that was taken in it.
func (s *Store) processes(ctx context.Context, t parcaType, labels string, step time.Duration, from, to time.Time) ([]*process, error) {
	var answer struct{ Series []series }
	err := s.get(ctx, "query_range", url.Values{
		"query": {t.String() + labels},
		"start": {from.Format(time.RFC3339Nano)},
		"end":   {to.Format(time.RFC3339Nano)},
		"step":  {fmt.Sprintf("%ds", max(1, int(step.Seconds())))},
	}, &answer)
	if notFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []*process
	for _, x := range answer.Series {
		p, err := x.process()
		if err != nil {
			return nil, err
		}
		if len(p.at) > 0 {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *process) int { return cmp.Compare(a.labels, b.labels) })
	return all, nil
}

// process finds the restarts of a process.
func (s *series) process() (*process, error) {
	p := &process{labels: selector(s.Labelset.Labels)}
	slices.SortFunc(s.Samples, func(a, b parcaSample) int { return a.Timestamp.Compare(b.Timestamp) })
	before := int64(0)
	for i, sample := range s.Samples {
		now, err := sample.Value.Int64()
		if err != nil {
			return nil, errors.New("query_range of Parca answers outside of its API: a value is not an integer")
		}
		if i > 0 && now < before {
			p.ends = append(p.ends, i-1)
		}
		p.at = append(p.at, sample.Timestamp)
		before = now
	}
	p.ends = append(p.ends, len(p.at)-1)
	return p, nil
}

// some returns at most so many of all, from everywhere in it.
func some[T any](all []T, most int) []T {
	if len(all) <= most {
		return all
	}
	out := make([]T, most)
	for i := range out {
		out[i] = all[i*len(all)/most]
	}
	return out
}

// growth gets what a process has allocated, and how often it was restarted. It is nil if
// there is only one profile.
func (s *Store) growth(ctx context.Context, p *process, objects, space parcaType) (*profile.Profile, int, error) {
	var all []*profile.Profile
	restarts := len(p.ends) - 1
	if restarts > maxRestarts {
		return nil, 0, fmt.Errorf("the store lists %d restarts of one process, and the profiles of %d are added up at most; ask for a shorter -range", restarts, maxRestarts)
	}
	for i, end := range p.ends {
		if i == 0 && end == 0 { // all of it may be from before
			continue
		}
		last, err := s.singles(ctx, p.labels, p.at[end], 1, objects, space)
		if err != nil {
			return nil, 0, err
		}
		if i > 0 {
			all = append(all, last...)
			continue
		}
		first, err := s.singles(ctx, p.labels, p.at[0], -1, objects, space)
		if err != nil {
			return nil, 0, err
		}
		if len(first) == 0 { // the store has let go of it since it listed it
			continue
		}
		between, err := join(append(first, last...))
		if err != nil {
			return nil, 0, err
		}
		switch {
		case between == nil:
		case falls(between): // it was restarted, and has allocated more since than before
			restarts++
			all = append(all, last...)
		default:
			all = append(all, between)
		}
	}
	out, err := join(all)
	return out, restarts, err
}

// singles gets the profiles of a process that were taken together, spread, or none if
// one is missing.
func (s *Store) singles(ctx context.Context, labels string, at time.Time, times float64, types ...parcaType) ([]*profile.Profile, error) {
	var all []*profile.Profile
	for _, t := range types {
		p, err := s.single(ctx, t, labels, at)
		if err != nil || p == nil {
			return nil, err
		}
		all = append(all, spread(p, times))
	}
	return all, nil
}
