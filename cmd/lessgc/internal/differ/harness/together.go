package harness

import (
	"reflect"
	"sync"
	"time"
)

// goroutines is how many call at the same time.
const goroutines = 6

// together plays inputs in some goroutines at once: first with the old function, which tells whether that may be done,
// then with the new one.
func (c *checker) together(each time.Duration) {
	if len(c.calm) == 0 || c.report.Unstable != "" {
		return
	}
	for which, f := range []reflect.Value{c.old, c.new} {
		phase([]string{"several-old", "several-new"}[which], c.report.Inputs)
		text, ended := c.several(f, each)
		switch {
		case !ended && which == 0:
			c.report.end(func() { c.report.Slow = "calls of the old function at the same time do not end" })
		case !ended:
			c.report.end(func() {
				c.report.Difference = "calls of " + c.target.Name + " at the same time do not end, and did"
			})
		case text != "" && which == 0:
			c.report.Unstable = "the old function varies in calls at the same time: " + text
			return
		case text != "":
			c.report.Difference = "calls at the same time: " + text
			return
		}
	}
	phase("done", c.report.Inputs)
}

// several plays inputs in goroutines, and returns the first outcome that is not the expected one.
func (c *checker) several(f reflect.Value, each time.Duration) (text string, ended bool) {
	var mu sync.Mutex
	var wait sync.WaitGroup
	until := time.Now().Add(each)
	rounds := c.plan()
	for i := 0; i < goroutines; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			for n := 0; n == 0 || time.Now().Before(until); n++ {
				e := c.calm[(n+i*7)%len(c.calm)]
				if n%2 == 0 { // all goroutines at the same input
					e = c.calm[n%len(c.calm)]
				}
				if wrong := difference(e.outcome, c.run(f, c.sharing(rounds, n, e.in))); wrong != "" {
					mu.Lock()
					if text == "" {
						text = c.sentence(e.in, wrong)
					}
					mu.Unlock()
					return
				}
			}
		}(i)
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	select {
	case <-done:
		return text, true
	case <-time.After(each + 3*longestCalls):
		return "", false
	}
}

// plan makes the inputs whose receivers and arguments goroutines share.
func (c *checker) plan() map[uint64]*play {
	all := map[uint64]*play{}
	for _, e := range c.calm {
		all[e.in.seed] = c.build(e.in)
	}
	return all
}

// sharing makes an input, every second time with the values of those parameters that the old function does not change
// taken from the values that all goroutines have.
func (c *checker) sharing(all map[uint64]*play, n int, in input) *play {
	p := c.build(in)
	if n%2 == 1 {
		return p
	}
	common := all[in.seed]
	var shares, keeps []reflect.Value
	for _, args := range common.calls {
		for j, v := range args {
			if c.constant(j) {
				shares = append(shares, v)
			} else {
				keeps = append(keeps, v)
			}
		}
	}
	if len(keeps) > 0 && shared(spansOf(shares), spansOf(keeps)) > 0 {
		return p
	}
	p.owned = nil
	for i, args := range p.calls {
		for j := range args {
			if c.constant(j) {
				args[j] = common.calls[i][j]
			}
		}
		p.owned = append(p.owned, spansOf(args)...)
	}
	return p
}

// constant reports whether the old function does not change a parameter, and it has no function, whose calls are
// counted.
func (c *checker) constant(i int) bool {
	return !c.mutates[i] && !c.hasFunction(c.old.Type().In(i), map[reflect.Type]bool{})
}

func (c *checker) hasFunction(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Func:
		return true
	case reflect.Interface:
		for _, k := range c.target.Kinds {
			if c.hasFunction(k, seen) {
				return true
			}
		}
	case reflect.Ptr, reflect.Slice, reflect.Array:
		return c.hasFunction(t.Elem(), seen)
	case reflect.Map:
		return c.hasFunction(t.Key(), seen) || c.hasFunction(t.Elem(), seen)
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if c.hasFunction(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}
