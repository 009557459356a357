package lever

import (
	"math/rand/v2"
	"slices"
	"testing"

	"lessgc/cmd/lessgc/internal/site"
)

// TestRoomSpares grows things to sizes of several distributions, and checks that with the room which their steps propose they
// allocate less than without.
func TestRoomSpares(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		size  func() int64
		first int64
		room  int64 // 0 for none
	}{
		"all alike":                {func() int64 { return 300 + random.Int64N(200) }, 64, 512},
		"of two steps":             {func() int64 { return 300 + random.Int64N(600) }, 8, 1024},
		"most small":               {func() int64 { return 10 + random.Int64N(400)*random.Int64N(2)*random.Int64N(2)*random.Int64N(2) }, 8, 0},
		"few very large":           {func() int64 { return 300 + 20000*(random.Int64N(5)/4) }, 8, 0},
		"one step":                 {func() int64 { return 1 + random.Int64N(60) }, 64, 0},
		"half small, half at once": {func() int64 { return 8 + 120*random.Int64N(2) }, 0, 0},
	} {
		var o observed
		var sizes []int64
		for range 1000 {
			sizes = append(sizes, c.size())
			for _, step := range stepsTo(sizes[len(sizes)-1], c.first) {
				o.steps = site.AddSize(o.steps, site.Size{Bytes: step, Objects: 1})
			}
		}
		o.sum()
		room, ok := o.room()
		if !ok {
			room = 0
		}
		if room != c.room {
			t.Errorf("%s: room for %d bytes, not %d: %v", name, room, c.room, o.ends)
		}
		before, after, fit := int64(0), int64(0), 0
		for _, size := range sizes {
			if size <= room {
				fit++
			}
			before += total(stepsTo(size, c.first))
			if room > 0 {
				after += total(stepsTo(size, room))
			}
		}
		note := "most need no more"
		if fit >= 900 {
			note = "few need more"
		}
		if room > 0 && (o.note(room) != note || fit < 500) {
			t.Errorf("%s: %d of 1000 fit in %d bytes, of which the comment is %q", name, fit, room, o.note(room))
		}
		if after > before*9/10 {
			t.Errorf("%s: %d bytes, and %d with room", name, before, after)
		}
	}
}

// stepsTo are the capacities of what begins with one, and is doubled until it is large enough; 0 makes it so at once.
func stepsTo(size, first int64) (all []int64) {
	if first == 0 {
		return []int64{size}
	}
	for c := first; ; c *= 2 {
		all = append(all, c)
		if c >= size {
			return all
		}
	}
}

func total(all []int64) (sum int64) {
	for _, n := range all {
		sum += n
	}
	return sum
}

// TestRoomOfEach checks that the room, and what its comment says, holds in each benchmark, however often each has run.
func TestRoomOfEach(t *testing.T) {
	of := func(first int64, sizes ...int64) (o observed) {
		for _, size := range sizes {
			for _, step := range stepsTo(size, first) {
				o.steps = site.AddSize(o.steps, site.Size{Bytes: step, Objects: 1})
			}
		}
		o.sum()
		return o
	}
	times := func(n int64, o observed) observed {
		for _, sizes := range []*[]site.Size{&o.steps, &o.ends} {
			*sizes = slices.Clone(*sizes)
			for i := range *sizes {
				(*sizes)[i].Objects *= n
			}
		}
		o.count()
		return o
	}
	short, long, longer, once := of(8, 60, 60, 60, 60), of(8, 100, 100, 120, 128), of(8, 600, 610, 620, 630), of(0, 64, 64, 64, 64)
	for name, c := range map[string]struct {
		parts []observed
		room  int64
		note  string
	}{
		"one":                            {[]observed{short}, 64, "few need more"},
		"two alike":                      {[]observed{short, times(1000, short)}, 64, "few need more"},
		"a step apart":                   {[]observed{times(1000, short), long}, 0, ""},
		"far apart":                      {[]observed{times(1000, short), longer}, 0, ""},
		"far apart, the long more often": {[]observed{short, times(1000, longer)}, 0, ""},
		"half of one needs more":         {[]observed{short, short, times(1000, of(8, 60, 60, 100, 100))}, 64, "most need no more"},
		"one does not grow":              {[]observed{times(1000, long), once}, 0, ""},
	} {
		all := observed{parts: c.parts}
		for _, part := range c.parts {
			for _, s := range part.steps {
				all.steps = site.AddSize(all.steps, s)
			}
		}
		all.sum()
		room, ok := all.room()
		if !ok {
			room = 0
		}
		if room != c.room || ok && all.note(room) != c.note {
			t.Errorf("%s: room for %d bytes, and %s; want %d, and %s", name, room, all.note(room), c.room, c.note)
		}
		for _, part := range c.parts {
			if ok && part.spares(room) < 0 {
				t.Errorf("%s: the room costs a benchmark %d bytes", name, -part.spares(room))
			}
		}
	}
}
