package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/google/pprof/profile"
	"google.golang.org/protobuf/encoding/protowire"
)

// querier is the service of Pyroscope's API. It speaks the Connect protocol: a call is a
// POST of a message, as JSON or in protobuf's encoding, and the answer comes in the same.
const querier = "querier.v1.QuerierService/"

// What Go's profiles are called there. Those of allocations hold what was allocated
// since the one before: who sends them, or Pyroscope, takes care of that.
const (
	pyroscopeCPU    = "process_cpu:cpu:nanoseconds:cpu:nanoseconds"
	pyroscopeMemory = "memory:%s:%s:space:bytes"
)

// fromPyroscope gets the profiles of Pyroscope, the CPU's with one value.
func (s *Store) fromPyroscope(ctx context.Context, from, to time.Time) (cpu, allocs *profile.Profile, notes []string, err error) {
	if cpu, err = s.selectMerge(ctx, pyroscopeCPU, "cpu", from, to); err != nil {
		return nil, nil, nil, err
	}
	var parts [4]*profile.Profile
	for i, t := range memory {
		if i >= 2 && (parts[0] == nil || parts[1] == nil) {
			return cpu, nil, nil, nil
		}
		if parts[i], err = s.selectMerge(ctx, fmt.Sprintf(pyroscopeMemory, t.Type, t.Unit), t.Type, from, to); err != nil {
			return nil, nil, nil, err
		}
	}
	all := []*profile.Profile{spread(parts[0], 1), spread(parts[1], 1)}
	if parts[2] != nil && parts[3] != nil {
		mean, err := s.mean(ctx, fmt.Sprintf(pyroscopeMemory, "inuse_space", "bytes"), from, to)
		switch sum := total(parts[3]); {
		case err != nil:
			notes = append(notes, "the live heap is not known: "+err.Error())
		case mean > 0 && mean <= sum:
			all = append(all, spread(parts[2], mean/sum), spread(parts[3], mean/sum))
			notes = append(notes, "the live heap is that of one process, the mean of all and of the whole time")
		}
	}
	if allocs, err = join(all); err != nil || allocs == nil {
		return cpu, nil, nil, err
	}
	forget(allocs)
	return cpu, allocs, notes, nil
}

// selectMerge gets the sum of all profiles of a type, or nil.
func (s *Store) selectMerge(ctx context.Context, id, value string, from, to time.Time) (*profile.Profile, error) {
	answer, err := s.ask(ctx, http.MethodPost, querier+"SelectMergeProfile", nil, "application/proto", mergeRequest(id, s.Query, from, to))
	if err != nil {
		return nil, err
	}
	p, err := s.read(answer, value)
	if err != nil {
		return nil, fmt.Errorf("%s of Pyroscope: %w", id, err)
	}
	return p, nil
}

// mergeRequest encodes a message querier.v1.SelectMergeProfileRequest. JSON would be
// easier, but then the answer would not be in pprof's format.
func mergeRequest(id, selector string, from, to time.Time) []byte {
	b := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), id)
	b = protowire.AppendString(protowire.AppendTag(b, 2, protowire.BytesType), selector)
	b = protowire.AppendVarint(protowire.AppendTag(b, 3, protowire.VarintType), uint64(from.UnixMilli()))
	return protowire.AppendVarint(protowire.AppendTag(b, 4, protowire.VarintType), uint64(to.UnixMilli()))
}

// mean is the mean of the totals of all profiles of a type: adding up profiles of what
// is live says nothing without their number, which the API does not tell.
func (s *Store) mean(ctx context.Context, id string, from, to time.Time) (float64, error) {
	var answer struct {
		Series []struct {
			Points []struct{ Value float64 }
		}
	}
	err := s.call(ctx, "SelectSeries", map[string]any{
		"profileTypeID": id, "labelSelector": s.Query, "start": from.UnixMilli(), "end": to.UnixMilli(),
		"step": math.Ceil(to.Sub(from).Seconds()), "aggregation": "TIME_SERIES_AGGREGATION_TYPE_AVERAGE",
	}, &answer)
	sum, n := 0.0, 0
	for _, series := range answer.Series {
		for _, p := range series.Points {
			sum += p.Value
			n++
		}
	}
	return sum / float64(max(n, 1)), err
}

// pyroscopeLabels are the values of a label, or the names of labels if it has none.
func (s *Store) pyroscopeLabels(ctx context.Context, name string, from, to time.Time) ([]string, error) {
	method, request := "LabelNames", map[string]any{"start": from.UnixMilli(), "end": to.UnixMilli()}
	if name != "" {
		method, request["name"] = "LabelValues", name
	}
	var answer struct{ Names []string }
	err := s.call(ctx, method, request, &answer)
	return answer.Names, err
}

// call makes a call with JSON.
func (s *Store) call(ctx context.Context, method string, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	data, err := s.ask(ctx, http.MethodPost, querier+method, nil, "application/json", body)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("%s of Pyroscope answers something that is not of its API: %w", method, err)
	}
	return nil
}
