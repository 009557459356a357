package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/board"
	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/diff"
	"lessgc/cmd/lessgc/internal/history"
	"lessgc/cmd/lessgc/internal/load"
	"lessgc/cmd/lessgc/internal/runs"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/version"
	"lessgc/cmd/lessgc/internal/vetrun"
	"lessgc/cmd/lessgc/internal/watch"
	"lessgc/live"
)

// formats are all that lessgc writes to disk, or reads: the file of the oldest version that
// is still read, which is never changed; what it is in memory; and what reads it, if
// lessgc does. A new version gets a file of its own as long as the older one is read.
var formats = []struct {
	name, file string
	value      func() any
	read       func(path string) error
}{
	{"lessgc-session/1", "session/session.json", func() any { return new(session.Session) }, readSession},
	{"lessgc-report/1", "report.json", func() any { return new(verdict.Report) }, nil},
	{"lessgc-runs/1", "runs.json", func() any { return new(runs.Report) }, nil},
	{"lessgc-history/1", "history.jsonl", func() any { return new(history.Run) }, func(path string) error { _, err := history.Read(path); return err }},
	{"lessgc-course/1", "course.json", func() any { return new(history.Course) }, nil},
	{"lessgc-watch/1", "watch.jsonl", func() any { return new(watch.Header) }, func(path string) error { _, err := watch.ReadFile(path); return err }},
	{"lessgc-advice/1", "advice.json", func() any { return new(advice.Report) }, func(path string) error { _, err := readAdvice(path); return err }},
	{"lessgc-apply/1", "apply/apply.json", func() any { return new(attempt.State) }, func(path string) error {
		_, err := attempt.ReadState(filepath.Dir(path))
		return err
	}},
	{"lessgc-scoreboard/1", "scoreboard.json", func() any { return new(board.Report) }, nil},
	{"lessgc-diff/1", "diff.json", func() any { return new(diff.Report) }, nil},
	{"lessgc-vet/1", "vet.json", func() any { return new(vetrun.Report) }, nil},
	{"lessgc-load/1", "load.json", func() any { return new(load.Spec) }, func(path string) error { _, err := load.ReadSpec(path); return err }},
	{"lessgc-live/1", "live.json", func() any { return new(live.Snapshot) }, nil}, // read from a service: TestAnswer of package watch
	{"lessgc-tune/1", "tune.json", func() any { return new(curve.Report) }, func(path string) error { _, err := readTune(path); return err }},
	{"lessgc-version/1", "version.json", func() any { return new(version.Info) }, nil},
}

func readSession(path string) error {
	s, trials, err := session.Read(filepath.Dir(path))
	if err == nil {
		verdict.New(s, trials)
	}
	return err
}

// TestFormats reads a file of each format, and checks that nothing of it is lost: neither a
// field nor its name may go without a new version.
func TestFormats(t *testing.T) {
	for _, f := range formats {
		path := filepath.Join("testdata", "formats", filepath.FromSlash(f.file))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first := data
		if filepath.Ext(path) == ".jsonl" {
			first, _, _ = bytes.Cut(data, []byte("\n"))
		}
		value := f.value()
		dec := json.NewDecoder(bytes.NewReader(first))
		dec.DisallowUnknownFields()
		if err := dec.Decode(value); err != nil {
			t.Errorf("%s: %v", f.file, err)
			continue
		}
		again, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var want, got map[string]any
		if err := json.Unmarshal(first, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(again, &got); err != nil {
			t.Fatal(err)
		}
		if want["format"] != f.name {
			t.Errorf("%s is of format %v, want %s", f.file, want["format"], f.name)
		}
		if _, ok := want["tool"]; !ok {
			delete(got, "tool") // it came later
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s is not the same after it was read:\n%s", f.file, diff)
		}
		if f.read != nil {
			if err := f.read(path); err != nil {
				t.Errorf("%s: %v", f.file, err)
			}
		}
	}
}

// TestFutureFormats checks that a file of a later version is refused in a sentence that names
// both versions, though nothing in it has the types of today.
func TestFutureFormats(t *testing.T) {
	for _, f := range formats {
		if f.read == nil {
			continue
		}
		future := strings.TrimSuffix(f.name, "1") + "2"
		path := filepath.Join(t.TempDir(), filepath.Base(f.file))
		text := `{"format": "` + future + `", "command": {"words": 1}, "url": [], "notes": 7, "costs": "none", "server": 1, "tool": 2, "later": true}` + "\n"
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		err := f.read(path)
		if err == nil || !strings.Contains(err.Error(), future) || !strings.Contains(err.Error(), f.name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", future, err)
		}
	}
}

// TestAllFormats checks that the list has the formats that the source names.
func TestAllFormats(t *testing.T) {
	known := map[string]bool{}
	for _, f := range formats {
		known[f.name] = true
	}
	named := regexp.MustCompile(`Format = "(lessgc-[a-z]+/[0-9]+)"`)
	found := map[string]bool{}
	for _, dir := range []string{".", "../../live"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			for _, m := range named.FindAllSubmatch(data, -1) {
				found[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(found, known); diff != "" {
		t.Errorf("the formats in the source (-) and in the list (+):\n%s", diff)
	}
}
