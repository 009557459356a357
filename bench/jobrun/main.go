// Jobrun runs the Jobs of a file that lessgc ci kubernetes has printed, without a cluster: each
// pod is a process, and a volume is a folder.
//
//	lessgc ci kubernetes -image here -- -base main ./... >jobs.yaml
//	go run ./bench/jobrun -C FOLDER -results RESULTS jobs.yaml
//	go run ./bench/jobrun -C FOLDER -results RESULTS -kill 2 -seed 7 jobs.yaml
//
// It reads the file as strictly as Kubernetes, checks what lessgc promises of it (shards on nodes of
// their own, whole CPUs, no root), and runs the container's command once per index, with the
// variables that Kubernetes sets, in FOLDER, which stands for the image. A pod that fails has as many
// others as backoffLimitPerIndex says. -kill ends the pods of some indices by SIGKILL, as a node does
// that dies. A Job that is suspended runs last, as if somebody had resumed it. Its status is 0 if all
// Jobs are complete, 1 if one has failed, 2 if the file is wrong.
//
// Paths of volumes are replaced in commands, arguments and variables. What it cannot show: the
// scheduler, the image, rights of users, and machines that differ.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	batch "k8s.io/api/batch/v1"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Stdout, os.Stderr, os.Args[1:]))
}

func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	c := cluster{stdout: stdout, stderr: stderr}
	fs := flag.NewFlagSet("jobrun", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.StringVar(&c.results, "results", "", "`folder` that stands for the volume of the results")
	fs.StringVar(&c.code, "C", ".", "`folder` with the code, in which pods run")
	fs.IntVar(&c.nodes, "nodes", 1, "`number` of pods at a time: measurements on one machine disturb each other")
	fs.IntVar(&c.kill, "kill", 0, "kill the pods of this `number` of indices")
	fs.BoolVar(&c.once, "once", false, "kill the first pod of an index only")
	fs.Uint64Var(&c.seed, "seed", 1, "`seed` of which pods are killed, and when")
	fs.DurationVar(&c.within, "within", 5*time.Second, "kill within this `duration` from the pod's start")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "jobrun: %v\n", err)
		return 2
	}
	if fs.NArg() != 1 || c.results == "" {
		return fail(fmt.Errorf("usage: jobrun -results FOLDER [flags] FILE"))
	}
	if err := c.place(); err != nil {
		return fail(err)
	}
	text, err := os.ReadFile(fs.Arg(0))
	if err != nil {
		return fail(err)
	}
	m, err := read(text)
	if err != nil {
		return fail(fmt.Errorf("%s: %w", fs.Arg(0), err))
	}
	status := 0
	for _, suspended := range []bool{false, true} {
		for _, job := range m.jobs {
			if isSuspended(job) != suspended {
				continue
			}
			ok, err := c.job(ctx, job)
			if err != nil {
				return fail(err)
			}
			if !ok {
				status = 1
			}
		}
	}
	return status
}

func isSuspended(job *batch.Job) bool { return job.Spec.Suspend != nil && *job.Spec.Suspend }

// A cluster is this machine.
type cluster struct {
	stdout, stderr io.Writer
	results, code  string
	nodes, kill    int
	once           bool
	seed           uint64
	within         time.Duration
	lock           sync.Mutex
}

// What a folder of a volume may be called, because scripts hold it without quotes.
var plainPath = regexp.MustCompile(`^[A-Za-z0-9_./-]+$`)

// place makes the folders absolute.
func (c *cluster) place() (err error) {
	if c.results, err = filepath.Abs(c.results); err != nil {
		return err
	}
	if c.code, err = filepath.Abs(c.code); err != nil {
		return err
	}
	if !plainPath.MatchString(c.results) {
		return fmt.Errorf("-results %s: a shell would not take it as one word; name another folder", c.results)
	}
	if c.nodes < 1 || c.kill < 0 || c.within < 0 {
		return fmt.Errorf("-nodes, -kill and -within are not negative, and there is one node at least")
	}
	return os.MkdirAll(c.results, 0o777)
}
