package collect

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"strings"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/trial"
)

func TestMain(m *testing.M) {
	trial.Helper()
	os.Exit(m.Run())
}

var sink []byte

// TestURL samples this very process, by way of HTTP.
func TestURL(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	s := httptest.NewServer(mux)
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			sink = make([]byte, 64<<10)
		}
	}()
	for _, address := range []string{s.URL, s.URL + "/debug/pprof/", strings.TrimPrefix(s.URL, "http://") + "/debug/vars"} {
		p, err := URL(t.Context(), address, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if p.CPU.Kind != prof.CPU || p.Allocs.Kind != prof.Allocs || p.Live.Kind != prof.Allocs || p.Allocs.DurationNanos == 0 {
			t.Errorf("%+v", p)
		}
	}
}

// TestURLWrong checks what is said of services that have no profiles.
func TestURLWrong(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/text/", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("hello")) })
	mux.HandleFunc("/swapped/", func(w http.ResponseWriter, _ *http.Request) {
		pprof.Handler("heap").ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	})
	s := httptest.NewServer(mux)
	address := s.URL
	for path, want := range map[string]string{
		"":         "404 Not Found: 404 page not found; does the service import net/http/pprof?",
		"/text":    "not a pprof profile",
		"/swapped": "it is a profile of kind allocs, and should be of cpu",
	} {
		_, err := URL(t.Context(), address+path, time.Second)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	s.Close()
	if _, err := URL(t.Context(), address, time.Second); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Error(err)
	}
	secret := strings.Replace(address, "http://", "http://me:secret@", 1)
	if _, err := URL(t.Context(), secret, time.Second); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("the password is shown: %v", err)
	}
	if _, err := URL(t.Context(), "http://", time.Second); err == nil || !strings.Contains(err.Error(), "invalid address") {
		t.Error(err)
	}
}
