// Code generated from loops_56_test.go by TestGenerated. DO NOT EDIT.

package pipelines

import (
	"cmp"
	"iter"
	"slices"

	"github.com/samber/lo"
	"github.com/samber/lo/it"

	"lessgc/bench/pipelines/before"
	"lessgc/bench/pipelines/tried"
	"lessgc/seq"
)

// loops8 are the loops over elem8.
var loops8 = []loop[elem8]{
	{"filter", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range d.in {
			v := &d.in[i]
			if v.A&3 != 0 {
				s += v.A
			}
		}
		return int(s)
	}},
	{"filter", "range", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range d.in {
			if v.A&3 != 0 {
				s += v.A
			}
		}
		return int(s)
	}},
	{"filter", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter", "tried", func(d *data[elem8]) int {
		s := int64(0)
		for v := range tried.FilterRange(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.Filter(d.in, func(v elem8, _ int) bool { return v.A&3 != 0 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter2", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range d.in {
			v := &d.in[i]
			if v.A&3 != 0 && v.A%5 != 1 {
				s += v.A
			}
		}
		return int(s)
	}},
	{"filter2", "range", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range d.in {
			if v.A&3 != 0 && v.A%5 != 1 {
				s += v.A
			}
		}
		return int(s)
	}},
	{"filter2", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.Filter(slices.Values(d.in), before.And2(
			func(v elem8) bool { return v.A&3 != 0 },
			func(v elem8) bool { return v.A%5 != 1 })) {
			s += v.A
		}
		return int(s)
	}},
	{"filter2", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 && v.A%5 != 1 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter2", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 && v.A%5 != 1 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter2", "repeated", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 }), func(v *elem8) bool { return v.A%5 != 1 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter2", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.Filter(lo.Filter(d.in, func(v elem8, _ int) bool { return v.A&3 != 0 }), func(v elem8, _ int) bool { return v.A%5 != 1 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter2", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.Filter(it.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), func(v elem8) bool { return v.A%5 != 1 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter3", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range d.in {
			v := &d.in[i]
			if v.A&3 != 0 && v.A%5 != 1 && v.A&7 != 6 {
				s += v.A
			}
		}
		return int(s)
	}},
	{"filter3", "range", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range d.in {
			if v.A&3 != 0 && v.A%5 != 1 && v.A&7 != 6 {
				s += v.A
			}
		}
		return int(s)
	}},
	{"filter3", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.Filter(slices.Values(d.in), before.And3(
			func(v elem8) bool { return v.A&3 != 0 },
			func(v elem8) bool { return v.A%5 != 1 },
			func(v elem8) bool { return v.A&7 != 6 })) {
			s += v.A
		}
		return int(s)
	}},
	{"filter3", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 && v.A%5 != 1 && v.A&7 != 6 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter3", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 && v.A%5 != 1 && v.A&7 != 6 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter3", "repeated", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(seq.Filter(seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 }), func(v *elem8) bool { return v.A%5 != 1 }), func(v *elem8) bool { return v.A&7 != 6 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter3", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.Filter(lo.Filter(lo.Filter(d.in, func(v elem8, _ int) bool { return v.A&3 != 0 }), func(v elem8, _ int) bool { return v.A%5 != 1 }), func(v elem8, _ int) bool { return v.A&7 != 6 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter3", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.Filter(it.Filter(it.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), func(v elem8) bool { return v.A%5 != 1 }), func(v elem8) bool { return v.A&7 != 6 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter4", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range d.in {
			v := &d.in[i]
			if v.A&3 != 0 && v.A%5 != 1 && v.A&7 != 6 && v.A%7 != 2 {
				s += v.A
			}
		}
		return int(s)
	}},
	{"filter4", "range", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range d.in {
			if v.A&3 != 0 && v.A%5 != 1 && v.A&7 != 6 && v.A%7 != 2 {
				s += v.A
			}
		}
		return int(s)
	}},
	{"filter4", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.Filter(slices.Values(d.in), before.And4(
			func(v elem8) bool { return v.A&3 != 0 },
			func(v elem8) bool { return v.A%5 != 1 },
			func(v elem8) bool { return v.A&7 != 6 },
			func(v elem8) bool { return v.A%7 != 2 })) {
			s += v.A
		}
		return int(s)
	}},
	{"filter4", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 && v.A%5 != 1 && v.A&7 != 6 && v.A%7 != 2 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter4", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 && v.A%5 != 1 && v.A&7 != 6 && v.A%7 != 2 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter4", "repeated", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Filter(seq.Filter(seq.Filter(seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 }), func(v *elem8) bool { return v.A%5 != 1 }), func(v *elem8) bool { return v.A&7 != 6 }), func(v *elem8) bool { return v.A%7 != 2 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter4", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.Filter(lo.Filter(lo.Filter(lo.Filter(d.in, func(v elem8, _ int) bool { return v.A&3 != 0 }), func(v elem8, _ int) bool { return v.A%5 != 1 }), func(v elem8, _ int) bool { return v.A&7 != 6 }), func(v elem8, _ int) bool { return v.A%7 != 2 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter4", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.Filter(it.Filter(it.Filter(it.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), func(v elem8) bool { return v.A%5 != 1 }), func(v elem8) bool { return v.A&7 != 6 }), func(v elem8) bool { return v.A%7 != 2 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter+map", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range d.in {
			v := &d.in[i]
			if v.A&3 != 0 {
				s += 2 * v.A
			}
		}
		return int(s)
	}},
	{"filter+map", "range", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range d.in {
			if v.A&3 != 0 {
				s += 2 * v.A
			}
		}
		return int(s)
	}},
	{"filter+map", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.Map(before.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), func(v elem8) int64 { return 2 * v.A }) {
			s += v
		}
		return int(s)
	}},
	{"filter+map", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Map(seq.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), func(v elem8) int64 { return 2 * v.A }) {
			s += v
		}
		return int(s)
	}},
	{"filter+map", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Map(seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 }), func(v *elem8) int64 { return 2 * v.A }) {
			s += v
		}
		return int(s)
	}},
	{"filter+map", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.Map(it.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), func(v elem8) int64 { return 2 * v.A }) {
			s += v
		}
		return int(s)
	}},
	{"filter+map", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.Map(lo.Filter(d.in, func(v elem8, _ int) bool { return v.A&3 != 0 }), func(v elem8, _ int) int64 { return 2 * v.A }) {
			s += v
		}
		return int(s)
	}},
	{"filtermap", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range d.in {
			v := &d.in[i]
			if v.A&3 != 0 {
				s += 2 * v.A
			}
		}
		return int(s)
	}},
	{"filtermap", "range", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range d.in {
			if v.A&3 != 0 {
				s += 2 * v.A
			}
		}
		return int(s)
	}},
	{"filtermap", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.FilterMap(slices.Values(d.in), func(v elem8) (int64, bool) { return 2 * v.A, v.A&3 != 0 }) {
			s += v
		}
		return int(s)
	}},
	{"filtermap", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.FilterMap(seq.Pointers(d.in), func(v *elem8) (int64, bool) { return 2 * v.A, v.A&3 != 0 }) {
			s += v
		}
		return int(s)
	}},
	{"filtermap", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.FilterMap(slices.Values(d.in), func(v elem8) (int64, bool) { return 2 * v.A, v.A&3 != 0 }) {
			s += v
		}
		return int(s)
	}},
	{"filtermap", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.FilterMap(d.in, func(v elem8, _ int) (int64, bool) { return 2 * v.A, v.A&3 != 0 }) {
			s += v
		}
		return int(s)
	}},
	{"filter+take", "hand", func(d *data[elem8]) int {
		s := int64(0)
		n := 0
		for i := range d.in {
			v := &d.in[i]
			if v.A&3 != 0 {
				s += v.A
				if n++; n == 700 {
					break
				}
			}
		}
		return int(s)
	}},
	{"filter+take", "range", func(d *data[elem8]) int {
		s := int64(0)
		n := 0
		for _, v := range d.in {
			if v.A&3 != 0 {
				s += v.A
				if n++; n == 700 {
					break
				}
			}
		}
		return int(s)
	}},
	{"filter+take", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.Take(before.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), 700) {
			s += v.A
		}
		return int(s)
	}},
	{"filter+take", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Take(seq.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), 700) {
			s += v.A
		}
		return int(s)
	}},
	{"filter+take", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Take(seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 }), 700) {
			s += v.A
		}
		return int(s)
	}},
	{"filter+take", "break", func(d *data[elem8]) int {
		s := int64(0)
		n := 0
		for v := range seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 }) {
			s += v.A
			if n++; n == 700 {
				break
			}
		}
		return int(s)
	}},
	{"filter+take", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.Take(it.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), 700) {
			s += v.A
		}
		return int(s)
	}},
	{"filter+take", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.Subset(lo.Filter(d.in, func(v elem8, _ int) bool { return v.A&3 != 0 }), 0, 700) {
			s += v.A
		}
		return int(s)
	}},
	{"takewhile", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range d.in {
			v := &d.in[i]
			if v.A >= 900 {
				break
			}
			s += v.A
		}
		return int(s)
	}},
	{"takewhile", "range", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range d.in {
			if v.A >= 900 {
				break
			}
			s += v.A
		}
		return int(s)
	}},
	{"takewhile", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.TakeWhile(slices.Values(d.in), func(v elem8) bool { return v.A < 900 }) {
			s += v.A
		}
		return int(s)
	}},
	{"takewhile", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.TakeWhile(slices.Values(d.in), func(v elem8) bool { return v.A < 900 }) {
			s += v.A
		}
		return int(s)
	}},
	{"takewhile", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.TakeWhile(seq.Pointers(d.in), func(v *elem8) bool { return v.A < 900 }) {
			s += v.A
		}
		return int(s)
	}},
	{"takewhile", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.TakeWhile(slices.Values(d.in), func(v elem8) bool { return v.A < 900 }) {
			s += v.A
		}
		return int(s)
	}},
	{"takewhile", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.TakeWhile(d.in, func(v elem8) bool { return v.A < 900 }) {
			s += v.A
		}
		return int(s)
	}},
	{"filter+drop", "hand", func(d *data[elem8]) int {
		s := int64(0)
		n := 100
		for i := range d.in {
			v := &d.in[i]
			if v.A&3 != 0 {
				if n > 0 {
					n--
					continue
				}
				s += v.A
			}
		}
		return int(s)
	}},
	{"filter+drop", "range", func(d *data[elem8]) int {
		s := int64(0)
		n := 100
		for _, v := range d.in {
			if v.A&3 != 0 {
				if n > 0 {
					n--
					continue
				}
				s += v.A
			}
		}
		return int(s)
	}},
	{"filter+drop", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.Drop(before.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), 100) {
			s += v.A
		}
		return int(s)
	}},
	{"filter+drop", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Drop(seq.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), 100) {
			s += v.A
		}
		return int(s)
	}},
	{"filter+drop", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Drop(seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 }), 100) {
			s += v.A
		}
		return int(s)
	}},
	{"filter+drop", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.Drop(it.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 }), 100) {
			s += v.A
		}
		return int(s)
	}},
	{"filter+drop", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.Drop(lo.Filter(d.in, func(v elem8, _ int) bool { return v.A&3 != 0 }), 100) {
			s += v.A
		}
		return int(s)
	}},
	{"flatmap", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for _, items := range d.nested {
			for i := range items {
				s += items[i].A
			}
		}
		return int(s)
	}},
	{"flatmap", "range", func(d *data[elem8]) int {
		s := int64(0)
		for _, items := range d.nested {
			for _, v := range items {
				s += v.A
			}
		}
		return int(s)
	}},
	{"flatmap", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.FlatMap(slices.Values(d.nested), func(items []elem8) iter.Seq[elem8] { return slices.Values(items) }) {
			s += v.A
		}
		return int(s)
	}},
	{"flatmap", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.FlatMap(seq.Pointers(d.nested), func(items *[]elem8) iter.Seq[elem8] { return slices.Values(*items) }) {
			s += v.A
		}
		return int(s)
	}},
	{"flatmap", "repeated", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.FlatMap(slices.Values(d.nested), func(items []elem8) iter.Seq[elem8] { return slices.Values(items) }) {
			s += v.A
		}
		return int(s)
	}},
	{"flatmap", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.FlatMap(slices.Values(d.nested), func(items []elem8) iter.Seq[*elem8] { return seq.Pointers(items) }) {
			s += v.A
		}
		return int(s)
	}},
	{"flatmap", "twopointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.FlatMap(seq.Pointers(d.nested), func(items *[]elem8) iter.Seq[*elem8] { return seq.Pointers(*items) }) {
			s += v.A
		}
		return int(s)
	}},
	{"flatmap", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.FlatMap(slices.Values(d.nested), func(items []elem8) iter.Seq[elem8] { return slices.Values(items) }) {
			s += v.A
		}
		return int(s)
	}},
	{"flatmap", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.FlatMap(d.nested, func(items []elem8, _ int) []elem8 { return items }) {
			s += v.A
		}
		return int(s)
	}},
	{"chunk", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := 0; i < len(d.in); i += 10 {
			c := d.in[i:min(i+10, len(d.in))]
			s += c[0].A * int64(len(c))
		}
		return int(s)
	}},
	{"chunk", "std", func(d *data[elem8]) int {
		s := int64(0)
		for c := range slices.Chunk(d.in, 10) {
			s += c[0].A * int64(len(c))
		}
		return int(s)
	}},
	{"chunk", "before", func(d *data[elem8]) int {
		s := int64(0)
		for c := range before.Chunk(slices.Values(d.in), d.buf) {
			s += c[0].A * int64(len(c))
		}
		return int(s)
	}},
	{"chunk", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, c := range lo.Chunk(d.in, 10) {
			s += c[0].A * int64(len(c))
		}
		return int(s)
	}},
	{"chunk", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for c := range it.Chunk(slices.Values(d.in), 10) {
			s += c[0].A * int64(len(c))
		}
		return int(s)
	}},
	{"zip", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range min(len(d.in), len(d.other)) {
			s += d.in[i].A * d.other[i].A
		}
		return int(s)
	}},
	{"zip", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v, w := range before.Zip(slices.Values(d.in), slices.Values(d.other)) {
			s += v.A * w.A
		}
		return int(s)
	}},
	{"zip", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, p := range lo.Zip2(d.in, d.other) {
			s += p.A.A * p.B.A
		}
		return int(s)
	}},
	{"zip", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for p := range it.Zip2(slices.Values(d.in), slices.Values(d.other)) {
			s += p.A.A * p.B.A
		}
		return int(s)
	}},
	{"least", "hand", func(d *data[elem8]) int {
		s := int64(0)
		least := make([]*elem8, 0, 10)
		for i := range d.other {
			v := &d.other[i]
			if len(least) == cap(least) {
				if v.A >= least[len(least)-1].A {
					continue
				}
				least = least[:len(least)-1]
			}
			at := len(least)
			for at > 0 && v.A < least[at-1].A {
				at--
			}
			least = slices.Insert(least, at, v)
		}
		for _, v := range least {
			s += v.A
		}
		return int(s)
	}},
	{"least", "std", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range slices.SortedFunc(slices.Values(d.other), func(a, b elem8) int { return cmp.Compare(a.A, b.A) })[:10] {
			s += v.A
		}
		return int(s)
	}},
	{"least", "stdpointers", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range slices.SortedFunc(seq.Pointers(d.other), func(a, b *elem8) int { return cmp.Compare(a.A, b.A) })[:10] {
			s += v.A
		}
		return int(s)
	}},
	{"least", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.Least(slices.Values(d.other), d.buf, func(a, b elem8) int { return cmp.Compare(a.A, b.A) }) {
			s += v.A
		}
		return int(s)
	}},
	{"sort", "hand", func(d *data[elem8]) int {
		s := int64(0)
		all := make([]*elem8, len(d.other))
		for i := range d.other {
			all[i] = &d.other[i]
		}
		slices.SortFunc(all, func(a, b *elem8) int { return cmp.Compare(a.A, b.A) })
		for _, v := range all {
			s = 3*s + v.A
		}
		return int(s)
	}},
	{"sort", "std", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range slices.SortedFunc(slices.Values(d.other), func(a, b elem8) int { return cmp.Compare(a.A, b.A) }) {
			s = 3*s + v.A
		}
		return int(s)
	}},
	{"sort", "stdpointers", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range slices.SortedFunc(seq.Pointers(d.other), func(a, b *elem8) int { return cmp.Compare(a.A, b.A) }) {
			s = 3*s + v.A
		}
		return int(s)
	}},
	{"sort", "before", func(d *data[elem8]) int {
		s := int64(0)
		for v := range before.Sort(slices.Values(d.other), func(a, b elem8) int { return cmp.Compare(a.A, b.A) }) {
			s = 3*s + v.A
		}
		return int(s)
	}},
	{"reduce", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range d.in {
			v := &d.in[i]
			s += v.A
		}
		return int(s)
	}},
	{"reduce", "range", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range d.in {
			s += v.A
		}
		return int(s)
	}},
	{"reduce", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Pointers(d.in) {
			s += v.A
		}
		return int(s)
	}},
	{"reduce", "before", func(d *data[elem8]) int {
		return int(before.Reduce(slices.Values(d.in), 0, func(s int64, v elem8) int64 { return s + v.A }))
	}},
	{"reduce", "loit", func(d *data[elem8]) int {
		return int(it.Reduce(slices.Values(d.in), func(s int64, v elem8) int64 { return s + v.A }, 0))
	}},
	{"reduce", "lo", func(d *data[elem8]) int {
		return int(lo.Reduce(d.in, func(s int64, v elem8, _ int) int64 { return s + v.A }, 0))
	}},
	{"distinct", "hand", func(d *data[elem8]) int {
		s := int64(0)
		seen := map[int64]struct{}{}
		for i := range d.in {
			v := &d.in[i]
			if _, ok := seen[v.A&63]; !ok {
				seen[v.A&63] = struct{}{}
				s += v.A
			}
		}
		return int(s)
	}},
	{"distinct", "values", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Distinct(slices.Values(d.in), func(v elem8) int64 { return v.A & 63 }) {
			s += v.A
		}
		return int(s)
	}},
	{"distinct", "pointers", func(d *data[elem8]) int {
		s := int64(0)
		for v := range seq.Distinct(seq.Pointers(d.in), func(v *elem8) int64 { return v.A & 63 }) {
			s += v.A
		}
		return int(s)
	}},
	{"distinct", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.UniqBy(slices.Values(d.in), func(v elem8) int64 { return v.A & 63 }) {
			s += v.A
		}
		return int(s)
	}},
	{"distinct", "filter", func(d *data[elem8]) int {
		s := int64(0)
		seen := map[int64]struct{}{}
		fresh := func(v *elem8) bool {
			_, ok := seen[v.A&63]
			if !ok {
				seen[v.A&63] = struct{}{}
			}
			return !ok
		}
		for v := range seq.Filter(seq.Pointers(d.in), fresh) {
			s += v.A
		}
		return int(s)
	}},
	{"distinct", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.UniqBy(d.in, func(v elem8) int64 { return v.A & 63 }) {
			s += v.A
		}
		return int(s)
	}},
	{"groupby", "hand", func(d *data[elem8]) int {
		groups := map[int64][]*elem8{}
		for i := range d.in {
			v := &d.in[i]
			groups[v.A&63] = append(groups[v.A&63], v)
		}
		s := int64(0)
		for k, g := range groups {
			s += k * int64(len(g)) * g[0].A
		}
		return int(s)
	}},
	{"groupby", "range", func(d *data[elem8]) int {
		groups := map[int64][]elem8{}
		for _, v := range d.in {
			groups[v.A&63] = append(groups[v.A&63], v)
		}
		s := int64(0)
		for k, g := range groups {
			s += k * int64(len(g)) * g[0].A
		}
		return int(s)
	}},
	{"groupby", "triedvalues", func(d *data[elem8]) int {
		groups := tried.GroupBy(slices.Values(d.in), func(v elem8) int64 { return v.A & 63 })
		s := int64(0)
		for k, g := range groups {
			s += k * int64(len(g)) * g[0].A
		}
		return int(s)
	}},
	{"groupby", "tried", func(d *data[elem8]) int {
		groups := tried.GroupBy(seq.Pointers(d.in), func(v *elem8) int64 { return v.A & 63 })
		s := int64(0)
		for k, g := range groups {
			s += k * int64(len(g)) * g[0].A
		}
		return int(s)
	}},
	{"groupby", "lo", func(d *data[elem8]) int {
		groups := lo.GroupBy(d.in, func(v elem8) int64 { return v.A & 63 })
		s := int64(0)
		for k, g := range groups {
			s += k * int64(len(g)) * g[0].A
		}
		return int(s)
	}},
	{"groupby", "loit", func(d *data[elem8]) int {
		groups := it.GroupBy(slices.Values(d.in), func(v elem8) int64 { return v.A & 63 })
		s := int64(0)
		for k, g := range groups {
			s += k * int64(len(g)) * g[0].A
		}
		return int(s)
	}},
	{"partition", "hand", func(d *data[elem8]) int {
		var a, b []*elem8
		for i := range d.in {
			v := &d.in[i]
			if v.A&3 != 0 {
				a = append(a, v)
			} else {
				b = append(b, v)
			}
		}
		return 3*len(a) + len(b) + int(a[0].A+b[0].A)
	}},
	{"partition", "range", func(d *data[elem8]) int {
		var a, b []elem8
		for _, v := range d.in {
			if v.A&3 != 0 {
				a = append(a, v)
			} else {
				b = append(b, v)
			}
		}
		return 3*len(a) + len(b) + int(a[0].A+b[0].A)
	}},
	{"partition", "triedvalues", func(d *data[elem8]) int {
		a, b := tried.Partition(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 })
		return 3*len(a) + len(b) + int(a[0].A+b[0].A)
	}},
	{"partition", "tried", func(d *data[elem8]) int {
		a, b := tried.Partition(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 })
		return 3*len(a) + len(b) + int(a[0].A+b[0].A)
	}},
	{"partition", "lo", func(d *data[elem8]) int {
		p := lo.PartitionBy(d.in, func(v elem8) bool { return v.A&3 != 0 })
		b, a := p[0], p[1]
		return 3*len(a) + len(b) + int(a[0].A+b[0].A)
	}},
	{"partition", "loit", func(d *data[elem8]) int {
		p := it.PartitionBy(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 })
		b, a := p[0], p[1]
		return 3*len(a) + len(b) + int(a[0].A+b[0].A)
	}},
	{"concat", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range d.in {
			s += d.in[i].A
		}
		for i := range d.other {
			s += d.other[i].A
		}
		return int(s)
	}},
	{"concat", "slices", func(d *data[elem8]) int {
		s := int64(0)
		for _, part := range [...][]elem8{d.in, d.other} {
			for v := range seq.Pointers(part) {
				s += v.A
			}
		}
		return int(s)
	}},
	{"concat", "triedvalues", func(d *data[elem8]) int {
		s := int64(0)
		for v := range tried.Concat(slices.Values(d.in), slices.Values(d.other)) {
			s += v.A
		}
		return int(s)
	}},
	{"concat", "tried", func(d *data[elem8]) int {
		s := int64(0)
		for v := range tried.Concat(seq.Pointers(d.in), seq.Pointers(d.other)) {
			s += v.A
		}
		return int(s)
	}},
	{"concat", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for v := range it.Concat(slices.Values(d.in), slices.Values(d.other)) {
			s += v.A
		}
		return int(s)
	}},
	{"concat", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, v := range lo.Concat(d.in, d.other) {
			s += v.A
		}
		return int(s)
	}},
	{"window", "hand", func(d *data[elem8]) int {
		s := int64(0)
		for i := range len(d.in) - 2 {
			w := d.in[i : i+3]
			s += w[0].A - w[2].A
		}
		return int(s)
	}},
	{"window", "tried", func(d *data[elem8]) int {
		s := int64(0)
		for w := range tried.Windows(d.in, 3) {
			s += w[0].A - w[2].A
		}
		return int(s)
	}},
	{"window", "lo", func(d *data[elem8]) int {
		s := int64(0)
		for _, w := range lo.Window(d.in, 3) {
			s += w[0].A - w[2].A
		}
		return int(s)
	}},
	{"window", "loit", func(d *data[elem8]) int {
		s := int64(0)
		for w := range it.Window(slices.Values(d.in), 3) {
			s += w[0].A - w[2].A
		}
		return int(s)
	}},
	{"enumerate", "hand", func(d *data[elem8]) int {
		s := int64(0)
		n := 0
		for i := range d.in {
			if v := &d.in[i]; v.A&3 != 0 {
				s += v.A * int64(n)
				n++
			}
		}
		return int(s)
	}},
	{"enumerate", "triedvalues", func(d *data[elem8]) int {
		s := int64(0)
		for i, v := range tried.Enumerate(seq.Filter(slices.Values(d.in), func(v elem8) bool { return v.A&3 != 0 })) {
			s += v.A * int64(i)
		}
		return int(s)
	}},
	{"enumerate", "tried", func(d *data[elem8]) int {
		s := int64(0)
		for i, v := range tried.Enumerate(seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 })) {
			s += v.A * int64(i)
		}
		return int(s)
	}},
	{"enumerate", "counter", func(d *data[elem8]) int {
		s := int64(0)
		n := 0
		for v := range seq.Filter(seq.Pointers(d.in), func(v *elem8) bool { return v.A&3 != 0 }) {
			s += v.A * int64(n)
			n++
		}
		return int(s)
	}},
}
