package session

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/lockfile"
)

// An edit puts a value at a path of a JSON document, such as "cells 0 id".
type edit struct{ path, value, want string }

// apply returns data with the edit done.
func (e edit) apply(t testing.TB, data []byte) []byte {
	t.Helper()
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	at := doc
	keys := strings.Fields(e.path)
	for i, key := range keys {
		var next any
		if list, ok := at.([]any); ok {
			n := int(key[0] - '0')
			if i == len(keys)-1 {
				list[n] = json.RawMessage(e.value)
			}
			next = list[n]
		} else {
			m := at.(map[string]any)
			if i == len(keys)-1 {
				m[key] = json.RawMessage(e.value)
			}
			next = m[key]
		}
		at = next
	}
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// hostilePlans are refused by every reader.
var hostilePlans = []edit{
	{"cells 0 id", `"../../x"`, "is not fit for a file name"},
	{"cells 0 id", `"/etc/x"`, "is not fit for a file name"},
	{"cells 0 id", `".."`, "is not fit for a file name"},
	{"cells 0 id", `"."`, "is not fit for a file name"},
	{"cells 0 id", `""`, "is not fit for a file name"},
	{"cells 0 id", `"a\\b"`, "is not fit for a file name"},
	{"cells 0 id", `"a\u0000b"`, "is not fit for a file name"},
	{"cells 0 id", `"` + strings.Repeat("x", 300) + `"`, "is not fit for a file name"},
	{"cells 1 id", `"oldgc"`, "two cells have the id"},
	{"cells 1 ref", `3`, "which it cannot be compared with"},
	{"cells 1 ref", `1`, "which it cannot be compared with"},
	{"cells 1 ref", `-2`, "which it cannot be compared with"},
	{"cells 1 ref", `9223372036854775808`, "cannot unmarshal number"},
	{"rows 0 bench", `[]`, "row 0 has 0 benchmarks for 3 cells"},
	{"rows 0 bench", `null`, "row 0 has 0 benchmarks for 3 cells"},
	{"rows 0 bench", `["a","b","c","d"]`, "row 0 has 4 benchmarks"},
	{"rows 0 n", `-1`, "n of row 0 is -1"},
	{"rows 0 n", `9223372036854775807`, "n of row 0 is 9223372036854775807"},
	{"rows 0 same", `[true]`, "row 0 has 1 binaries that are the same for 3 cells"},
	{"config upgrade", `{"from":"go1.26.8"}`, `invalid upgrade from "go1.26.8" to ""`},
	{"config upgrade", `{"from":"a","to":"b","changes":[{"name":"x","setting":"nox; rm","mode":"c"}]}`, `with the setting "nox; rm"`},
	{"config upgrade", `{"from":"a","to":"b","changes":[{"name":"x","setting":"nox","mode":"b"}]}`, `two parts of the upgrade are mode "b"`},
	{"config rounds", `9223372036854775807`, "rounds is 9223372036854775807, which is not between 0 and 2000"},
	{"config rounds", `-1`, "rounds is -1"},
	{"config looks", `9223372036854775807`, "looks is"},
	{"config timeout", `9223372036854775807`, "timeout is"},
	{"config trial", `-1`, "trial is -1ns"},
	{"config budget", `-1`, "budget is -1ns"},
	{"config procs", `1000000`, "procs is 1000000"},
	{"config margin", `1e300`, "margin is 1e+300"},
	{"host numCPU", `-1`, "host.numCPU is -1"},
	{"host memory", `-1`, "host.memory is -1"},
	{"host load", `1e300`, "host.load is 1e+300"},
}

// hostileSettings are refused before they are run.
var hostileSettings = []edit{
	{"dir", `"../elsewhere"`, `dir is "../elsewhere", which is not the path of a folder`},
	{"config modes", `[]`, "there are no modes"},
	{"config modes", `null`, "there are no modes"},
	{"config baseline", `"nope"`, `baseline is "nope", which is not one of the modes`},
	{"config modes 0 gomaxprocs", `"1e9"`, "GOMAXPROCS=1e9"},
	{"config modes 1 name", `"oldgc"`, `two modes are called "oldgc"`},
	{"config base", `"abc"`, `base is "abc", which is not the hash of a commit`},
	{"config base", `"--lock-reason=../../../../../../x"`, "which is not the hash of a commit"},
	{"config duet", `true`, "duet is set"},
	{"config upgrade", `{"from":"nope","to":"oldgc"}`, `the upgrade is about mode "nope"`},
	{"config upgrade", `{"from":"greentea","to":"oldgc"}`, "upgrade is set, and the rest is not that of an upgrade"},
	{"config load", `"../load.json"`, `load is "../load.json", which is not the path of a file`},
	{"config trial", `0`, "trial is 0s"},
	{"config timeout", `1`, "timeout is 1ns"},
	{"config procs", `0`, "procs is 0"},
}

// hostileTrials are refused by every reader.
var hostileTrials = []edit{
	{"round", `9223372036854775808`, `:1: "round" cannot be number 9223372036854775808; remove the line`},
	{"round", `9223372036854775807`, ":1: round is 9223372036854775807, which is not between 0 and 2000; remove the line"},
	{"round", `-1`, "round is -1"},
	{"order", `-1`, "order is -1"},
	{"n", `-5`, "n is -5"},
	{"n", `9223372036854775807`, "n is 9223372036854775807"},
	{"wall", `-1`, "wall is -1ns"},
	{"wall", `9223372036854775807`, "wall is"},
	{"user", `9223372036854775807`, "user is"},
	{"system", `-1`, "system is -1ns"},
	{"instructions", `-1`, "instructions is -1"},
	{"instructions", `9223372036854775807`, "instructions is 9223372036854775807"},
	{"rss", `-1`, "rss is -1"},
	{"load", `-2`, "load is -2"},
	{"steal", `2`, "steal is 2"},
	{"gc cycles", `-1`, "gc.cycles is -1"},
	{"gc cpu", `9223372036854775807`, "gc.cpu is"},
	{"gc heapGoal", `-1`, "gc.heapGoal is -1"},
	{"values 0 value", `1e308`, `the value 1e+308 of "sec/op" cannot be compared`},
	{"values 0 value", `1e-308`, "cannot be compared"},
	{"values", `[` + strings.Repeat("{},", 2000) + `{}]`, "the number of values is 2001"},
	{"latency", `"` + strings.Repeat("A", maxLine) + `"`, ":1: it is longer than 1048576 bytes; remove the line"},
}

// TestHostile checks that what no run has written is refused before anything is
// done with it: Resume writes files.
func TestHostile(t *testing.T) {
	check := func(file string, e edit, alsoRead bool) {
		t.Helper()
		path := create(t, sample(), trialOf(1, 0, 0))
		name := filepath.Join(path, file)
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, append(e.apply(t, data), '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
		before := tree(t, filepath.Dir(filepath.Dir(path)))
		refused := func(what string, err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), e.want) || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%s of %s = %.50s: %v; want %q", what, e.path, e.value, err, e.want)
			}
		}
		_, _, err = Read(path)
		if alsoRead {
			refused("Read", err)
		} else if err != nil {
			t.Errorf("%s = %s cannot be read: %v", e.path, e.value, err)
		}
		d, _, err := Resume(path)
		refused("Resume", err)
		if err == nil {
			d.Close()
		}
		same(t, "files", before, tree(t, filepath.Dir(filepath.Dir(path))))
	}
	for _, e := range hostilePlans {
		check(planFile, e, true)
	}
	for _, e := range hostileSettings {
		check(planFile, e, false)
	}
	for _, e := range hostileTrials {
		check(trialsFile, e, true)
	}
}

