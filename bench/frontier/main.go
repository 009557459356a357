// Frontier compares what lessgc advise predicts for each GOGC with measurements. For each
// program it runs advise -frontier, and then lessgc compare at four of its settings for longer.
// Of memory, a tenth to either side is inside.
//
//	go run ./bench/frontier -time 1m -verify 2m 'NAME|DIR|-bench|REGEXP|PACKAGE'...
//
// NAME names the program in the table, DIR is the module's folder; the rest are flags and
// arguments of advise: -bench, -exec or -load. Run it on a machine that does nothing else.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// settings lists the values of GOGC that are verified.
var settings = []int{75, 150, 300, 400}

func main() {
	predict := flag.Duration("time", time.Minute, "how long advise measures each program")
	verify := flag.Duration("verify", 3*time.Minute, "how long compare measures each program")
	out := flag.String("o", "", "folder for the results (default a temporary one)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *predict, *verify, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "frontier:", err)
		os.Exit(1)
	}
}

// A trial is one program, predicted and verified.
type trial struct {
	lessgc, out     string
	predict, verify time.Duration
}

func run(ctx context.Context, predict, verify time.Duration, out string, programs []string) error {
	if len(programs) == 0 {
		return errors.New("name programs: 'NAME|DIR|-bench|REGEXP|PACKAGE'")
	}
	if out == "" {
		var err error
		if out, err = os.MkdirTemp("", "frontier-"); err != nil {
			return err
		}
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	t := trial{filepath.Join(out, "lessgc"), out, predict, verify}
	if text, err := exec.CommandContext(ctx, "go", "build", "-o", t.lessgc, "lessgc/cmd/lessgc").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	fmt.Println("| program | GOGC | CPU time saved, predicted | measured | | peak memory, predicted | measured | |\n|---|---|---|---|---|---|---|---|")
	for _, p := range programs {
		fields := strings.Split(p, "|")
		if len(fields) < 4 {
			return fmt.Errorf("%q is not NAME|DIR|FLAGS", p)
		}
		if err := t.program(ctx, fields[0], fields[1], fields[2:]); err != nil {
			fmt.Fprintf(os.Stderr, "frontier: %s: %v; its results are in %s\n", fields[0], err, t.out)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// A span is a range.
type span struct{ Lo, Hi float64 }

func (s span) holds(x float64) bool { return s.Lo <= x && x <= s.Hi }

// advice holds the fields of advise's report that are used here.
type advice struct {
	Costs *struct {
		Classes []struct {
			Name         string
			Share, Error float64
		}
	}
	Frontier struct {
		Price  span
		Points []struct {
			GOGC       int
			Saved, RSS span
		}
	}
}

func (t trial) program(ctx context.Context, name, dir string, args []string) error {
	at := filepath.Join(t.out, name)
	first := append([]string{"advise", "-frontier", t.predict.String(), "-benchtime", "2s", "-reasons=false", "-levers=false", "-o", at}, args...)
	if err := t.call(ctx, dir, first); err != nil {
		return err
	}
	var a advice
	if err := read(filepath.Join(at, "advice.json"), &a); err != nil {
		return err
	}
	// With -rounds, compare goes on when the verdicts are clear: the intervals are wanted as narrow as the time allows.
	second := append([]string{"compare", "-mode", "gogc=100" + list(settings), "-rounds", "1000", "-time", t.verify.String(), "-o", at + "-verified"}, args...)
	if slices.Contains(args, "-bench") {
		second = slices.Insert(second, 1, "-relink=false", "-turns=false")
	}
	if slices.Contains(args, "-exec") { // the arguments are profiles
		second = second[:len(second)-1]
	}
	if err := t.call(ctx, dir, second); err != nil {
		return err
	}
	var r report
	if err := read(filepath.Join(at+"-verified", "report.json"), &r); err != nil {
		return err
	}
	for _, p := range a.Frontier.Points {
		if !slices.Contains(settings, p.GOGC) {
			continue
		}
		cell := r.cell(fmt.Sprintf("gogc=%d", p.GOGC))
		saved, half := r.saved(cell)
		rss := r.peak(cell)
		near := span{0.9 * p.RSS.Lo, 1.1 * p.RSS.Hi}
		fmt.Printf("| %s | %d | %.1f to %.1f %% | %.1f ± %.1f %% | %s | %.1f MiB | %.1f MiB | %s |\n", name, p.GOGC,
			100*p.Saved.Lo, 100*p.Saved.Hi, 100*saved, 100*half, score(p.Saved, saved, half), p.RSS.Lo/(1<<20), rss/(1<<20), score(near, rss, 0))
	}
	fmt.Printf("| %s | price | %.1f to %.1f %% | | | collector's stacks: %s | | |\n", name, 100*a.Frontier.Price.Lo, 100*a.Frontier.Price.Hi, a.stacks())
	return nil
}

// score reports whether the measurement lies in the predicted range: too noisy if its interval is wider than the range.
func score(predicted span, measured, half float64) string {
	switch {
	case 2*half > predicted.Hi-predicted.Lo:
		return "too noisy"
	case predicted.holds(measured):
		return "inside"
	}
	return "outside"
}

// stacks formats the collector's share of the samples in the CPU profile.
func (a advice) stacks() string {
	if a.Costs == nil {
		return "–"
	}
	sum := 0.0
	for _, c := range a.Costs.Classes {
		if strings.HasPrefix(c.Name, "mark") || strings.HasPrefix(c.Name, "sweep") || strings.Contains(c.Name, "barriers") || strings.Contains(c.Name, "collections") || strings.Contains(c.Name, "scaveng") {
			sum += c.Share
		}
	}
	return fmt.Sprintf("%.1f %%", 100*sum)
}

// report holds the fields of compare's report that are used here.
type report struct {
	Cells []struct {
		Name string
		AA   bool
	}
	Metrics []struct{ Name string }
	Values  []struct {
		Cell, Metric int
		Median       float64
	}
	Comparisons []struct {
		Row, Cell, Metric int
		Lo, Hi            float64
		Bounded           bool
	}
}

func (r report) cell(name string) int {
	for i, c := range r.Cells {
		if c.Name == name && !c.AA {
			return i
		}
	}
	return -1
}

// saved is the share of the CPU time at GOGC=100 that goes, over all rows.
func (r report) saved(cell int) (mid, half float64) {
	row := 1
	for _, c := range r.Comparisons {
		if c.Cell == cell && c.Bounded && r.Metrics[c.Metric].Name == "cpu" && c.Row < row {
			row, mid, half = c.Row, 1-(c.Lo+c.Hi)/2, (c.Hi-c.Lo)/2
		}
	}
	return mid, half
}

// peak is the largest peak of resident memory of a row.
func (r report) peak(cell int) (peak float64) {
	for _, v := range r.Values {
		if v.Cell == cell && r.Metrics[v.Metric].Name == "rss" {
			peak = max(peak, v.Median)
		}
	}
	return peak
}

// call runs lessgc in the folder of a module.
func (t trial) call(ctx context.Context, dir string, args []string) error {
	cmd := exec.CommandContext(ctx, t.lessgc, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	return cmd.Run()
}

func read(name string, v any) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

func list(settings []int) string {
	text := ""
	for _, s := range settings {
		text += fmt.Sprintf(",%d", s)
	}
	return text
}
