package harness

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// A callLog has the calls of generated functions, in order.
type callLog struct {
	mu    sync.Mutex
	n     int
	lines []string
}

// mostLogged bounds the calls that are written down.
const mostLogged = 500

func (l *callLog) add(line string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	if len(l.lines) < mostLogged {
		l.lines = append(l.lines, line)
	}
	return l.n
}

func (l *callLog) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "; ") + fmt.Sprint("; ", l.n, " calls")
}

// function sets a variable of a function type: to a function whose results are determined by its arguments, to an
// order if it compares, to an iterator over some values, or to nil.
func (g *generator) function(v reflect.Value, depth int) {
	t := v.Type()
	switch {
	case g.absent(30):
	case isSequence(t):
		g.sequence(v, depth)
	case isOrder(t):
		reverse, coarse := g.once(2), g.once(3)
		v.Set(reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
			return []reflect.Value{order(t.Out(0), in[0], in[1], reverse, coarse)}
		}))
	default:
		g.pure(v, depth)
	}
}

func (g *generator) pure(v reflect.Value, depth int) {
	t, seed, log, target, solid := v.Type(), g.next(), g.log, g.target, g.solid
	fails := 0
	if g.absent(25) {
		fails = 1 + g.below(3)
	}
	v.Set(reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		text := encode(target, in)
		if n := log.add(text); n == fails {
			panic("a function that was passed panics")
		}
		h := seed
		for i := 0; i < len(text); i++ {
			h = (h ^ uint64(text[i])) * 0x100000001b3
		}
		inner := newGenerator(h, target, log)
		inner.size, inner.careful, inner.solid = 4, true, solid
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = reflect.New(t.Out(i)).Elem()
			inner.fill(out[i], depth+2)
		}
		return out
	}))
}

// isOrder reports whether a function compares two values.
func isOrder(t reflect.Type) bool {
	if t.NumIn() != 2 || t.NumOut() != 1 || t.IsVariadic() || t.In(0) != t.In(1) {
		return false
	}
	k := t.Out(0).Kind()
	return k == reflect.Bool || k == reflect.Int
}

func order(t reflect.Type, a, b reflect.Value, reverse, coarse bool) reflect.Value {
	x, y := encode(&Target{}, []reflect.Value{a}), encode(&Target{}, []reflect.Value{b})
	sign := strings.Compare(x, y)
	if coarse {
		sign = len(x) - len(y)
	}
	if reverse {
		sign = -sign
	}
	result := reflect.New(t).Elem()
	if t.Kind() == reflect.Bool {
		result.SetBool(sign < 0)
	} else {
		result.SetInt(int64(sign))
	}
	return result
}

// isSequence reports whether a type is that of an iterator, as iter.Seq and iter.Seq2.
func isSequence(t reflect.Type) bool {
	if t.Kind() != reflect.Func || t.NumIn() != 1 || t.NumOut() != 0 || t.In(0).Kind() != reflect.Func {
		return false
	}
	yield := t.In(0)
	return yield.NumOut() == 1 && yield.Out(0).Kind() == reflect.Bool && yield.NumIn() <= 2
}

func (g *generator) sequence(v reflect.Value, depth int) {
	yield := v.Type().In(0)
	all := make([][]reflect.Value, g.count(depth))
	for i := range all {
		for j := 0; j < yield.NumIn(); j++ {
			value := reflect.New(yield.In(j)).Elem()
			g.fill(value, depth+1)
			all[i] = append(all[i], value)
		}
	}
	v.Set(reflect.MakeFunc(v.Type(), func(in []reflect.Value) []reflect.Value {
		for _, values := range all {
			if !in[0].Call(values)[0].Bool() {
				break
			}
		}
		return nil
	}))
}

// mostYielded bounds what is taken of an iterator.
const mostYielded = 1000

// collect returns what an iterator yields, up to most values, and whether it panics.
func collect(v reflect.Value, most int) (all [][]reflect.Value, failed interface{}) {
	defer func() { failed = recover() }()
	yield := v.Type().In(0)
	v.Call([]reflect.Value{reflect.MakeFunc(yield, func(in []reflect.Value) []reflect.Value {
		all = append(all, append([]reflect.Value(nil), in...))
		return []reflect.Value{reflect.ValueOf(len(all) < most).Convert(yield.Out(0))}
	})})
	return all, nil
}
