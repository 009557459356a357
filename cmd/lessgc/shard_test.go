package main

import (
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/session"
)

func TestParseShard(t *testing.T) {
	for _, c := range []struct{ text, env, want, err string }{
		{"3/8", "", "3/8", ""},
		{"1/1", "", "1/1", ""},
		{"auto", "LESSGC_SHARD=2/5", "2/5", ""},
		{"auto/5", "LESSGC_SHARD=2/5", "2/5", ""},
		{"auto/6", "LESSGC_SHARD=2/5", "", `LESSGC_SHARD is "2/5"`},
		{"auto", "LESSGC_SHARD=2", "", `LESSGC_SHARD is "2"`},
		{"auto", "CI_NODE_INDEX=2 CI_NODE_TOTAL=3", "2/3", ""},
		{"auto/4", "CI_NODE_INDEX=2 CI_NODE_TOTAL=3", "", `-shard auto/4, but CI_NODE_TOTAL is "3"`},
		{"auto/4", "JOB_COMPLETION_INDEX=0", "1/4", ""},
		{"auto/4", "JOB_COMPLETION_INDEX=3", "4/4", ""},
		{"auto/4", "JOB_COMPLETION_INDEX=4", "", "shards are numbered from 1"},
		{"auto/4", "JOB_COMPLETION_INDEX=-1", "", "a number from 0"},
		{"auto", "JOB_COMPLETION_INDEX=1", "", "write -shard auto/N"},
		{"auto", "", "", "the environment has neither"},
		{"0/8", "", "", "shards are numbered from 1"},
		{"9/8", "", "", "shards are numbered from 1"},
		{"1/1001", "", "", "at most 1000"},
		{"3", "", "", "it is a part and the number of parts"},
		{"3/", "", "", "a shard is a part"},
		{"/8", "", "", "a shard is a part"},
		{"1.5/8", "", "", "a shard is a part"},
		{"99999999999999999999/8", "", "", "a shard is a part"},
	} {
		lookup := func(name string) (string, bool) {
			for _, v := range strings.Fields(c.env) {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value, true
				}
			}
			return "", false
		}
		s, err := parseShard(c.text, lookup)
		switch {
		case c.err == "" && (err != nil || s.String() != c.want):
			t.Errorf("%s with %s: %v, %v", c.text, c.env, s, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s with %s: %v, want %s", c.text, c.env, err, c.err)
		}
	}
}

// TestSharedSeed checks that shards have a seed in common that says what is compared, and not where.
func TestSharedSeed(t *testing.T) {
	c := session.Config{Shard: &session.Shard{Index: 1, Of: 8}, Packages: []string{"./..."}, Bench: "X", Procs: 4}
	other := c
	other.Shard, other.Procs = &session.Shard{Index: 2, Of: 8}, 64
	if sharedSeed(c) != sharedSeed(other) {
		t.Error("two shards of a comparison have two seeds")
	}
	if other.Bench = "Y"; sharedSeed(c) == sharedSeed(other) {
		t.Error("two comparisons have one seed")
	}
}
