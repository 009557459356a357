package main

import (
	"context"
	"expvar"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/watch"
)

// busy retains the last allocation of a service.
var busy []byte

// profiled is a service with this process's profiles, which is busy while a CPU profile is taken, or for most if that is
// shorter, and for some 100 ms of CPU time in any case; the profile ends then, too.
func profiled(most time.Duration) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/debug/vars", expvar.Handler())
	mux.HandleFunc("/debug/pprof/", func(w http.ResponseWriter, q *http.Request) {
		q.URL.RawQuery = ""
		pprof.Index(w, q)
	})
	mux.HandleFunc("/debug/pprof/profile", func(w http.ResponseWriter, q *http.Request) {
		ctx, cancel := context.WithCancel(q.Context())
		defer cancel()
		begun := time.Now()
		go func() { // a profile without samples is refused
			for n := 0; ctx.Err() == nil; n++ {
				if busy = make([]byte, 64<<10); n > 20000 && time.Since(begun) > most {
					cancel()
				}
			}
		}()
		pprof.Profile(w, q.WithContext(ctx))
	})
	return mux
}

// TestServiceWatchedToTheEnd checks that a service is watched from the beginning of the
// sampling to its end, however the ticks fall: here it ends before the first.
func TestServiceWatchedToTheEnd(t *testing.T) {
	server := httptest.NewServer(profiled(300 * time.Millisecond))
	defer server.Close()
	f := &sourceFlags{duration: time.Second}
	got, err := f.service(t.Context(), &progress.Printer{W: io.Discard}, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if got.summary() == nil {
		t.Errorf("%d snapshots", len(got.snapshots))
	}
	dir := t.TempDir()
	if err := got.record(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := watch.ReadFile(dir + "/" + watchFile); err != nil {
		t.Error(err)
	}
	got.snapshots = got.snapshots[:1] // what diff would refuse is not written
	if err := got.record(t.TempDir() + "/none"); err != nil {
		t.Error(err)
	}
}
