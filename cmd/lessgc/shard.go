package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/session"
)

// shardRounds is the number of rounds of a shard when the user names none: what a machine says becomes
// only a little more certain by more, and what machines say together by more machines.
const shardRounds = 12

// setShard reads -shard. A shard does not go on until rows are clear: what is clear on one machine need
// not be on another, and to end where it looks clear would make what machines say together too large.
func (f *compareFlags) setShard(c *session.Config) error {
	if f.shard == "" {
		return nil
	}
	shard, err := parseShard(f.shard, os.LookupEnv)
	if err != nil {
		return err
	}
	if c.Upgrade != nil || f.upgradeSet {
		return errors.New("-shard does not go with -upgrade: compare the two toolchains, with -mode toolchain=OLD,NEW")
	}
	c.Shard, c.Adaptive, c.Clear = &shard, false, nil
	if c.Rounds == 0 {
		c.Rounds = shardRounds
	}
	if f.budget == 0 {
		c.Budget = 0
	}
	return nil
}

// parseShard reads I/N, auto, or auto/N, for which the environment has the number.
func parseShard(text string, lookup func(string) (string, bool)) (s session.Shard, err error) {
	index, of, both := strings.Cut(text, "/")
	from := "-shard " + text
	switch {
	case index == "auto":
		if index, of, from, err = shardOf(of, lookup); err != nil {
			return s, err
		}
	case !both:
		return s, fmt.Errorf("-shard %.40q: it is a part and the number of parts, such as 3/8, or auto", text)
	}
	var err1, err2 error
	s.Index, err1 = strconv.Atoi(index)
	s.Of, err2 = strconv.Atoi(of)
	if err1 != nil || err2 != nil {
		return s, fmt.Errorf("%.80q: a shard is a part and the number of parts, such as 3/8", from)
	}
	if s.Of < 1 || s.Of > session.MaxShards || s.Index < 1 || s.Index > s.Of {
		return s, fmt.Errorf("%.80q: shards are numbered from 1 to their number, which is at most %d", from, session.MaxShards)
	}
	return s, nil
}

// shardOf takes the number of a shard, and of all if the flag does not have it, from what CI systems set.
func shardOf(of string, lookup func(string) (string, bool)) (index, all, from string, err error) {
	get := func(name string) string { value, _ := lookup(name); return value }
	if v := get("LESSGC_SHARD"); v != "" {
		index, all, ok := strings.Cut(v, "/")
		if !ok || of != "" && of != all {
			return "", "", "", fmt.Errorf("LESSGC_SHARD is %.40q; it should be a part and the number of parts, such as 3/8, with the number of -shard if that has one", v)
		}
		return index, all, "LESSGC_SHARD=" + v, nil
	}
	if node, total := get("CI_NODE_INDEX"), get("CI_NODE_TOTAL"); node != "" && total != "" {
		if of != "" && of != total {
			return "", "", "", fmt.Errorf("-shard auto/%s, but CI_NODE_TOTAL is %.40q", of, total)
		}
		return node, total, "CI_NODE_INDEX=" + node + " CI_NODE_TOTAL=" + total, nil
	}
	if completion := get("JOB_COMPLETION_INDEX"); completion != "" {
		n, err := strconv.Atoi(completion)
		if err != nil || n < 0 || n >= session.MaxShards {
			return "", "", "", fmt.Errorf("JOB_COMPLETION_INDEX is %.40q; it should be a number from 0", completion)
		}
		if of == "" {
			return "", "", "", errors.New("-shard auto: JOB_COMPLETION_INDEX does not say how many there are; write -shard auto/N with the Job's completions")
		}
		return strconv.Itoa(n + 1), of, "JOB_COMPLETION_INDEX=" + completion + " of " + of, nil
	}
	return "", "", "", errors.New("-shard auto: the environment has neither LESSGC_SHARD, nor CI_NODE_INDEX and CI_NODE_TOTAL, nor JOB_COMPLETION_INDEX; write -shard 3/8")
}

// sharedSeed is a seed that all shards of a comparison come to without asking each other: it is made of what
// they have in common.
func sharedSeed(c session.Config) uint64 {
	data, err := json.Marshal([]any{c.Shard.Of, c.Packages, c.Bench, c.Args, c.Exec, c.LoadSum, c.Baseline, c.Base, c.Column, c.MinTrial})
	if err != nil {
		panic(err) // of strings and numbers
	}
	sum := fnv.New64a()
	sum.Write(data)
	return 1 + sum.Sum64()%1e9
}
