package harness

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// A checker plays inputs with both functions of a target.
type checker struct {
	target   *Target
	old, new reflect.Value
	settings *settings
	report   *report
	deadline time.Time
	random   random
	watch    *watch

	kept     [2][]*kept  // outcomes of the old function, and of the new one
	rewrites [2]string   // how kept results of each changed later
	mutates  []bool      // parameters that the old function changes
	calm     []*expected // inputs for calls at the same time
}

// kept is an outcome whose results must stay as they are.
type kept struct {
	outcome *outcome
	text    string
	in      input
}

// expected is an input with the outcome of the old function.
type expected struct {
	in      input
	outcome *outcome
}

const (
	mostKept  = 200
	mostCalm  = 48
	checkKept = 256
)

// Before a difference is one, the old function is called again so many times, fewer if that takes too long: a map of
// two entries is iterated in the rarer order one time in eight.
const (
	leastReruns, mostReruns = 16, 250
	longestReruns           = time.Second
)

func newChecker(t *Target, s *settings, r *report, targets int) *checker {
	c := &checker{target: t, old: reflect.ValueOf(t.Old), new: reflect.ValueOf(t.New), settings: s, report: r}
	c.random.state = s.seed
	c.mutates = make([]bool, c.old.Type().NumIn())
	c.deadline = time.Now().Add(s.duration / time.Duration(targets))
	return c
}

// check plays inputs, one at a time and then several at once, until there is a difference or the time is over.
func (c *checker) check() {
	phase("one", c.report.Inputs)
	c.watch = newWatch(c)
	defer c.watch.stop()
	whole := time.Until(c.deadline)
	sequential := time.Now().Add(whole * 7 / 10)
	for i := 0; i < 4 || time.Now().Before(sequential); i++ {
		if c.report.Difference = c.one(c.input(i)); c.report.Difference != "" {
			return
		}
		if i%checkKept == checkKept-1 && c.changed() {
			return
		}
	}
	if c.changed() {
		return
	}
	c.watch.stop()
	c.together(whole * 3 / 20)
}

// input returns the i-th input: the first ones are zero and empty, later ones grow.
func (c *checker) input(i int) input {
	in := input{seed: c.random.next(), size: 1 + i/40, careful: c.settings.careful, solid: i%3 > 0}
	if i < 2 {
		in.plain = i + 1
	}
	if in.size > 20 {
		in.size = 20
	}
	if in.careful && in.size > 6 {
		in.size = 6
	}
	in.wild = !in.careful && i > 100 && i%8 == 0
	return in
}

// play plays an input with one of the functions: 0 is the old one.
func (c *checker) play(which int, in input) *outcome {
	f := c.old
	if which == 1 {
		f = c.new
	}
	p := c.build(in)
	c.watch.begin(which, in)
	o := c.run(f, p)
	c.watch.end()
	return o
}

// one plays an input twice with each function, in any order, and returns how the outcomes differ.
func (c *checker) one(in input) string {
	order := []int{0, 1, 0, 1}
	for i := range order {
		j := i + c.random.below(len(order)-i)
		order[i], order[j] = order[j], order[i]
	}
	if in.wild {
		order = []int{0, 1, 1, 0}
	}
	var all [2][]*outcome
	for _, which := range order {
		all[which] = append(all[which], c.play(which, in))
	}
	old, is := all[0], all[1]
	c.report.Inputs++
	if old[0].panicked && is[0].panicked {
		c.report.Panicked++
	}
	if text := difference(old[0], old[1]); text != "" {
		c.unstable(in, text)
		return ""
	}
	text := difference(old[0], is[0])
	if text == "" {
		text = difference(old[0], is[1])
	}
	if text == "" && shared(old[0].roots, old[1].roots) == 0 {
		if n := shared(is[0].roots, is[1].roots); n > 0 {
			text = "memory of an earlier call is used again, and was not"
		}
	}
	if text != "" {
		if c.varies(in, old[0]) {
			return ""
		}
		return c.sentence(in, text)
	}
	c.note(in, old[0], is[0])
	return ""
}

// varies plays an input again with the old function, and reports whether an outcome differs from the first one.
func (c *checker) varies(in input, first *outcome) bool {
	begin := time.Now()
	for i := 0; i < leastReruns || i < mostReruns && time.Since(begin) < longestReruns; i++ {
		o := c.play(0, in)
		if text := difference(first, o); text != "" {
			c.unstable(in, text)
			return true
		}
		if shared(first.roots, o.roots) > 0 {
			c.unstable(in, "memory of an earlier call is used again")
			return true
		}
	}
	return false
}

func (c *checker) unstable(in input, text string) {
	c.report.Varied++
	if c.report.Unstable == "" {
		c.report.Unstable = "the old function varies by itself: " + c.sentence(in, text)
	}
}

// sentence tells what differs for an input.
func (c *checker) sentence(in input, text string) string {
	return c.described(in, text) + ": " + text
}

// described writes the calls of an input, up to the one by whose number a text begins.
func (c *checker) described(in input, difference string) string {
	p := c.build(in)
	text := ""
	for i, args := range p.calls {
		if i > 0 && strings.HasPrefix(difference, fmt.Sprint("call ", i, ":")) {
			break
		}
		if i > 0 {
			text += ", then "
		}
		one := encode(c.target, args)
		if len(one) > longest {
			one = one[:longest] + "..."
		}
		text += c.target.Name + "(" + one + ")"
	}
	return text
}

// note keeps outcomes that are equal.
func (c *checker) note(in input, old, is *outcome) {
	before := c.build(in)
	for i, args := range before.calls {
		for j, v := range args {
			if !c.mutates[j] && old.text(c.argument(i, j, len(before.calls))) != encode(c.target, []reflect.Value{v}) {
				c.mutates[j] = true
			}
		}
	}
	for which, o := range []*outcome{old, is} {
		k := &kept{o, c.again(o), in}
		if len(c.kept[which]) < mostKept {
			c.kept[which] = append(c.kept[which], k)
		} else if c.random.once(4) {
			c.kept[which][c.random.below(mostKept)] = k
		}
	}
	if !in.wild && !old.panicked && old.took < 10*time.Millisecond {
		if e := (&expected{in, old}); len(c.calm) < mostCalm {
			c.calm = append(c.calm, e)
		} else if c.random.once(8) {
			c.calm[c.random.below(mostCalm)] = e
		}
	}
}

// text returns a part of an outcome.
func (o *outcome) text(name string) string {
	for _, p := range o.parts {
		if p.name == name {
			return p.text
		}
	}
	return ""
}

// changed compares the kept results with what they were, and reports whether the new function changes its own.
func (c *checker) changed() bool {
	for which := range c.kept {
		for _, k := range c.kept[which] {
			if now := c.again(k.outcome); now != k.text && c.rewrites[which] == "" {
				a, b := around(k.text, now)
				c.rewrites[which] = c.sentence(k.in, fmt.Sprint("the results are changed by later calls: ", b, ", and were ", a))
			}
		}
	}
	switch {
	case c.rewrites[0] != "":
		c.report.Unstable = "the old function varies by itself: " + c.rewrites[0]
	case c.rewrites[1] != "":
		c.report.Difference = c.rewrites[1]
		return true
	}
	return false
}
