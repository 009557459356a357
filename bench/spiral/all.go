package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/bench/internal/guards"
	"lessgc/bench/internal/plot"
	"lessgc/bench/internal/service"
)

// caseNames are the cases in the order of the table.
var caseNames = []string{"creep", "nonheap", "goroutines", "stacks", "lowered", "outside"}

// A suite is all cases with all guards.
type suite struct {
	config
	n             int
	cases, guards string // "" for all
	lessgc, out   string
}

func (s *suite) run(ctx context.Context) error {
	cases, names := split(s.cases, caseNames), split(s.guards, guards.Names)
	if s.n < 1 {
		return errors.New("-n is at least 1")
	}
	for _, c := range cases {
		if stresses[c] == nil {
			return fmt.Errorf("unknown case %s", c)
		}
	}
	for _, g := range names {
		if err := guards.Check(g); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	var tuned map[string]*tuned
	if s.lessgc != "" {
		var err error
		if tuned, err = s.tuneAll(ctx, cases); err != nil {
			return err
		}
	}
	results, err := s.runs(ctx, cases, names, tuned)
	if len(results) == 0 {
		return err
	}
	return errors.Join(err, s.write(results, cases, names))
}

func split(list string, all []string) []string {
	if list == "" {
		return all
	}
	return strings.Split(list, ",")
}

// runs are in random order. One that cannot be done is reported and left out; an error ends them all.
func (s *suite) runs(ctx context.Context, cases, names []string, tuned map[string]*tuned) (all []*result, err error) {
	type run struct {
		c, guard string
		n        int
	}
	var todo []run
	for n := range s.n {
		for _, c := range cases {
			for _, g := range names {
				todo = append(todo, run{c, g, n + 1})
			}
		}
	}
	rand.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	for i, t := range todo {
		c := s.config
		c.Case, c.Guard = t.c, t.guard
		name := filepath.Join(s.out, fmt.Sprintf("%s-%s-%d", t.c, t.guard, t.n))
		r, err := c.run(ctx, s.lessgc, name+".jsonl")
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "spiral: %s, %s: %v\n", t.c, t.guard, err)
			continue
		}
		r.Tuned = tuned[t.c]
		fmt.Printf("%d of %d: %v\n", i+1, len(todo), r)
		data, err := json.Marshal(r)
		if err != nil {
			return all, err
		}
		if err := os.WriteFile(name+".json", data, 0o666); err != nil {
			return all, err
		}
		all = append(all, r)
	}
	return all, nil
}

// write makes the table and the pictures.
func (s *suite) write(all []*result, cases, names []string) error {
	var b strings.Builder
	table(&b, all, cases, names)
	if err := os.WriteFile(filepath.Join(s.out, "spiral.md"), []byte(b.String()), 0o666); err != nil {
		return err
	}
	fmt.Print(b.String())
	for _, c := range cases {
		if err := plot.WriteFile(filepath.Join(s.out, c+".svg"), picture(all, c, names)...); err != nil {
			return err
		}
	}
	return nil
}

// of selects the runs of a case with a guard.
func of(all []*result, c, guard string) (some []*result) {
	for _, r := range all {
		if r.Case == c && r.Guard == guard {
			some = append(some, r)
		}
	}
	return some
}

// table has a row for each case and guard, with medians.
func table(w io.Writer, all []*result, cases, names []string) {
	fmt.Fprintf(w, "| case | guard | outcome of the runs | largest share in the hold | mean | answered/s calm | hold | p50 calm | hold | p99 calm | hold | peak RSS of hard | watch: near | in | tune: room at 25 %% | was |\n|%s\n", strings.Repeat("---|", 16))
	for _, c := range cases {
		for _, g := range names {
			some := of(all, c, g)
			if len(some) == 0 {
				continue
			}
			m := func(f func(*result) service.Number) service.Number { return median(some, f) }
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %.0f | %.0f | %s | %s | %s | %s | %.0f of %.0f MiB | %s | %s | %s |\n", c, g, outcomes(some),
				percent(m(func(r *result) service.Number { return r.Largest })), percent(m(func(r *result) service.Number { return r.Mean })),
				float64(m(func(r *result) service.Number { return r.Calm.PerSecond })), float64(m(func(r *result) service.Number { return r.Hold.PerSecond })),
				service.Milli(m(func(r *result) service.Number { return r.Calm.P50 })), service.Milli(m(func(r *result) service.Number { return r.Hold.P50 })),
				service.Milli(m(func(r *result) service.Number { return r.Calm.P99 })), service.Milli(m(func(r *result) service.Number { return r.Hold.P99 })),
				float64(m(func(r *result) service.Number { return service.Number(service.MiB(r.PeakRSS)) })), service.MiB(some[0].Hard),
				relatives(some, func(r *result) service.Number { return r.Near }), relatives(some, func(r *result) service.Number { return r.In }), tunedCells(some))
		}
	}
}

