package partly

import "sync"

// A verdict has a mark if it comes from the pool.
type verdict struct {
	problems []error
	pooled   bool
	checked  bool
}

var verdicts = sync.Pool{New: func() any { return new(verdict) }}

func borrowVerdict() *verdict { return verdicts.Get().(*verdict).cleared() }

func (v *verdict) cleared() *verdict {
	v.problems = v.problems[:0]
	v.pooled = true
	v.checked = false
	return v
}

func (v *verdict) merge(other *verdict) {
	if other == nil {
		return
	}
	v.problems = append(v.problems, other.problems...)
	if other.pooled {
		verdicts.Put(other)
	}
}

// The mark is set, as the verdict was borrowed.
func goodMarked(ns []int) *verdict {
	sum := new(verdict)
	for _, n := range ns {
		one := borrowVerdict()
		one.problems = append(one.problems, nil)
		if len(one.problems) > n {
			sum.merge(one)
		} else if one.pooled {
			verdicts.Put(one)
		}
	}
	return sum
}

func goodMarkedOnly(ns []int) (sum int) {
	for range ns {
		one := borrowVerdict()
		sum += len(one.problems)
		if !one.pooled {
			continue
		}
		verdicts.Put(one)
	}
	return sum
}

// The flag comes and goes.
func badUnmarked(ns []int) (sum int) {
	for range ns {
		one := borrowVerdict() // want "one is not put back on the path"
		sum += len(one.problems)
		if !one.checked {
			continue
		}
		verdicts.Put(one)
	}
	return sum
}

func (v *verdict) check() { v.checked = len(v.problems) == 0 }

// The mark has nothing to do with it.
func badMarked(ns []int) (sum int) {
	for _, n := range ns {
		one := borrowVerdict() // want "one is not put back on the path"
		sum += len(one.problems)
		if n > 3 {
			continue
		}
		if one.pooled {
			verdicts.Put(one)
		}
	}
	return sum
}

// An order loses its mark when all of it is stored.
type order struct {
	lines  []string
	pooled bool
}

var orders = sync.Pool{New: func() any { return new(order) }}

func borrowOrder() *order {
	o := orders.Get().(*order)
	o.pooled = true
	return o
}

func (o *order) forget() { *o = order{} }

func badForgotten(ns []int) (sum int) {
	for _, n := range ns {
		o := borrowOrder() // want "o is not put back on the path"
		if n > 3 {
			o.forget()
		}
		sum += len(o.lines)
		if !o.pooled {
			continue
		}
		orders.Put(o)
	}
	return sum
}

// An offer loses its mark only when it goes back.
type offer struct {
	lines  []string
	pooled bool
	open   bool
}

var offers = sync.Pool{New: func() any { return new(offer) }}

func borrowOffer() *offer {
	o := offers.Get().(*offer)
	*o = offer{lines: o.lines[:0], pooled: true}
	return o
}

func giveOffer(o *offer) {
	*o = offer{}
	offers.Put(o)
}

func goodForgotten(ns []int) (sum int) {
	for range ns {
		o := borrowOffer()
		sum += len(o.lines)
		if !o.pooled {
			continue
		}
		giveOffer(o)
	}
	return sum
}
