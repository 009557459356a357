package fleet

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRedirected checks that a store cannot send on what lets us in.
func TestRedirected(t *testing.T) {
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		asked++
		for _, name := range []string{"X-Scope-OrgID", "Authorization", "Referer", "Cookie"} {
			if v := q.Header.Get(name); v != "" {
				t.Errorf("another server gets %s: %s", name, v)
			}
		}
		http.Error(w, "who are you?", http.StatusUnauthorized)
	}))
	defer other.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("X-Scope-OrgID") != "acme" || q.Header.Get("Authorization") == "" || q.FormValue("token") != "abc" {
			t.Errorf("the store gets %v and %q", q.Header, q.URL.RawQuery)
		}
		http.Redirect(w, q, other.URL+q.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer s.Close()
	for _, kind := range []string{Parca, Pyroscope} {
		for _, bearer := range []string{"", "bearer"} {
			st := &Store{Kind: kind, Address: strings.Replace(s.URL, "http://", "http://me:pw@", 1) + "/?token=abc", Query: `{a="b"}`, Tenant: "acme", Token: bearer}
			if _, err := st.Profiles(t.Context(), from, to); err == nil || !strings.Contains(err.Error(), "401 Unauthorized: who are you?") {
				t.Error(err)
			}
		}
	}
	if asked != 4 {
		t.Errorf("the other server was asked %d times", asked)
	}
}
