package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	batch "k8s.io/api/batch/v1"
)

// job runs a Job and reports whether it is complete.
func (c *cluster) job(ctx context.Context, job *batch.Job) (bool, error) {
	if job.Spec.CompletionMode == nil || *job.Spec.CompletionMode != batch.IndexedCompletion {
		status, err := c.run(ctx, pod{name: job.Name + "-0", index: -1, spec: podSpec(job)})
		if err != nil {
			return false, err
		}
		c.say("job %s: exit status %d", job.Name, status)
		return status == 0, nil
	}
	n := int(*job.Spec.Completions)
	if c.kill > n {
		return false, fmt.Errorf("-kill %d: job %s has %d indices", c.kill, job.Name, n)
	}
	killed := victims(n, c.kill, c.seed)
	var (
		wait   sync.WaitGroup
		nodes  = make(chan struct{}, c.nodes)
		failed = make([]bool, n)
		errs   = make([]error, n)
	)
	for i := range n {
		nodes <- struct{}{} // before the next begins, so that they run in order on one node
		wait.Go(func() {
			defer func() { <-nodes }()
			failed[i], errs[i] = c.index(ctx, job, i, slices.Contains(killed, i))
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return false, err
		}
	}
	c.say("job %s: succeeded %s; failed %s", job.Name, list(failed, false), list(failed, true))
	return !slices.Contains(failed, true), nil
}

// index runs pods of one index until one succeeds or backoffLimitPerIndex is over.
func (c *cluster) index(ctx context.Context, job *batch.Job, i int, kill bool) (failed bool, err error) {
	r := rand.New(rand.NewPCG(c.seed, uint64(i)))
	for try := range int(*job.Spec.BackoffLimitPerIndex) + 1 {
		p := pod{name: fmt.Sprintf("%s-%d-%d", job.Name, i, try), index: i, spec: podSpec(job)}
		if kill && (try == 0 || !c.once) {
			p.kill = 1 + time.Duration(r.Float64()*float64(c.within))
		}
		status, err := c.run(ctx, p)
		if err != nil {
			return false, err
		}
		c.say("pod %s: exit status %d", p.name, status)
		if status == 0 {
			return false, nil
		}
	}
	return true, nil
}

// victims chooses k of n indices.
func victims(n, k int, seed uint64) []int {
	chosen := rand.New(rand.NewPCG(seed, 1<<32)).Perm(n)[:k]
	slices.Sort(chosen)
	return chosen
}

// list names the indices that have failed or not.
func list(failed []bool, want bool) string {
	var all []string
	for i, f := range failed {
		if f == want {
			all = append(all, fmt.Sprint(i))
		}
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ",")
}

// say prints a line about what Kubernetes would show.
func (c *cluster) say(format string, args ...any) {
	c.lock.Lock()
	defer c.lock.Unlock()
	fmt.Fprintf(c.stderr, format+"\n", args...)
}
