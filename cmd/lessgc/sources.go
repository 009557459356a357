package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"lessgc/cmd/lessgc/internal/collect"
	"lessgc/cmd/lessgc/internal/endpoint"
	"lessgc/cmd/lessgc/internal/fleet"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/repeats"
	"lessgc/cmd/lessgc/internal/secret"
	"lessgc/cmd/lessgc/internal/watch"
)

// sourceFlags say where profiles come from.
type sourceFlags struct {
	duration  time.Duration
	parca     string
	pyroscope string
	query     string
}

func (f *sourceFlags) register(fs *flag.FlagSet) {
	fs.DurationVar(&f.duration, "for", 30*time.Second, "sample a service for this `duration`")
	fs.StringVar(&f.parca, "parca", "", "take profiles of a fleet from the Parca at `ADDRESS`")
	fs.StringVar(&f.pyroscope, "pyroscope", "", "take profiles of a fleet from the Grafana Pyroscope at `ADDRESS`")
	fs.StringVar(&f.query, "query", "", "with -parca or -pyroscope: `LABELS` of the service, such as '{service_name=\"checkout\"}'")
}

// stores reports whether profiles come from a store.
func (f *sourceFlags) stores() bool { return f.parca != "" || f.pyroscope != "" }

// check finds what cannot be.
func (f *sourceFlags) check() error {
	switch {
	case f.duration < time.Second:
		return errors.New("-for is at least 1s")
	case f.parca != "" && f.pyroscope != "":
		return errors.New("one store at a time: -parca or -pyroscope")
	case f.query != "" && !f.stores():
		return errors.New("-query is for a store: name one by -parca or -pyroscope")
	}
	return nil
}

// fleet gets the profiles of a time from the store. What it needs to let us in comes from
// the environment: arguments are for everybody to see.
func (f *sourceFlags) fleet(ctx context.Context, printer *progress.Printer, text string) (*prof.Set, error) {
	kind, address := fleet.Parca, f.parca
	if f.pyroscope != "" {
		kind, address = fleet.Pyroscope, f.pyroscope
	}
	from, to, err := fleet.ParseRange(text, time.Now())
	if err != nil {
		return nil, err
	}
	s, err := fleet.Parse(kind, address, f.query)
	if err != nil {
		return nil, err
	}
	s.Token, s.Tenant = os.Getenv("LESSGC_STORE_TOKEN"), os.Getenv("LESSGC_STORE_TENANT")
	printer.Line("asking %s for profiles of %s, %s", kind, s.Query, text)
	return s.Profiles(ctx, from, to)
}

// isService reports whether an argument names a service: by an address of http or https,
// or as host:port if no file has that name.
func isService(arg string) bool {
	if secret.IsURL(arg) {
		return true
	}
	_, err := os.Stat(arg)
	return err != nil && endpoint.IsHostPort(arg)
}

// sampled holds the profiles and snapshots of a running service.
type sampled struct {
	*prof.Set
	runs      collect.Runs // that the profiles are of
	header    watch.Header
	snapshots []*watch.Snapshot
	recorded  *watch.Summary // of another time, instead of snapshots
	repeats   []repeats.Function
}

// service samples a running service, and watches it meanwhile if it says anything about
// its memory.
func (f *sourceFlags) service(ctx context.Context, printer *progress.Printer, address string) (*sampled, error) {
	printer.Line("sampling %s for %v", secret.Address(address), f.duration)
	out := new(sampled)
	watching, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	background.Go(func() {
		s, err := watch.Find(watching, address)
		if err != nil {
			return // the profiles say what is missing
		}
		out.header = s.Header(time.Second)
		s.Watch(watching, time.Second, func(w watch.Window) error {
			if w.Snapshot != nil {
				out.snapshots = append(out.snapshots, w.Snapshot)
			}
			return nil
		})
		// However the ticks fell: what is recorded goes on to the end.
		if last, err := s.Read(ctx); err == nil {
			out.snapshots = append(out.snapshots, last)
		}
	})
	var err error
	out.Set, err = collect.URL(ctx, address, f.duration)
	stop()
	background.Wait()
	return out, err
}

// summary returns the summary of the snapshots, or nil.
func (s *sampled) summary() *watch.Summary {
	if s == nil {
		return nil
	}
	if s.recorded != nil {
		return s.recorded
	}
	var sum watch.Sum
	for _, x := range s.snapshots {
		sum.Add(x)
	}
	return sum.Summary()
}

// record writes the snapshots into a result folder, if they say anything.
func (s *sampled) record(dir string) error {
	if len(s.snapshots) == 0 || s.summary() == nil {
		return nil
	}
	r, err := watch.Record(filepath.Join(dir, watchFile), s.header)
	if err != nil {
		return err
	}
	for _, x := range s.snapshots {
		if err := r.Write(x); err != nil {
			return errors.Join(err, r.Close())
		}
	}
	return r.Close()
}

// sampledFolder reads the profiles in a folder, such as one that advise has written, and what
// the runtime said while they were taken.
func sampledFolder(dir string) (*sampled, error) {
	p, err := collect.Folder(dir)
	if errors.Is(err, collect.ErrNoProfiles) {
		return nil, fmt.Errorf("%w; -bench . runs the benchmarks of its package", err)
	}
	if err != nil {
		return nil, err
	}
	runtime, _, err := recorded(dir)
	if err != nil {
		return nil, err
	}
	again, err := repeats.Read(dir)
	return &sampled{Set: p, recorded: runtime, repeats: again}, err
}