// tree lists the files below a folder.
func tree(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestSaveRefuses checks that no plan is written which could not be read.
func TestSaveRefuses(t *testing.T) {
	s := sample()
	path := create(t, s)
	d := opened(t, path)
	defer d.Close()
	large := sample()
	for range maxPlaces / len(large.Cells) {
		large.Rows = append(large.Rows, large.Rows[0])
	}
	d.Session = large
	if err := d.Save(); err == nil || !strings.Contains(err.Error(), "the plan cannot be kept: 33336 rows in 3 cells are more than lessgc can judge") {
		t.Error(err)
	}
	got, _ := read(t, path)
	same(t, "the plan before", s, got)
}

// TestManyObjects checks that a small file does not become a large session.
func TestManyObjects(t *testing.T) {
	data := []byte(`{"format":"` + Format + `","cells":[` + strings.Repeat("{},", maxObjects) + `{}]}`)
	if _, err := decodePlan(data); err == nil || !strings.Contains(err.Error(), "objects, more than") {
		t.Errorf("%d bytes: %v", len(data), err)
	}
}

// TestLinks checks that links inside of a folder, and pipes, are not followed.
func TestLinks(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(outside, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	link := func(path, name string) {
		t.Helper()
		os.RemoveAll(filepath.Join(path, name))
		if err := os.Symlink(outside, filepath.Join(path, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{planFile, trialsFile, lockFile} {
		path := create(t, sample(), trialOf(1, 0, 0))
		link(path, name)
		if d, _, err := Resume(path); err == nil || !strings.Contains(err.Error(), filepath.Join(path, name)) {
			t.Errorf("%s is a link: %v", name, err)
			if err == nil {
				d.Close()
			}
		}
	}
	// What is only written is replaced.
	path := create(t, sample(), trialOf(1, 0, 0))
	link(path, planFile+".tmp")
	link(path, rawDir)
	d, _, err := Resume(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Save(); err != nil {
		t.Error(err)
	}
	store(t, d, trialOf(2, 0, 0))
	if info, err := os.Lstat(filepath.Join(path, rawDir)); err != nil || !info.IsDir() {
		t.Errorf("%s is still a link: %v, %v", rawDir, info, err)
	}
	// A link that leads nowhere is in the way, too.
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(t.TempDir(), "new"), filepath.Join(dir, "report.html")); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, sample()); err == nil || !strings.Contains(err.Error(), "report.html") {
		t.Errorf("over a link that leads nowhere: %v", err)
	}
	if data, _ := os.ReadFile(outside); string(data) != "precious" {
		t.Errorf("a file outside of the folder was written: %q", data)
	}
}

// TestLocked checks that one process at a time writes into a folder, and that
// whoever is refused changes nothing.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "res")
	d, err := Create(path, sample())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Append(trialOf(1, 0, 0)); err != nil {
		t.Fatal(err)
	}
	before := tree(t, path)
	for name, open := range map[string]func() error{
		"Create": func() error { _, err := Create(path, sample()); return err },
		"Resume": func() error { _, _, err := Resume(path); return err },
		"Open":   func() error { _, err := Open(path); return err },
	} {
		if err := open(); !errors.As(err, new(*lockfile.Held)) || !strings.Contains(err.Error(), path+" is in use by process ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	same(t, "files", before, tree(t, path))
	if _, trials, err := Read(path); err != nil || len(trials) != 1 {
		t.Errorf("reading meanwhile: %d trials, %v", len(trials), err)
	}
	if err := errors.Join(d.Close(), d.Close()); err != nil {
		t.Error(err)
	}
	d, _, err = Resume(path)
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	// The file of a killed run is not an obstacle.
	if err := os.WriteFile(filepath.Join(path, lockFile), []byte(`{"pid":1,"host":"elsewhere"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if d, _, err = Resume(path); err != nil {
		t.Fatal(err)
	}
	d.Discard()
}

// TestFullDisk checks that a trial which cannot be stored is said to be lost.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	d := opened(t, create(t, sample()))
	defer d.Close()
	d.Session, d.trials = sample(), full
	if err := d.Append(trialOf(1, 0, 0)); err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("%v", err)
	}
}

// TestOddPlansRead checks that older and unfinished plans can be read.
func TestOddPlansRead(t *testing.T) {
	for _, text := range []string{`{"format": "lessgc-session/1"}`, `{"format":"lessgc-session/1","cells":[{"id":"a","ref":-1}],"rows":null}`} {
		if _, err := decodePlan([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