// median returns the median of a figure over the runs that have it.
func median(some []*result, f func(*result) service.Number) service.Number {
	var values []float64
	for _, r := range some {
		if v := float64(f(r)); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return service.Number(service.Median(values))
}

// outcomes counts the verdicts, and quotes the first run that did not come to its end.
func outcomes(some []*result) string {
	var seen []string
	counts := map[string]int{}
	quote := ""
	for _, r := range some {
		v := r.verdict()
		if counts[v]++; counts[v] == 1 {
			seen = append(seen, v)
		}
		if quote == "" && r.Ended.How != "done" {
			quote = " (" + strings.ReplaceAll(r.ended(), "|", `\|`) + ")"
		}
	}
	slices.Sort(seen)
	for i, v := range seen {
		seen[i] = fmt.Sprintf("%d× %s", counts[v], v)
	}
	return strings.Join(seen, ", ") + quote
}

// relatives formats when an alarm came: the median if all that were watched had it and an onset, or each by itself.
func relatives(some []*result, at func(*result) service.Number) string {
	var texts []string
	var times []float64
	for _, r := range some {
		if !r.Watched || r.Watch != "" {
			continue
		}
		texts = append(texts, r.relative(at(r)))
		if d := float64(r.Onset - at(r)); !math.IsNaN(d) {
			times = append(times, d)
		}
	}
	switch d := service.Median(times); {
	case len(texts) == 0:
		return "–"
	case len(times) < len(texts):
		return strings.Join(texts, "; ")
	case d >= 0:
		return fmt.Sprintf("%.1f s before", d)
	default:
		return fmt.Sprintf("%.1f s after", -d)
	}
}

// picture has the collector's share and the resident memory over time, a line for each guard: of the run whose
// largest share is the median, or of the first.
func picture(all []*result, c string, names []string) []plot.Chart {
	shares := plot.Chart{Title: c + ": collector's share of the busy CPU time, over the last second", XName: "seconds", YName: "%", MaxY: 70}
	memory := plot.Chart{Title: c + ": resident memory", XName: "seconds", YName: "MiB"}
	for _, g := range names {
		some := of(all, c, g)
		if len(some) == 0 {
			continue
		}
		r := some[0]
		for _, other := range some {
			if other.Largest == median(some, func(r *result) service.Number { return r.Largest }) {
				r = other
			}
		}
		share, rss := plot.Line{Name: g}, plot.Line{Name: g}
		for i, p := range r.Points {
			share.X, share.Y = append(share.X, p.T), append(share.Y, 100*service.Share(r.Points, i, lastTime))
			rss.X, rss.Y = append(rss.X, p.T), append(rss.Y, service.MiB(p.RSS))
		}
		shares.Lines, memory.Lines = append(shares.Lines, share), append(memory.Lines, rss)
	}
	if some := ofCase(all, c); some != nil {
		t := some.Time.Seconds()
		shares.Lines = append(shares.Lines, plot.Line{Name: "30 %", X: []float64{0, t}, Y: []float64{30, 30}, Dashed: true})
		memory.Lines = append(memory.Lines, plot.Line{Name: "hard limit", X: []float64{0, t / 4, t * 3 / 4, t},
			Y: []float64{service.MiB(some.hard(0)), service.MiB(some.hard(t / 4)), service.MiB(some.hard(t * 3 / 4)), service.MiB(some.hard(t))}, Dashed: true})
	}
	return []plot.Chart{shares, memory}
}

func ofCase(all []*result, c string) *result {
	for _, r := range all {
		if r.Case == c {
			return r
		}
	}
	return nil
}

// tunedCells formats the room that tune predicted, and the room at each onset.
func tunedCells(some []*result) string {
	t := some[0].Tuned
	if t == nil {
		return "– | –"
	}
	var was []string
	for _, r := range some {
		if at := r.roomAtOnset(); !math.IsNaN(at) {
			was = append(was, fmt.Sprintf("%.1f", at/(1<<20)))
		}
	}
	return fmt.Sprintf("%.1f MiB (%.1f to %.1f) | %s", t.Value/(1<<20), t.Lo/(1<<20), t.Hi/(1<<20), strings.Join(was, ", "))
}
