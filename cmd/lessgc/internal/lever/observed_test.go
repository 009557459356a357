package lever

import (
	"math/rand/v2"
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
