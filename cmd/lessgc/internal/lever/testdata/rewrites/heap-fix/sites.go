package heaps

import (
	"container/heap"
	"fmt"
)

var points Points

func plotted(all []point) (out string) {
	for _, p := range all {
		heap.Push(&points, p)                   // rewritten
		heap.Push(&points, moved(p))            // rewritten
		heap.Push(&points, point{x: p.y, y: 1}) // rewritten
	}
	for len(points.all) > 0 {
		out += fmt.Sprint(heap.Pop(&points).(point).x)
	}
	return out
}

func moved(p point) point { return point{p.y, p.x} }
