// Day runs a small service through a day's load, compressed to minutes, with pace and with fixed settings.
//
//	go run ./bench/day -guard pace [-time 3m] [-hard SIZE]
//	go run ./bench/day -all [-n 3] [-guards pace,gogc=100,gogc=200,automemlimit] -o DIR
//
// The load is a sine with two peaks and noise. It scales both the rate of requests and the number of sessions that the
// service keeps; in the second valley a batch job allocates without a pause for a thirtieth of the day. The load of a
// seed is the same for every guard. The service runs in a memory control group of its own, if version 1 of
// the control groups is writable, where the kernel kills it at the hard limit; otherwise, or with -cgroup=false, the limit
// is simulated, and passed to the guards. Without -hard, the day is run with gogc=100 and no limit first, and the hard limit
// is the resident memory that this needed, without files, and 5 %. -work 0 is a service that does little but allocate.
//
// With -all the guards are run in random order, -n times, each time with noise of its own that is the same for every
// guard. The CPU time is that of the operating system, and the collector's share that of the CPU time that is not idle,
// without marking on otherwise idle processors.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"lessgc/bench/internal/box"
	"lessgc/bench/internal/guards"
	"lessgc/bench/internal/service"
)

// A config is one run.
type config struct {
	Guard     string
	Hard      int64 // 0 for none
	Time      time.Duration
	Rate      float64 // requests per second at the peak
	Sessions  int     // at the peak
	Work      int     // rounds of computing in a request
	Seed      uint64
	Contained bool
}

func main() {
	var c config
	var cgroup, all, child bool
	var out, names string
	var n int
	hard := flag.String("hard", "", "hard limit of the service's memory, such as 256MiB (default measured)")
	flag.StringVar(&c.Guard, "guard", "pace", "none, automemlimit, pace, pace-crash or gogc=N")
	flag.DurationVar(&c.Time, "time", 3*time.Minute, "length of the day")
	flag.Float64Var(&c.Rate, "rate", 0, "requests per `second` at the peak (default half of what two processors can do, measured)")
	flag.IntVar(&c.Sessions, "sessions", 60000, "sessions at the peak, 1.3 KiB each")
	flag.IntVar(&c.Work, "work", service.Work, "`rounds` of computing in a request, some microseconds each")
	flag.Uint64Var(&c.Seed, "seed", 1, "`seed` of the noise")
	flag.BoolVar(&cgroup, "cgroup", true, "run the service in a memory control group, if possible")
	flag.BoolVar(&all, "all", false, "run all guards")
	flag.IntVar(&n, "n", 1, "`days` with each guard, with -all")
	flag.StringVar(&names, "guards", "pace,gogc=100,gogc=200,automemlimit", "`guards` of -all, with commas between")
	flag.StringVar(&out, "o", "day", "`folder` for the results of -all")
	flag.BoolVar(&child, "child", false, "be the service (for day itself)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := setup(ctx, &c, *hard, cgroup, child)
	switch {
	case err != nil:
	case child:
		err = serve(ctx, c)
	case all:
		err = runAll(ctx, c, strings.Split(names, ","), n, out)
	default:
		err = one(ctx, c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "day:", err)
		os.Exit(1)
	}
}

// setup checks the configuration, and completes it unless it is that of the service already.
func setup(ctx context.Context, c *config, hard string, cgroup, child bool) (err error) {
	if hard != "" {
		if c.Hard, err = service.ParseSize(hard); err != nil {
			return err
		}
	}
	if c.Time < time.Second || c.Rate < 0 || c.Sessions < 1 || c.Work < 0 || c.Hard < 0 || c.Hard > 0 && c.Hard < 32<<20 {
		return fmt.Errorf("-time is at least 1s, -hard 32MiB, -sessions 1, and -rate and -work not negative")
	}
	if err := guards.Check(c.Guard); err != nil {
		return err
	}
	c.Contained = cgroup
	if child {
		return nil
	}
	if c.Rate == 0 {
		c.Rate = service.HalfRate(c.Work)
	}
	if c.Contained = cgroup && box.Possible(1<<30); !c.Contained && cgroup {
		fmt.Fprintln(os.Stderr, "day: no control group can be made; the hard limit is simulated")
	}
	if c.Hard == 0 {
		return c.measure(ctx)
	}
	return nil
}

// measure sets the hard limit to what gogc=100 needs.
func (c *config) measure(ctx context.Context) error {
	first := *c
	first.Guard, first.Contained = "gogc=100", false
	r, err := first.run(ctx)
	if err != nil {
		return fmt.Errorf("measure the hard limit: %w", err)
	}
	c.Hard = r.PeakRSS / 20 * 21
	fmt.Fprintf(os.Stderr, "day: gogc=100 needs %.1f MiB at its peak, so the hard limit is %.1f MiB\n", service.MiB(r.PeakRSS), service.MiB(c.Hard))
	return nil
}

func one(ctx context.Context, c config) error {
	r, err := c.run(ctx)
	if err != nil {
		return err
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", " ")
	return e.Encode(r)
}
