// Spiral runs a small service into a limit spiral, with nothing that prevents it, with automemlimit, and with pace.
//
//	go run ./bench/spiral -case creep -guard pace [-hard 256MiB] [-time 32s] [-json]
//	go run ./bench/spiral -all -n 3 -lessgc PATH -o DIR
//
// The service runs in a memory control group of its own, where the kernel kills it at the hard limit, if
// version 1 of the control groups is writable; otherwise, or with -cgroup=false, it ends itself when its resident
// memory exceeds the hard limit. The load is open: requests come at a fixed rate, half of what two processors can
// do with room, and their latency counts from when they were due. In the first quarter of the time all is calm, in
// the second and third the stress rises linearly, and in the last it holds. The cases:
//
//   - creep: the live heap grows;
//   - nonheap: spans of the heap are kept by one small object each (fragmentation);
//   - goroutines: many thousands are parked;
//   - stacks: a few hundred goroutines hold deep stacks;
//   - lowered: the live heap stays, and the hard limit falls to half (in a control group only);
//   - outside: memory that the runtime does not see, of C's malloc if there is cgo.
//
// Each grows until the service's memory, without garbage, takes -fill of the hard limit less 16 MiB.
//
// The collector's share is that of the CPU time that is not idle, without marking on otherwise idle processors, over
// windows of two seconds that lie in the last quarter; the guard has three seconds of it to act, or half of it if it is
// shorter than six. With -all every case is run with every guard, n times, in random order, and a table and a picture
// for each case are made. With -lessgc, lessgc watch looks at the service from outside, and the table says how
// long before the collector's share of one second first exceeded 25 % it warned. Before that, lessgc tune observes each
// service once while it is calm, and the table has the room between live heap and goal at which it predicts 25 %, with
// what was there.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"lessgc/bench/internal/box"
	"lessgc/bench/internal/guards"
	"lessgc/bench/internal/service"
)

// A config is one run.
type config struct {
	Case, Guard string
	Hard        int64
	Time        time.Duration
	Rate        float64 // requests per second
	Fill        float64
	Contained   bool
	Listen      string // "" for not at all
	Calm        bool   // without stress
}

func main() {
	var c config
	var s suite
	var cgroup, printJSON, all, child bool
	hard := flag.String("hard", "256MiB", "hard limit of the service's memory")
	flag.StringVar(&c.Case, "case", "creep", "creep, nonheap, goroutines, stacks, lowered or outside")
	flag.StringVar(&c.Guard, "guard", "pace", "none, automemlimit, pace, pace-shed, pace-crash or gogc=N")
	flag.DurationVar(&c.Time, "time", 32*time.Second, "length of a run")
	flag.Float64Var(&c.Rate, "rate", 0, "requests per `second` (default half of what two processors can do, measured)")
	flag.Float64Var(&c.Fill, "fill", 0.88, "`share` of the hard limit less 16 MiB that is taken in the end")
	flag.StringVar(&c.Listen, "listen", "", "`address` at which the service serves lessgc/live")
	flag.BoolVar(&cgroup, "cgroup", true, "run the service in a memory control group, if possible")
	flag.BoolVar(&printJSON, "json", false, "print the run with all samples as JSON")
	flag.BoolVar(&all, "all", false, "run all cases with all guards")
	flag.IntVar(&s.n, "n", 3, "`runs` of each, with -all")
	flag.StringVar(&s.cases, "cases", "", "with -all: only these `cases`, with commas between")
	flag.StringVar(&s.guards, "guards", "", "with -all: only these `guards`, with commas between")
	flag.StringVar(&s.lessgc, "lessgc", "", "lessgc command that watches, a `path`")
	flag.StringVar(&s.out, "o", "spiral", "`folder` for the results of -all")
	flag.BoolVar(&c.Calm, "calm", false, "take no memory")
	flag.BoolVar(&child, "child", false, "be the service (for spiral itself)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := setup(&c, *hard, cgroup, child)
	switch {
	case err != nil:
	case child:
		err = serve(ctx, c)
	case all:
		s.config = c
		err = s.run(ctx)
	default:
		err = one(ctx, c, s.lessgc, printJSON)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "spiral:", err)
		os.Exit(1)
	}
}

// setup checks the configuration, and completes it unless it is that of the service already.
func setup(c *config, hard string, cgroup, child bool) (err error) {
	if c.Hard, err = service.ParseSize(hard); err != nil {
		return err
	}
	if c.Hard < 64<<20 || c.Time < time.Second || !(c.Fill > 0.3 && c.Fill < 1.5) || c.Rate < 0 {
		return fmt.Errorf("-hard is at least 64MiB, -time 1s, -fill from 0.3 to 1.5, and -rate not negative")
	}
	if _, ok := stresses[c.Case]; !ok {
		return fmt.Errorf("unknown case %s", c.Case)
	}
	if err := guards.Check(c.Guard); err != nil {
		return err
	}
	c.Contained = cgroup
	if child {
		return nil
	}
	if c.Contained = cgroup && box.Possible(c.Hard); !c.Contained && cgroup {
		fmt.Fprintln(os.Stderr, "spiral: no control group can be made; the service ends itself at the hard limit")
	}
	if c.Rate == 0 {
		c.Rate = service.HalfRate(service.Work)
	}
	return nil
}

// one does a single run.
func one(ctx context.Context, c config, lessgc string, printJSON bool) error {
	r, err := c.run(ctx, lessgc, "")
	if err != nil {
		return err
	}
	if !printJSON {
		fmt.Println(r)
		return nil
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", " ")
	return e.Encode(r)
}
