package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// TestSecretsInErrors checks that no error, and no line of progress, shows
// credentials, whether an address can be parsed or not.
func TestSecretsInErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, address := range []string{
		"http://me:hunter2@127.0.0.1:1", "http://hunter2@127.0.0.1:1", "HTTP://me:hunter2@127.0.0.1:1", "http://127.0.0.1:1/?token=hunter2", "http://127.0.0.1:1/debug/pprof?access_token=hunter2#hunter2",
		"http://me:hunter2%zz@127.0.0.1:1", "http://me:hunter2/x@127.0.0.1:1", "http://me:hunter2?x#y@127.0.0.1:1", "http://me:hunter2@[::1", "http://me:hunter2@127.0.0.1:port",
		"http://me:hunter2 x@127.0.0.1:1", "http://me:hunter2@", "ftp://me:hunter2@127.0.0.1", "http:/me:hunter2@127.0.0.1",
	} {
		for _, args := range [][]string{
			{"advise", address}, {"advise", "-for", "1s", "x", address}, {"watch", address}, {"diff", address, address}, {"diff", "x.jsonl", address},
			{"advise", "-parca", address, "-query", `{a="b"}`}, {"advise", "-parca=" + address, "-query", `{a="b"}`}, {"advise", "-pyroscope", address, "-query", `{a="b"}`},
			{"diff", "-pyroscope", address, "-query", `{a="b"}`, "-2h..-1h", "-1h"}, {"report", address}, {"compare", "-exec", "'./x " + address},
			{"compare", "-mode", "x: GOGC=bad DB=" + address}, {"compare", "-load", address}, {"compare", "-resume", address},
		} {
			if _, err := url.Parse(address); err != nil && strings.Contains(address, " ") && (args[0] == "report" || args[0] == "compare") {
				continue // two words, of which the second is anything
			}
			if strings.HasPrefix(address, "http:/me") && args[0] != "watch" && !strings.Contains(args[1], "parca") {
				continue // no address at all, but a file's name
			}
			status, out := says(t, args...)
			if status != exitFailure || strings.Contains(out, "hunter2") {
				t.Errorf("status %d of %q: %s", status, args, out)
			}
		}
	}
	for _, m := range []string{"x: API_TOKEN=hunter2 GOGC=bad", "x: API_TOKEN='hunter2", "token=hunter2", "x: token=hunter2", "API_TOKEN=hunter2"} {
		if status, out := says(t, "compare", "-mode", m); status != exitFailure || strings.Contains(out, "hunter2") {
			t.Errorf("status %d of -mode %q: %s", status, m, out)
		}
	}
	var b bytes.Buffer
	err := errors.New(`parse "http://me:hunter2@%zz": invalid URL escape "%zz"`) // as net/http says of a proxy
	newEnv(&b, &b).fail(errors.Join(errors.New("proxy"), err))
	newEnv(&b, &b).progress().Line("get %v", err)
	if strings.Contains(b.String(), "hunter2") || strings.Count(b.String(), "\n") != 2 {
		t.Error(b.String())
	}
}

// TestSecretsSaidBack checks what is shown of servers that repeat what they were sent.
func TestSecretsSaidBack(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("LESSGC_STORE_TOKEN", "hunter2-token")
	t.Setenv("LESSGC_STORE_TENANT", "acme")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		user, password, _ := q.BasicAuth()
		http.Error(w, "not for "+user+" "+password+" "+q.Header.Get("Authorization")+" "+q.URL.RawQuery, http.StatusUnauthorized)
	}))
	defer s.Close()
	address := strings.Replace(s.URL, "http://", "http://hunter2:hunter2-pw@", 1) + "/?token=hunter2-query"
	for _, args := range [][]string{{"advise", "-for", "1s", address}, {"watch", address}, {"advise", "-parca", address, "-query", `{a="b"}`}, {"advise", "-pyroscope", address, "-query", `{a="b"}`}} {
		status, out := says(t, args...)
		if status != exitFailure || !strings.Contains(out, "401") || strings.Contains(out, "hunter2") {
			t.Errorf("status %d of %q: %s", status, args, out)
		}
	}
}

// TestSecretsInResults samples a service whose address has a user and a query: it gets
// both with every request, and no file of the results has them.
func TestSecretsInResults(t *testing.T) {
	t.Chdir(t.TempDir())
	word := rand.Text() // the page shows the source of this test
	var requests, without atomic.Int64
	service := profiled(time.Minute)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		requests.Add(1)
		if _, password, ok := q.BasicAuth(); !ok || password != word || q.FormValue("token") != word {
			without.Add(1)
		}
		service.ServeHTTP(w, q)
	}))
	defer s.Close()
	address := strings.Replace(s.URL, "http://", "http://me:"+word+"@", 1) + "/debug/pprof?token=" + word
	status, out := says(t, "advise", "-for", "1s", "-reasons=false", "-levers=false", "-module", "lessgc/cmd/lessgc", "-o", "res", address)
	if status != exitClean || strings.Contains(out, word) {
		t.Errorf("status %d: %s", status, out)
	}
	if requests.Load() < 3 || without.Load() > 0 {
		t.Errorf("%d of %d requests came without user or query", without.Load(), requests.Load())
	}
	mustNotHold(t, "res", word)
}

