package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lessgc/bench/internal/guards"
	"lessgc/bench/internal/plot"
	"lessgc/bench/internal/service"
)

// basis is the guard that the others are compared with.
const basis = "gogc=100"

// runAll runs guards one after the other, in random order, n times, and writes what they have shown.
func runAll(ctx context.Context, c config, names []string, n int, out string) error {
	if n < 1 {
		return errors.New("-n is at least 1")
	}
	for _, name := range names {
		if err := guards.Check(name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	var days []map[string]*result // by guard
	for i := range n {
		all, err := c.each(ctx, names, filepath.Join(out, fmt.Sprintf("%d-", i+1)))
		if err != nil {
			return err
		}
		days = append(days, all)
		if err := plot.WriteFile(filepath.Join(out, fmt.Sprintf("%d.svg", i+1)), picture(c, all, names)...); err != nil {
			return err
		}
		c.Seed++
	}
	var b strings.Builder
	table(&b, days, names)
	fmt.Print(b.String())
	return os.WriteFile(filepath.Join(out, "day.md"), []byte(b.String()), 0o666)
}

// each runs one day with each guard, in random order, and keeps the results in files whose names begin with a prefix.
func (c config) each(ctx context.Context, names []string, prefix string) (map[string]*result, error) {
	order := slices.Clone(names)
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	all := map[string]*result{}
	for _, name := range order {
		c.Guard = name
		r, err := c.run(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Printf("%s: %v after %.0f s\n", name, r.Ended, r.Seconds)
		data, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(prefix+name+".json", data, 0o666); err != nil {
			return nil, err
		}
		all[name] = r
	}
	return all, nil
}

// table has a row for each guard and day.
func table(w io.Writer, days []map[string]*result, names []string) {
	fmt.Fprintf(w, "| guard | day | end | answered of scheduled | CPU | of a request against %s | collector's share | largest | collections | peak RSS of hard | mean RSS | samples over hard | changes of GOGC | swings | changes of the limit | p50 | p99 |\n|%s\n",
		basis, strings.Repeat("---|", 17))
	for _, name := range names {
		for i, all := range days {
			r := all[name]
			if r == nil {
				continue
			}
			fmt.Fprintf(w, "| %s | %d | %v | %d of %d | %.1f s | %s | %.1f %% | %.1f %% | %d | %.0f of %.0f MiB | %.0f MiB | %d of %d | %d | %d | %d | %s | %s |\n", name, i+1, r.Ended,
				r.Day.Answered, r.Day.Scheduled, r.CPU, against(r, all[basis]), 100*float64(r.Share), 100*float64(r.Largest), r.Cycles, service.MiB(r.PeakRSS), service.MiB(r.Hard),
				service.MiB(r.MeanRSS), r.Exceeded, len(r.Points), r.GOGCChanges, r.Turns, r.Limits, service.Milli(r.Day.P50), service.Milli(r.Day.P99))
		}
	}
}

func against(r, base *result) string {
	if base == nil {
		return "–"
	}
	return fmt.Sprintf("%+.1f %%", 100*(r.perRequest()/base.perRequest()-1))
}

// picture has the load, and memory and GOGC with each guard.
func picture(c config, all map[string]*result, names []string) []plot.Chart {
	d, end := newDay(c.Time, c.Seed), c.Time.Seconds()
	load := plot.Line{Name: "load"}
	for i := range 361 {
		t := end * float64(i) / 360
		load.X, load.Y = append(load.X, t), append(load.Y, 100*d.load(time.Duration(t*float64(time.Second))))
	}
	job := plot.Line{Name: "batch job", X: []float64{end * batchAt, end * (batchAt + batch)}, Y: []float64{50, 50}, Dashed: true}
	charts := []plot.Chart{{Title: "load, of the peak", XName: "seconds", YName: "%", MaxX: end + drain.Seconds(), MaxY: 100, Lines: []plot.Line{load, job}}}
	draw := func(title, unit string, y func([]service.Point, int) float64) {
		chart := plot.Chart{Title: title, XName: "seconds", YName: unit, MaxX: end + drain.Seconds()}
		for _, name := range names {
			if r := all[name]; r != nil {
				line := plot.Line{Name: name}
				for i := range r.Points {
					line.X, line.Y = append(line.X, r.Points[i].T), append(line.Y, y(r.Points, i))
				}
				chart.Lines = append(chart.Lines, line)
			}
		}
		charts = append(charts, chart)
	}
	draw("resident memory without files", "MiB", func(p []service.Point, i int) float64 { return service.MiB(p[i].RSS - p[i].Files) })
	charts[1].Lines = append(charts[1].Lines, plot.Line{Name: "hard limit", X: []float64{0, end}, Y: []float64{service.MiB(c.Hard), service.MiB(c.Hard)}, Dashed: true})
	draw("GOGC", "%", func(p []service.Point, i int) float64 { return float64(p[i].GOGC) })
	draw("collector's share of the busy CPU time, over five seconds", "%", func(p []service.Point, i int) float64 { return 100 * service.Share(p, i, 5) })
	return charts
}
