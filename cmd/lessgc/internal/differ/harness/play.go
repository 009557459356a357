package harness

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// An input determines the receiver and the arguments of a few calls, one after the other.
type input struct {
	seed    uint64
	size    int
	plain   int
	wild    bool
	careful bool
	solid   bool
}

// A play is an input that was made, to be played once.
type play struct {
	calls [][]reflect.Value // arguments, the receiver first
	log   *callLog
	owned []span // memory of the arguments before the calls
}

// mostCalls bounds the calls of an input.
const mostCalls = 3

func (c *checker) build(in input) *play {
	p := &play{log: &callLog{}}
	g := newGenerator(in.seed, c.target, p.log)
	g.plain, g.wild, g.careful, g.solid, g.size = in.plain, in.wild, in.careful, in.solid, in.size
	n := 1 + g.below(mostCalls)
	same := g.once(4)
	t := reflect.TypeOf(c.target.New)
	for i := 0; i < n; i++ {
		var args []reflect.Value
		for j := 0; j < t.NumIn(); j++ {
			switch {
			case i > 0 && (same || j == 0 && c.target.Method):
				args = append(args, p.calls[0][j])
				continue
			}
			v := reflect.New(t.In(j)).Elem()
			g.fill(v, 0)
			args = append(args, v)
		}
		p.calls = append(p.calls, args)
	}
	for _, args := range p.calls {
		p.owned = append(p.owned, spansOf(args)...)
	}
	return p
}

// An outcome is what can be seen of an input that was played with one of the functions.
type outcome struct {
	parts    []part
	play     *play // keeps the memory of roots from being used again
	results  [][]reflect.Value
	roots    []span // memory of the results, and of the arguments afterwards
	panicked bool
	took     time.Duration
}

// A part of an outcome is compared by itself.
type part struct{ name, text string }

// run plays an input. Memory is compared if the input is played alone.
func (c *checker) run(f reflect.Value, p *play) *outcome {
	o := &outcome{play: p}
	begin := time.Now()
	for i, args := range p.calls {
		results, failed := protected(f, args)
		o.results = append(o.results, results)
		name := "call"
		if len(p.calls) > 1 {
			name = fmt.Sprint("call ", i+1)
		}
		if failed != "" {
			o.panicked = true
			o.parts = append(o.parts, part{name, "panics: " + failed})
			continue
		}
		o.parts = append(o.parts, part{name, "returns " + encode(c.target, results)})
	}
	o.took = time.Since(begin)
	o.parts = append(o.parts, part{"the earlier results afterwards", c.again(o)})
	for i, args := range p.calls {
		for j, v := range args {
			o.parts = append(o.parts, part{c.argument(i, j, len(p.calls)), encode(c.target, []reflect.Value{v})})
		}
	}
	o.parts = append(o.parts, part{"the calls of functions that were passed", p.log.text()})
	c.memory(p, o)
	return o
}

// again writes the results of an outcome as they are by now.
func (c *checker) again(o *outcome) string {
	var all []string
	for _, results := range o.results {
		all = append(all, encode(c.target, results))
	}
	return strings.Join(all, "; ")
}

func (c *checker) argument(call, i, calls int) string {
	name := "the receiver"
	if !c.target.Method {
		i++
	}
	if i > 0 {
		name = fmt.Sprint("argument ", i)
	}
	if calls > 1 {
		name += fmt.Sprint(" of call ", call+1)
	}
	return name + " afterwards"
}

// memory adds how the results share memory, with the arguments and among themselves.
func (c *checker) memory(p *play, o *outcome) {
	var results, args []reflect.Value
	for _, r := range o.results {
		results = append(results, r...)
	}
	for _, a := range p.calls {
		args = append(args, a...)
	}
	own := spansOf(results)
	after := spansOf(args)
	o.parts = append(o.parts,
		part{"the memory that results share with arguments", fmt.Sprint(shared(own, p.owned), " before and ", shared(own, after), " afterwards")},
		part{"the memory that results share with each other", fmt.Sprint(within(own), " times")},
	)
	o.roots = append(own, after...)
}

// protected calls a function, and returns the text of its panic.
func protected(f reflect.Value, args []reflect.Value) (results []reflect.Value, failed string) {
	defer func() {
		if r := recover(); r != nil {
			if why, ok := r.(cannot); ok {
				panic(why)
			}
			results, failed = nil, panicText(r)
		}
	}()
	return invoke(f, args), ""
}

// difference names the first part in which two outcomes differ: "" if there is none.
func difference(was, is *outcome) string {
	for i, p := range was.parts {
		if q := is.parts[i]; p.text != q.text {
			a, b := around(p.text, q.text)
			return p.name + ": " + b + ", and was " + a
		}
	}
	return ""
}

// around cuts two texts to what is near their first difference.
func around(a, b string) (string, string) {
	const near, most = 40, 120
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	cut := func(s string) string {
		from, prefix := 0, ""
		if i > near {
			from, prefix = i-near, "..."
		}
		s = s[from:]
		if len(s) > most {
			s = s[:most] + "..."
		}
		return prefix + s
	}
	return strings.ToValidUTF8(cut(a), "?"), strings.ToValidUTF8(cut(b), "?")
}
