// Package fleet gets profiles of a fleet from the service that keeps them, over its
// HTTP API: Parca, or Grafana Pyroscope.
//
// Both keep each kind of value apart: the bytes of allocations are one profile, their
// number is another. Here they are joined again by stack. A store knows many processes
// and a long time; what is asked for is the sum of some processes over some time.
package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/secret"
)

// The kinds of stores.
const (
	Parca     = "parca"
	Pyroscope = "pyroscope"
)

// A Store is a service that keeps profiles of other services, and which of these are
// of interest.
type Store struct {
	Kind    string // Parca or Pyroscope
	Address string // may hold a user, a password and a path
	Query   string // labels: {job="checkout"}
	Tenant  string // of a Pyroscope with several, or ""
	Token   string // a bearer token, or ""

	profiles prof.Reader // of all answers
}

// matchers matches the first label matcher of a query, up to its opening quote. The store
// checks the rest.
var matchers = regexp.MustCompile(`^\s*("[^"]+"|[^\s=!~{}"]+)\s*(=|!=|=~|!~)\s*"`)

// Parse checks a store's kind, address and query, as a user wrote them.
func Parse(kind, address, query string) (*Store, error) {
	example := "http://localhost:7070"
	switch kind {
	case Parca:
	case Pyroscope:
		example = "http://localhost:4040"
	default:
		return nil, fmt.Errorf("unknown store %q; want %s or %s", kind, Parca, Pyroscope)
	}
	u, err := url.Parse(address)
	if err != nil { // which may hold a password
		return nil, fmt.Errorf("invalid address of %s; want one such as %s", kind, example)
	}
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s: invalid address of %s; want one such as %s", secret.Address(address), kind, example)
	}
	text := strings.TrimSpace(query)
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		text = text[1 : len(text)-1]
	}
	text = strings.TrimRight(text, ", ")
	if !matchers.MatchString(text) {
		return nil, fmt.Errorf("%s does not say which service: name its labels, such as {service_name=\"checkout\"} or {job=\"checkout\",env=\"prod\"}", orNothing(query))
	}
	return &Store{Kind: kind, Address: address, Query: "{" + text + "}"}, nil
}

func orNothing(text string) string {
	if strings.TrimSpace(text) == "" {
		return "an empty query"
	}
	return oneLine(text)
}

// Profiles gets the store's profiles of a time range: CPU time and allocations. What
// was live is in the profile of allocations, for one process: a heap is collected when
// it has grown, not when those of the fleet have.
func (s *Store) Profiles(ctx context.Context, from, to time.Time) (*prof.Set, error) {
	if !from.Before(to) {
		return nil, errors.New("the range ends before it starts: put the earlier time first")
	}
	from, to = from.UTC().Truncate(time.Millisecond), to.UTC().Truncate(time.Millisecond)
	out := &prof.Set{}
	s.profiles = prof.Reader{Budget: budget}
	get := s.fromPyroscope
	if s.Kind == Parca {
		get = s.fromParca
	}
	cpu, allocs, notes, err := get(ctx, from, to)
	if err != nil {
		return nil, err
	}
	if cpu == nil && allocs == nil {
		return nil, s.nothing(ctx, notes, from, to)
	}
	out.Notes = append(out.Notes, fmt.Sprintf("profiles are of %s from %s to %s, all processes together", s.Query, from.Format(time.RFC3339), to.Format(time.RFC3339)))
	if cpu != nil {
		note, err := count(cpu)
		if err != nil {
			return nil, fmt.Errorf("the CPU profile of %s: %w", s.Query, err)
		}
		notes = append(notes, note)
		if out.CPU, err = finish(cpu, from, to); err != nil {
			return nil, fmt.Errorf("the CPU profile of %s: %w", s.Query, err)
		}
	}
	if allocs != nil {
		if allocs.Period <= 0 {
			allocs.PeriodType, allocs.Period = &profile.ValueType{Type: "space", Unit: "bytes"}, defaultRate
			notes = append(notes, "the store does not say how finely allocations were sampled; taken to be once in 512 KiB, as Go does unless told otherwise")
		}
		if out.Allocs, err = finish(allocs, from, to); err != nil {
			return nil, fmt.Errorf("the profile of allocations of %s: %w", s.Query, err)
		}
	}
	out.Notes = append(out.Notes, notes...)
	return out, nil
}

// finish sets the time span of a profile, and has package prof check it as any other.
// The stores' own words on time are not to be trusted.
func finish(p *profile.Profile, from, to time.Time) (*prof.Profile, error) {
	p.TimeNanos, p.DurationNanos = from.UnixNano(), to.Sub(from).Nanoseconds()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return nil, err
	}
	return new(prof.Reader).Read(&b)
}

// label is the name of the first label of a query.
func (s *Store) label() string {
	name := strings.TrimPrefix(s.Query, "{")
	if i := strings.IndexAny(name, "=!"); i >= 0 {
		name = name[:i]
	}
	return strings.Trim(name, ` "`)
}

// nothing is the error of a query that nothing answers to, with why, or with what the
// store has instead, if it says.
func (s *Store) nothing(ctx context.Context, notes []string, from, to time.Time) error {
	if len(notes) > 0 {
		return errors.New(strings.Join(notes, "; "))
	}
	list := s.pyroscopeLabels
	if s.Kind == Parca {
		list = s.parcaLabels
	}
	hint := "check the labels and the time"
	if values, err := list(ctx, s.label(), from, to); err == nil && len(values) > 0 {
		hint = fmt.Sprintf("at that time %s is one of %s", s.label(), few(values))
	} else if names, err := list(ctx, "", from, to); err == nil && len(names) > 0 {
		hint = "at that time there are the labels " + few(names)
	} else if err == nil {
		hint = "at that time it has none at all: name another with -range"
	}
	return fmt.Errorf("the store has no Go profiles of %s from %s to %s; %s", s.Query, from.Format(time.RFC3339), to.Format(time.RFC3339), hint)
}

// few lists some names of a server.
func few(names []string) string {
	const most = 12
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return oneLine(text)
}