// mustNotHold checks all files below a folder.
func mustNotHold(t *testing.T, dir, text string) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			t.Errorf("%s holds %s", path, text)
		}
		return err
	})
	if err != nil || n < 2 {
		t.Errorf("%d files: %v", n, err)
	}
}

// secretSession is a comparison whose modes and command hold secrets.
func secretSession() *session.Session {
	modes := []mode.Mode{{Name: "a", RunEnv: []string{"API_TOKEN=hunter2", "FOO=1"}}, {Name: "b", BuildEnv: []string{"GOPROXY=https://me:hunter2@proxy"}}}
	return &session.Session{
		Format: session.Format, Dir: "/", Command: mode.HideArgs([]string{"compare", "-mode", "a: API_TOKEN=hunter2", "-exec", "./x http://hunter2@h"}),
		Config:   session.Config{Exec: "./x http://hunter2@h", Modes: modes, Baseline: "a", Procs: 1, Looks: 1, Rounds: 6, MinTrial: time.Second, Timeout: time.Minute, Margin: 0.03},
		Cells:    []session.Cell{{ID: "a", Name: "a", Mode: modes[0], Ref: -1}, {ID: "b", Name: "b", Mode: modes[1], Err: "no answer to hunter2"}, {ID: "aa", Name: "A/A", Mode: modes[0], AA: true}},
		Rows:     []session.Row{{Name: "./x http://hunter2@h", Label: "./x http://hunter2@h", Bench: []string{"./x http://hunter2@h", "", "./x http://hunter2@h"}, N: 1}},
		Problems: []session.Problem{{Cell: "b", Row: "./x http://hunter2@h", Text: "panic: token hunter2", Detail: "API_TOKEN=hunter2\nhttp://hunter2@h"}},
		Notes:    []string{"http://hunter2@h is slow"},
	}
}

// TestSecretsInSessions checks what compare keeps and reports, and that a run that needs
// secrets again asks for them.
func TestSecretsInSessions(t *testing.T) {
	t.Chdir(t.TempDir())
	s := secretSession()
	d, err := session.Create("res", s)
	if err != nil {
		t.Fatal(err)
	}
	var trials []session.Trial
	for round := range 7 {
		trials = append(trials, session.Trial{Round: round, Cell: 0, N: 1, User: time.Second}, session.Trial{Round: round, Cell: 2, N: 1, User: time.Second, Order: 1})
	}
	trials = append(trials, session.Trial{Round: 7, N: 1, Err: "get http://hunter2@h: refused"})
	if err := d.Append(trials...); err != nil {
		t.Fatal(err)
	}
	if s.Config.Modes[0].RunEnv[0] != "API_TOKEN=hunter2" || s.Rows[0].Name != "./x http://hunter2@h" {
		t.Errorf("what is being measured has changed: %+v", s)
	}
	if err := render.Files(d.Root, verdict.New(s, trials)); err != nil {
		t.Fatal(err)
	}
	mustNotHold(t, "res", "hunter2")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	// The command cannot be run again without its secret.
	if status, out := says(t, "compare", "-resume", "res", "-rounds", "9"); status != exitFailure || !strings.Contains(out, "its command held a user or a password in an address") {
		t.Errorf("status %d: %s", status, out)
	}
	s, _, err = session.Read("res")
	if err != nil {
		t.Fatal(err)
	}
	s.Config.Exec = ""
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("res/session.json", data, 0o666); err != nil {
		t.Fatal(err)
	}
	if status, out := says(t, "compare", "-resume", "res", "-rounds", "9"); status != exitFailure || !strings.Contains(out, "set API_TOKEN in the environment to what it was") {
		t.Errorf("status %d: %s", status, out)
	}
	t.Setenv("API_TOKEN", "hunter2")
	t.Setenv("GOPROXY", "https://me:hunter2@proxy")
	if err := restore(s); err != nil || s.Config.Modes[0].RunEnv[0] != "API_TOKEN=hunter2" || s.Config.Modes[1].BuildEnv[0] != "GOPROXY=https://me:hunter2@proxy" {
		t.Errorf("%v: %+v", err, s.Config.Modes)
	}
}
