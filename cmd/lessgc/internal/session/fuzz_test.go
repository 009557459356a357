package session_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// FuzzRead reads and judges what may stand in a folder of results: nothing panics,
// errors are a line, memory is in proportion to the files, and what is read can be
// judged and written again.
func FuzzRead(f *testing.F) {
	plans, trials := session.Seeds(f)
	for _, p := range plans {
		f.Add(p, trials[0])
	}
	for _, t := range trials {
		f.Add(plans[0], t)
	}
	f.Fuzz(func(t *testing.T, plan, lines []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := session.DecodePlan(plan)
		line(t, err)
		if err != nil {
			return
		}
		all, whole, err := session.DecodeTrials(bytes.NewReader(lines), s)
		line(t, err)
		runtime.ReadMemStats(&after)
		// Two megabytes are the buffer for a line; an empty object becomes 500 bytes.
		if used, limit := after.TotalAlloc-before.TotalAlloc, uint64(4<<20+2000*(len(plan)+len(lines))); used > limit {
			t.Errorf("%d bytes are allocated for %d and %d, more than %d", used, len(plan), len(lines), limit)
		}
		if err != nil {
			return
		}
		if whole > int64(len(lines)) {
			t.Errorf("%d whole bytes of %d", whole, len(lines))
		}
		for _, x := range all {
			if x.Round > session.MaxRounds || x.Cell >= len(s.Cells) || x.Row >= len(s.Rows) {
				t.Fatalf("%+v", x)
			}
		}
		if _, err := json.Marshal(verdict.New(s, session.Latest(all))); err != nil {
			t.Errorf("the report cannot be written: %v", err)
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.DecodePlan(again); err != nil {
			t.Errorf("what was read is refused when it is written again: %v", err)
		}
	})
}

// TestLongValue checks that what a plan or a trial says is cut in errors.
func TestLongValue(t *testing.T) {
	plans, trials := session.Seeds(t)
	long := strings.Repeat("x", 20_000)
	for _, field := range []string{"created", "format"} {
		plan := regexp.MustCompile(`("`+field+`":")[^"]*`).ReplaceAllString(string(plans[0]), "${1}"+long)
		_, err := session.DecodePlan([]byte(plan))
		if line(t, err); err == nil {
			t.Errorf("a long %s is accepted", field)
		}
	}
	s, err := session.DecodePlan(plans[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"round", "value"} {
		text := regexp.MustCompile(`("`+field+`":)[^,}]*`).ReplaceAllString(string(trials[0]), "${1}"+strings.Repeat("3", 20_000))
		_, _, err := session.DecodeTrials(strings.NewReader(text), s)
		if line(t, err); err == nil {
			t.Errorf("a long %s is accepted", field)
		}
	}
}

func line(t *testing.T, err error) {
	t.Helper()
	if err != nil && (strings.Contains(err.Error(), "\n") || len(err.Error()) > 2000) {
		t.Errorf("%d bytes: %.100q", len(err.Error()), err)
	}
}
