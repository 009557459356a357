// Tune compares what lessgc tune predicts from one run with runs at other settings. For each program it
// observes once at GOGC=100, then once at GOGC 50, 200, 400 and 800 and, with GOGC=off, at two memory limits,
// in random order, and writes a table of predictions with their intervals and of what came. With -again the
// predictions are made anew from the runs that are kept in the folder.
//
//	go run ./bench/tune -lessgc PATH -o DIR 'NAME|DIR|-bench|REGEXP|-time|5s|PACKAGE'...
//
// NAME names the program in the table, DIR is the module's folder; the rest are flags and arguments of tune:
// -bench, -exec or -load. Run it on a machine that does nothing else.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	lessgc := flag.String("lessgc", "lessgc", "the command to judge")
	out := flag.String("o", "", "folder for the reports and the table")
	again := flag.Bool("again", false, "predict again from what an earlier run kept in the folder, and measure nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *lessgc, *out, *again, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, lessgc, out string, again bool, programs []string) error {
	if out == "" || len(programs) == 0 {
		return errors.New("name a folder with -o, and programs: 'NAME|DIR|-bench|REGEXP|PACKAGE'")
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	var all []point
	for _, text := range programs {
		p, err := parse(text)
		if err != nil {
			return err
		}
		p.lessgc, p.out, p.again = lessgc, out, again
		points, err := p.judge(ctx)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", p.name, err)
		}
		all = append(all, points...)
		data, err := json.MarshalIndent(all, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, "points.json"), data, 0o666); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, "table.md"), []byte(table(all)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// A program is one to observe.
type program struct {
	name, dir, lessgc, out string
	args                   []string
	again                  bool // read what an earlier run measured
}

func parse(text string) (p program, err error) {
	words := strings.Split(text, "|")
	if len(words) < 4 {
		return p, fmt.Errorf("%q: want NAME|DIR|-bench|REGEXP|PACKAGE", text)
	}
	return program{name: words[0], dir: words[1], args: words[2:]}, nil
}

// longer is the program observed for longer where collections are fewer: -time of its arguments times GOGC/200.
func (p program) longer(gogc float64) program {
	p.args = slices.Clone(p.args)
	if i := slices.Index(p.args, "-time"); i >= 0 && i+1 < len(p.args) && gogc > 200 {
		if d, err := time.ParseDuration(p.args[i+1]); err == nil {
			p.args[i+1] = min(time.Duration(float64(d)*gogc/200), max(d, time.Minute)).String()
		}
	}
	return p
}

// file returns the path of the file that keeps a report of the program.
func (p program) file(name string) string { return filepath.Join(p.out, p.name+"-"+name+".json") }

// observe runs lessgc tune with the environment and further flags.
func (p program) observe(ctx context.Context, name string, env []string, flags ...string) (*report, error) {
	r := new(report)
	if p.again {
		data, err := os.ReadFile(p.file(name))
		if err != nil {
			return nil, err
		}
		return r, json.Unmarshal(data, r)
	}
	args := append([]string{"tune", "-json", "-record", filepath.Join(p.out, "record.jsonl")}, append(flags, p.args...)...)
	cmd := exec.CommandContext(ctx, p.lessgc, args...)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	data, err := cmd.Output()
	if len(data) == 0 && err != nil {
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	if err := os.WriteFile(p.file(name), data, 0o666); err != nil {
		return nil, err
	}
	return r, json.Unmarshal(data, r)
}

// judge predicts and measures one program; of one with several benchmarks or requests, each.
func (p program) judge(ctx context.Context) ([]point, error) {
	first, err := p.observe(ctx, "first", []string{"GOGC=100", "GOMEMLIMIT=off"})
	if err != nil {
		return nil, err
	}
	limits := first.limits()
	var flags []string
	for _, limit := range limits {
		flags = append(flags, "-limit", fmt.Sprintf("%dMiB", limit>>20))
	}
	kept := p
	kept.again, kept.args = false, []string{p.file("first")}
	base, err := kept.observe(ctx, "base", nil, flags...)
	if err != nil {
		return nil, err
	}
	settings := []setting{{gogc: 50}, {gogc: 200}, {gogc: 400}, {gogc: 800}}
	for _, limit := range limits {
		settings = append(settings, setting{gogc: -1, limit: limit})
	}
	rand.Shuffle(len(settings), func(i, j int) { settings[i], settings[j] = settings[j], settings[i] })
	var all []point
	for _, s := range settings {
		measured, err := p.longer(s.gogc).observe(ctx, s.file(), s.env())
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s at %v: %v\n", p.name, s.env(), err)
			continue
		}
		all = append(all, compare(p.name, s, base, measured)...)
	}
	return all, ctx.Err()
}
