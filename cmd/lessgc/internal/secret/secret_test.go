package secret

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	for _, name := range []string{"TOKEN", "API_TOKEN", "GITHUBTOKEN", "MY_SECRET", "PASSWORD", "PGPASSWORD", "DB_PASS", "AWS_SECRET_ACCESS_KEY", "SSHKEY", "API-Key",
		"apiKey", "Authorization", "x-auth", "GOAUTH", "CREDENTIALS", "cookie", "Set-Cookie", "x-api-key", "DATABASE_DSN", "private_key", "Proxy-Authorization", "DB_PWD", "access_token"} {
		if !Name(name) {
			t.Errorf("%s is not a secret", name)
		}
	}
	for _, name := range []string{"GOGC", "PWD", "OLDPWD", "FOO", "URL", "KEYBOARD", "AUTHOR", "PASSENGERS", "GOPROXY", "seconds", "X-Request-Id", "", "_"} {
		if Name(name) {
			t.Errorf("%s is a secret", name)
		}
	}
}

func TestHide(t *testing.T) {
	check := func(in, want string) {
		t.Helper()
		if got := Hide(in); got != want {
			t.Errorf("Hide(%q) = %q, want %q", in, got, want)
		}
	}
	check("", "")
	check("see https://host/a@b and me@host", "see https://host/a@b and me@host")
	check("get https://me:pw@host/x: refused", "get https://xxxxx@host/x: refused")
	check("get https://TOKEN@host", "get https://xxxxx@host")
	check(`parse "postgres://u:p%zz@h/db": invalid`, `parse "postgres://xxxxx@h/db": invalid`)
	check("http://a:b@c http://d:e@f", "http://xxxxx@c http://xxxxx@f")
	check("http://u:pa/ss@host", "http://xxxxx@host") // malformed
	check("http://u:p?a#s@host", "http://xxxxx@host")
	check("get http://h/x?token=abc: refused", "get http://h/x?xxxxx: refused")
	check("get http://h/x#abc", "get http://h/x#xxxxx")
	check("what is http://h/? it", "what is http://h/? it")
	if got := HideUsers("./x http://h/?page=2 http://u@h"); got != "./x http://h/?page=2 http://xxxxx@h" {
		t.Error(got)
	}
}

func TestAddress(t *testing.T) {
	check := func(in, want string) {
		t.Helper()
		if got := Address(in); got != want {
			t.Errorf("Address(%q) = %q, want %q", in, got, want)
		}
	}
	check("localhost:6060", "localhost:6060")
	check("http://host:6060/debug/pprof", "http://host:6060/debug/pprof")
	check("http://host/@me", "http://host/@me")
	check("https://me:pw@host/x?token=abc#frag", "https://xxxxx@host/x?xxxxx")
	check("https://TOKEN@host", "https://xxxxx@host")
	check("http://me:p%zw@host", "http://xxxxx")
	check("http://me:pa/ss@host", "http://xxxxx")
	check("ht!tp://me:pw@host", "ht!tp://xxxxx")
	check("localhost?token=abc", "xxxxx")
	check("me:pw@host:80", "xxxxx")
}

func TestPair(t *testing.T) {
	for _, pair := range []string{"API_TOKEN=abc", "DB=postgres://u:p@h/d", "GOPROXY=https://u:p@proxy,direct", "HOOK=https://h/x?token=abc", "U=https://tok@h"} {
		if !Pair(pair) {
			t.Errorf("%s holds no secret", pair)
		}
	}
	for _, pair := range []string{"API_TOKEN=", "FOO=1", "DB=postgres://h/d", "HOOK=https://h/x?page=2", "GOPROXY=https://proxy,direct"} {
		if Pair(pair) {
			t.Errorf("%s holds a secret", pair)
		}
	}
}

func TestIsURL(t *testing.T) {
	for text, want := range map[string]bool{"http://h": true, "HTTPS://h": true, "h:80": false, "ftp://h": false, "": false} {
		if IsURL(text) != want {
			t.Errorf("IsURL(%q) is %v", text, !want)
		}
	}
}

// TestRedirect follows redirects to the same server and to another: a port of its own.
func TestRedirect(t *testing.T) {
	seen := make(chan http.Header, 1)
	record := http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { seen <- q.Header })
	other := httptest.NewServer(record)
	defer other.Close()
	mux := http.NewServeMux()
	mux.Handle("/here", record)
	mux.Handle("/stay", http.RedirectHandler("/here", http.StatusTemporaryRedirect))
	mux.Handle("/leave", http.RedirectHandler(other.URL+"/", http.StatusTemporaryRedirect))
	mux.Handle("/round", http.RedirectHandler("/round", http.StatusTemporaryRedirect))
	s := httptest.NewServer(mux)
	defer s.Close()
	ask := func(path string) error {
		q, err := http.NewRequest(http.MethodGet, s.URL+path+"?token=abc", nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer abc")
		q.Header.Set("X-Scope-OrgID", "tenant")
		q.Header.Set("X-Api-Key", "abc")
		q.Header.Set("Accept", "a/b")
		w, err := Client.Do(q)
		if err == nil {
			w.Body.Close()
		}
		return err
	}
	secrets := []string{"Authorization", "X-Scope-Orgid", "X-Api-Key", "Referer"}
	for path, kept := range map[string]bool{"/stay": true, "/leave": false} {
		if err := ask(path); err != nil {
			t.Fatal(err)
		}
		header := <-seen
		for _, name := range secrets {
			if (header.Get(name) != "") != kept {
				t.Errorf("%s: %s is %q", path, name, header.Get(name))
			}
		}
		if header.Get("Accept") != "a/b" {
			t.Errorf("%s: %v", path, header)
		}
	}
	if err := ask("/round"); err == nil || !strings.Contains(err.Error(), "more than 10 redirects") {
		t.Error(err)
	}
}

func TestSameServer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"http://h/x", "http://H:80/y", true}, {"http://h", "https://h", true}, {"https://h", "http://h", false}, {"http://h:8080", "https://h:8443", false},
		{"http://h", "http://h:81", false}, {"http://h", "http://a.h", false}, {"https://h", "https://h:443", true},
	} {
		a, _ := url.Parse(c.a)
		b, _ := url.Parse(c.b)
		if sameServer(a, b) != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, !c.want)
		}
	}
}
