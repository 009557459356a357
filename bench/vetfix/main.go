// Vetfix injects mistakes into copies of real packages and has lessgc vet -fix repair them.
//
// It copies packages of the standard library, or a module of the module cache, into a scratch
// module, puts one mistake into one function of each of many files, at random, and checks after
// lessgc vet -fix: everything compiles; a file that was formatted is; each finding is gone, or
// left for a reason that was printed; there is no new finding; tests that passed with the
// mistake pass; only files with fixes have changed; a second run changes nothing.
//
//	go run ./bench/vetfix std $(go env GOMODCACHE)/github.com/valyala/fasthttp@v1.73.0
//
// It works without a network, and prints a table for bench/results/vet.md. What is worse
// after a repair than before is printed in full, with the folder of the files kept.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	o := options{}
	flag.Uint64Var(&o.seed, "seed", 1, "seed of what is chosen")
	flag.IntVar(&o.most, "n", 150, "files of each source that get a mistake, at most")
	flag.StringVar(&o.rule, "rule", "", "inject only mistakes of this `RULE`")
	flag.BoolVar(&o.tests, "tests", true, "run the packages' tests")
	flag.BoolVar(&o.keep, "keep", false, "keep the folders")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "vetfix:", err)
		os.Exit(1)
	}
}

type options struct {
	seed        uint64
	most        int
	rule        string
	tests, keep bool
}

func run(ctx context.Context, o options, sources []string) error {
	if len(sources) == 0 {
		return errors.New("no sources: name std, or folders of modules in the module cache")
	}
	for _, source := range sources {
		if _, err := os.Stat(source); err != nil && source != "std" {
			return fmt.Errorf("%w; go mod download brings modules", err)
		}
	}
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f={{.Dir}}", "lessgc").Output()
	if err != nil {
		return fmt.Errorf("the root of lessgc: %w", err)
	}
	tmp, err := os.MkdirTemp("", "vetfix-")
	if err != nil {
		return err
	}
	if !o.keep {
		defer os.RemoveAll(tmp)
	}
	lessgc := filepath.Join(tmp, "lessgc")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", lessgc, "lessgc/cmd/lessgc").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	table := map[string]*counts{}
	files, worse := 0, 0
	for i, source := range sources {
		dir := filepath.Join(tmp, fmt.Sprint(i))
		t, err := newTree(ctx, dir, source, strings.TrimSpace(string(out)))
		if err != nil {
			show(table, files) // so far
			return fmt.Errorf("%s: %w", source, err)
		}
		b := &batch{tree: t, options: o, lessgc: lessgc, table: table}
		if err := b.run(ctx); err != nil {
			show(table, files) // so far
			return fmt.Errorf("%s: %w", source, err)
		}
		files += len(b.injected)
		worse += len(b.worse)
		fmt.Fprintf(os.Stderr, "%s: %d files with a mistake, the tests of %d packages, %d worse\n", t.name, len(b.injected), b.tested, len(b.worse))
		for _, text := range b.worse {
			fmt.Fprintf(os.Stderr, "  %s\n", text)
		}
		if !o.keep {
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
		}
	}
	show(table, files)
	if worse > 0 {
		return fmt.Errorf("%d times something was worse after the repair", worse)
	}
	return nil
}

// counts are the figures of a rule.
type counts struct {
	injected, found, fixed int
	left                   map[string]int // by reason
	worse                  int
}

// show prints the table.
func show(table map[string]*counts, files int) {
	fmt.Printf("%d files\n\n| rule | injected | found | fixed | left, with the reason | worse |\n|---|---|---|---|---|---|\n", files)
	var rules []string
	for rule := range table {
		rules = append(rules, rule)
	}
	slices.Sort(rules)
	sum := counts{}
	for _, rule := range rules {
		c := table[rule]
		var left []string
		for reason, n := range c.left {
			left = append(left, fmt.Sprintf("%d %s", n, reason))
		}
		slices.SortFunc(left, func(a, b string) int { return strings.Compare(b, a) })
		fmt.Printf("| %s | %d | %d | %d | %s | %d |\n", rule, c.injected, c.found, c.fixed, strings.Join(left, "; "), c.worse)
		sum.injected, sum.found, sum.fixed, sum.worse = sum.injected+c.injected, sum.found+c.found, sum.fixed+c.fixed, sum.worse+c.worse
	}
	fmt.Printf("| all | %d | %d | %d | | %d |\n", sum.injected, sum.found, sum.fixed, sum.worse)
}
