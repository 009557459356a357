package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
)

// TestShardArgs checks that -fail-on is taken out of what compare gets, however it is written, and
// nothing else.
func TestShardArgs(t *testing.T) {
	check := func(args, shard, failOn []string) {
		t.Helper()
		gotShard, gotFailOn, err := shardArgs(args)
		if err != nil || !slices.Equal(gotShard, shard) || !slices.Equal(gotFailOn, failOn) {
			t.Errorf("%q: %q and %q, %v; want %q and %q", args, gotShard, gotFailOn, err, shard, failOn)
		}
	}
	cpu := []string{"cpu worse"}
	check(nil, nil, nil)
	check([]string{"-fail-on", "cpu worse"}, nil, cpu)
	check([]string{"-fail-on=cpu worse", "."}, []string{"."}, cpu)
	check([]string{"--fail-on=cpu worse", "-duet", "--fail-on", "allocs worse > 5%", "-base=main", "."},
		[]string{"-duet", "-base=main", "."}, []string{"cpu worse", "allocs worse > 5%"})
	check([]string{"-turns", "-bench", "-fail-on", "-fail-on", "cpu worse", "-exec", "--", "x"}, []string{"-turns", "-bench", "-fail-on", "-exec", "--", "x"}, cpu)
	check([]string{"-bench", "a", "--", "./..."}, []string{"-bench", "a", "./..."}, nil)
	check([]string{"-profiles=false", "a", "b", "-args", "--", "-fail-on", "x"}, []string{"-profiles=false", "a", "b", "-args", "--", "-fail-on", "x"}, nil)
}

// TestShardArgsAreFlags checks that every flag of a report is either one of a shard or refused by
// name: one that is added later must not come into a shard's command by chance.
func TestShardArgsAreFlags(t *testing.T) {
	var out, errs bytes.Buffer
	run(context.Background(), &out, &errs, []string{"report", "-h"})
	shared := flagsOf(out.String())
	out.Reset()
	run(context.Background(), &out, &errs, []string{"compare", "-h"})
	for name := range flagsOf(out.String()) {
		if _, ok := shared[name]; !ok || name == "fail-on" {
			continue
		}
		_, _, err := shardArgs([]string{"-" + name + "=true", "."})
		if err == nil || !strings.HasPrefix(err.Error(), "-"+name+" does not go with shards: it ") {
			t.Errorf("-%s: %v", name, err)
		}
	}
}

// TestCILines checks that an argument of several lines is refused in one.
func TestCILines(t *testing.T) {
	for _, s := range []string{"a\nb", "a\x00b", "a\u2028b", "\xff"} {
		var out, errs bytes.Buffer
		status := run(context.Background(), &out, &errs, []string{"ci", "github", "-from", ".", "--", "-bench", s, "."})
		if status != exitFailure || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q", s, status, &out, &errs)
		}
	}
}
