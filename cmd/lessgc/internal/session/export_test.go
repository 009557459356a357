package session

import (
	"encoding/json"
	"testing"
)

// For the fuzz target, which lives outside of the package to judge what it reads.
var (
	DecodePlan   = decodePlan
	DecodeTrials = decodeTrials
)

// Seeds returns session.json and trials.jsonl as runs write them and as the tables
// of hostile ones have them.
func Seeds(t testing.TB) (plans, trials [][]byte) {
	t.Helper()
	s := sample()
	plan, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	one, err := json.Marshal(trialOf(1, 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, x := range rounds(s, 0, 7) {
		line, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, line...), '\n')
	}
	plans, trials = [][]byte{plan}, [][]byte{all}
	for _, edits := range [][]edit{hostilePlans, hostileSettings} {
		for _, e := range edits {
			plans = append(plans, e.apply(t, plan))
		}
	}
	whole := edit{"config upgrade", `{"from":"oldgc","to":"greentea","changes":[{"name":"x","setting":"nox","mode":"arenas"},{"name":"y","why":"z"}],"gone":["a"]}`, ""}
	plans = append(plans, whole.apply(t, plan))
	for _, e := range hostileTrials {
		if len(e.value) < 10_000 {
			trials = append(trials, append(e.apply(t, one), '\n'))
		}
	}
	return plans, trials
}
