package lever

import (
	"testing"

	"lessgc/cmd/lessgc/internal/site"
)

// TestRoomOfBuilder checks that strings keep at most a quarter more memory than they need with the room that is made for them.
func TestRoomOfBuilder(t *testing.T) {
	for name, c := range map[string]struct {
		sizes []int64
		room  int64 // 0 for none
	}{
		"none":                 {nil, 0},
		"one size":             {[]int64{24, 24, 24}, 24},
		"two that are near":    {[]int64{64, 80}, 80},
		"few larger":           {[]int64{48, 48, 48, 48, 48, 48, 48, 48, 48, 96}, 48},
		"one in ten is longer": {[]int64{96, 96, 96, 96, 96, 96, 96, 96, 96, 112}, 112},
		"all sizes":            {[]int64{16, 32, 48, 64, 80, 96, 112, 128, 144, 160}, 0},
		"short and long":       {[]int64{8, 8, 8, 8, 208, 208}, 0},
	} {
		var o observed
		for _, size := range c.sizes {
			o.ends = site.AddSize(o.ends, site.Size{Bytes: size, Objects: 1})
		}
		room, _ := o.roomOfBuilder()
		if room != c.room {
			t.Errorf("%s: room for %d bytes, not %d", name, room, c.room)
		}
	}
}
