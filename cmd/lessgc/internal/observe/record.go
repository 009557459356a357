package observe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"lessgc/cmd/lessgc/internal/curve"
)

// The words of a record, as folder probe writes them.
const (
	wordAt = iota
	wordCycles
	wordForced
	wordAlloc
	wordLive
	wordStacks
	wordGlobals
	wordGOGC
	wordLimit
	wordProcs
	wordAssist
	wordDedicated
	wordIdle
	wordPause
	wordTotal
	wordUnused
	wordMemory
	wordReleased
	wordFree
	wordObjects
	words
)

// recordSize is the size of a record in bytes.
const recordSize = 8 * words

// parse makes a run of the records of a process. One that is cut off at the end is left out.
func parse(data []byte) (*curve.Run, error) {
	n := len(data) / recordSize
	if n == 0 {
		return nil, errors.New("it traced no collection: it ended at once, or cleared its environment")
	}
	r := &curve.Run{Whole: true}
	for i := range n {
		var w [words]uint64
		for k := range w {
			w[k] = binary.LittleEndian.Uint64(data[i*recordSize+8*k:])
		}
		r.Points = append(r.Points, point(&w))
		if i == n-1 {
			r.Procs, r.Limit, r.GOGC = float64(w[wordProcs]), float64(w[wordLimit]), float64(int64(w[wordGOGC]))
		}
	}
	if last := r.Points[n-1]; last.Busy == 0 && last.Cycles > 0 {
		return nil, fmt.Errorf("%d collections without CPU time: it was built with a Go older than 1.20", int(last.Cycles))
	}
	return r, nil
}

func point(w *[words]uint64) curve.Point {
	size := func(k int) float64 { return float64(w[k]) }
	seconds := func(k int) float64 { return float64(w[k]) / 1e9 }
	mapped := max(0, size(wordMemory)-size(wordReleased))
	return curve.Point{
		At: seconds(wordAt), Cycles: size(wordCycles), Forced: size(wordForced), Alloc: size(wordAlloc),
		Assist: seconds(wordAssist), Dedicated: seconds(wordDedicated), Idle: seconds(wordIdle), Pause: seconds(wordPause),
		Busy: math.Max(0, seconds(wordTotal)-seconds(wordUnused)), Live: size(wordLive), Roots: size(wordStacks) + size(wordGlobals),
		Mapped: mapped, NonHeap: max(0, mapped-size(wordFree)-size(wordObjects)),
	}
}
