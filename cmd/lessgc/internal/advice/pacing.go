package advice

import (
	"fmt"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/watch"
)

// Pacing names the cause that starts collections.
type Pacing string

// The kinds of pacing. With the first two there are as many collections as there are bytes
// allocated, which is what the predicted gains rest on; near a limit, too, but each byte
// counts the more the less room is left.
const (
	ByGOGC  Pacing = "gogc"    // the heap has grown by GOGC percent of the live heap
	Minimum Pacing = "minimum" // or to the least size that is collected
	ByLimit Pacing = "limit"   // the memory limit is near
	Unknown Pacing = "unknown"
)

// smallestHeap is the size in bytes that a heap has at least before a collection starts, at
// GOGC=100.
const smallestHeap = 4 << 20

// nearLimit is the part of a memory limit from which on it is what starts collections: the
// runtime keeps its total at the limit then.
const nearLimit = 0.9

// pacing returns what starts collections, as far as profiles and the runtime show it.
func pacing(p *prof.Set, runtime *watch.Summary) (Pacing, string) {
	if runtime != nil && runtime.Gauges.GOGC != nil && runtime.Gauges.Goal != nil {
		return told(runtime.Gauges)
	}
	live := p.Allocs
	if p.Live != nil {
		live = p.Live
	}
	if live == nil || live.Value("inuse_space") < 0 {
		return Unknown, "cannot tell what starts collections: no profile has the live heap"
	}
	sum := int64(0)
	for _, s := range live.Sample {
		sum += s.Value[live.Value("inuse_space")]
	}
	if sum < smallestHeap/2 {
		return Unknown, fmt.Sprintf("live heap %s, less than half of the runtime's minimum of 4 MiB before a collection starts: the number of collections depends on the allocation rate only, "+
			"unless GOGC or a memory limit is set, which profiles do not show", bytes(sum))
	}
	return Unknown, fmt.Sprintf("live heap %s: with GOGC=100 a collection starts whenever about as much has been allocated; profiles do not show whether GOGC or a memory limit is set", bytes(sum))
}

// told returns the pacing by the runtime's own settings, and a sentence on it.
func told(g watch.Gauges) (Pacing, string) {
	goal, gogc := *g.Goal, *g.GOGC
	limited := g.Limit != nil && *g.Limit < watch.NoLimit
	text := fmt.Sprintf("GOGC=%.0f", gogc)
	if gogc < 0 {
		text = "GOGC=off"
	}
	if limited {
		text += ", GOMEMLIMIT=" + bytes(int64(*g.Limit))
	}
	switch {
	case limited && (gogc < 0 || g.Memory != nil && *g.Memory >= nearLimit**g.Limit):
		return ByLimit, text + ": the memory limit starts collections, more often the less room the live heap leaves below it. More room saves what GOGC cannot"
	case gogc < 0:
		return Unknown, text + ": nothing starts collections but the program itself"
	case goal <= smallestHeap*max(gogc, 1)/100*1.01:
		return Minimum, fmt.Sprintf("%s: a collection starts when the heap has its least size, %s. Collections depend on the rate of allocation only", text, bytes(int64(goal)))
	}
	return ByGOGC, fmt.Sprintf("%s: a collection ends when the heap has grown to about %s. Collections depend on the rate of allocation, divided by the size of the live heap", text, bytes(int64(goal)))
}
