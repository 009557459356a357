package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/endpoint"
	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/live"
)

// A Service is a running program that can be read.
type Service struct {
	Address string // of the source, without anything that may be a secret
	Source  Source
	Go      string // the release that built it, if the source says

	url        url.URL
	last       *answer
	pauses     map[int]uint64 // by bucketOf
	missed     float64
	pauseTotal float64 // of the pauses that were not missed
}

// Find finds out how to read the service at an address: host:port, or a URL such as
// http://localhost:6060. The best source that answers is taken, whichever of the
// service's addresses is given: that of a page of pprof, of expvar or of lessgc/live is
// the same as that of its host.
func Find(ctx context.Context, address string) (*Service, error) {
	root, own, err := endpoint.Parse(address)
	if err != nil {
		return nil, err
	}
	var tried []string
	for _, s := range candidates(*root, own) {
		a, err := s.ask(ctx)
		if err == nil {
			s.Go = a.release
			return s, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, ok := errors.AsType[*url.Error](err); ok {
			return nil, fmt.Errorf("cannot reach %s: %w", s.Address, reason(err))
		}
		tried = append(tried, fmt.Sprintf("%s: %v", s.url.Path, err))
	}
	return nil, fmt.Errorf("%s does not say how it uses memory (%s); the service has to serve lessgc/live, expvar or net/http/pprof", shown(*root), strings.Join(tried, "; "))
}

// candidates are all ways in which the service may be read, best first. A path of the
// service's own comes before those that go by convention.
func candidates(root url.URL, own string) []*Service {
	var all []*Service
	add := func(source Source, path string) {
		u := root
		u.Path = path
		all = append(all, &Service{Address: shown(u), Source: source, url: u})
	}
	if own != "" {
		add(Live, own)
		add(Expvar, own)
		add(Pprof, own+"/heap")
	}
	add(Live, root.Path+"/debug/lessgc")
	add(Expvar, root.Path+"/debug/vars")
	add(Pprof, root.Path+"/debug/pprof/heap")
	return all
}

// shown is an address without password and query, which recordings and pages show.
func shown(u url.URL) string {
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// reason returns why a request failed, without the address.
func reason(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		if e.Timeout() {
			return errors.New("no answer in time")
		}
		return e.Err
	}
	return err
}

// Patience is the longest time that one answer may take.
const Patience = 10 * time.Second

// ask gets one answer. It has no memory.
func (s *Service) ask(ctx context.Context) (*answer, error) {
	ctx, stop := context.WithTimeout(ctx, Patience)
	defer stop()
	var a *answer
	err := get(ctx, s.target(s.url.Path), func(r io.Reader) (err error) {
		at := time.Now()
		switch s.Source {
		case Live:
			a, err = readLive(r)
		case Expvar:
			a, err = readExpvar(r)
		case Pprof:
			a, err = readPprof(r)
		}
		if err == nil && s.Source != Live {
			a.Time = at
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if s.Source == Pprof { // without it there are the other figures
		get(ctx, s.target(strings.TrimSuffix(s.url.Path, "heap")+"goroutine"), func(r io.Reader) (err error) {
			a.Gauges.Goroutines, err = readGoroutines(r)
			return err
		})
	}
	return a, a.check()
}

// target is the address of a path of the service.
func (s *Service) target(path string) string {
	u := s.url
	u.Path = path
	if s.Source == Pprof {
		q := u.Query()
		q.Set("debug", "1")
		u.RawQuery = q.Encode()
	}
	return u.String()
}

func get(ctx context.Context, address string, read func(io.Reader) error) error {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	w, err := secret.Client.Do(q)
	if err != nil {
		return err
	}
	defer w.Body.Close()
	if w.StatusCode != http.StatusOK {
		return fmt.Errorf("%d %s", w.StatusCode, http.StatusText(w.StatusCode)) // the service's own words may hold anything
	}
	if err := read(w.Body); err != nil {
		if ctx.Err() != nil {
			return errors.New("no answer in time")
		}
		return err
	}
	return nil
}

// Read takes a snapshot. It is not for several goroutines at once.
func (s *Service) Read(ctx context.Context) (*Snapshot, error) {
	a, err := s.ask(ctx)
	if err != nil {
		return nil, reason(err)
	}
	if s.last != nil {
		a.Segment = s.last.Segment
		switch {
		case !a.follows(s.last):
			a.Segment++
			s.pauses, s.missed, s.pauseTotal = nil, 0, 0
		case !a.Time.After(s.last.Time):
			return nil, errors.New("the answer is one from before; is there a cache in between?")
		}
	}
	if a.mem != nil {
		s.addPauses(a)
	}
	s.last = a
	out := a.Snapshot
	return &out, nil
}

// follows reports whether a comes from the process that last came from: counters do not
// fall, and the last collection of then is still the same one.
func (a *answer) follows(last *answer) bool {
	if !a.start.Equal(last.start) || a.fell(&last.Snapshot) {
		return false
	}
	if a.mem == nil || last.mem == nil || last.mem.NumGC == 0 || a.mem.NumGC-last.mem.NumGC >= ringSize {
		return true
	}
	i := (last.mem.NumGC + ringSize - 1) % ringSize
	return a.mem.PauseEnd[i] == last.mem.PauseEnd[i]
}

// addPauses turns the last pauses, which are all that memstats have, into a histogram
// of those since the service was first read, so that recordings hold no rings.
func (s *Service) addPauses(a *answer) {
	var n uint32
	if s.last != nil && s.last.Segment == a.Segment {
		n = a.mem.NumGC - s.last.mem.NumGC
	}
	if s.pauses == nil {
		s.pauses = map[int]uint64{}
	}
	for i := range min(n, ringSize) {
		ns := a.mem.PauseNs[(a.mem.NumGC-1-i)%ringSize]
		s.pauses[bucketOf(ns)]++
		s.pauseTotal += float64(ns) / 1e9
	}
	s.missed += float64(n - min(n, ringSize))
	a.Totals.MissedPauses = new(s.missed)
	switch {
	case a.mem.PauseTotalNs != nil:
		a.Totals.PauseSeconds = new(float64(*a.mem.PauseTotalNs) / 1e9)
	case s.missed == 0:
		a.Totals.PauseSeconds = new(s.pauseTotal)
	}
	a.Pauses = []live.Bucket{}
	for _, i := range slices.Sorted(maps.Keys(s.pauses)) {
		a.Pauses = append(a.Pauses, live.Bucket{Lo: edge(i), Hi: edge(i + 1), Count: s.pauses[i]})
	}
}

// perOctave is the number of buckets of the histogram for each doubling: a bucket is
// 9 % wide.
const perOctave = 8

// bucketOf returns the bucket of a pause.
func bucketOf(ns uint64) int { return int(math.Floor(perOctave * math.Log2(float64(max(ns, 1))))) }

// edge returns the lower end of a bucket, in seconds.
func edge(i int) float64 { return math.Exp2(float64(i)/perOctave) / 1e9 }
