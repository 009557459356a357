package curve

// SpiralShare is the share of the busy CPU time, without idle workers, from which on the collector is said to spiral: what marking
// takes at most while a cycle runs, and far above what a program with room spends.
const SpiralShare = 0.25

// A Room is how far memory may grow below a limit until the collector takes SpiralShare, or twice what it takes without the limit now
// if that is more. Sizes are in bytes.
type Room struct {
	Setting Setting `json:"setting"`
	Share   float64 `json:"share"`   // of the busy CPU time, without idle workers, that the collector then takes
	Live    float64 `json:"live"`    // largest heap that was reachable in the run
	NonHeap float64 `json:"nonHeap"` // memory that counts beside the heap
	To      Value   `json:"to"`      // live heap to which it may grow, if nothing else does
	Beside  Value   `json:"beside"`  // memory beside the heap to which it may grow, likewise
}

// Room returns that of a setting with a limit. ok is false where it is not known what counts beside the heap, where the limit leaves no
// room, or where the collector takes so much without it that this cannot double.
func (m *Model) Room(s Setting) (r Room, ok bool) {
	if m.NonHeap <= 0 || s.Limit >= NoLimit {
		return r, false
	}
	scale := (1 - m.idle) * m.gc / max(m.now.gc, 1e-12)
	share := func(o outcome) float64 { return scale * o.gc / (scale*o.gc + m.User*o.alloc) }
	r = Room{Setting: s, Live: m.largest(), NonHeap: m.NonHeap, Share: max(SpiralShare, 2*share(m.replay(Setting{s.GOGC, NoLimit})))}
	spirals := func(other *Model) bool { return share(other.replay(s)) >= r.Share }
	room := s.Limit - r.Live - r.NonHeap
	if r.Live <= 0 || room <= 0 || r.Share >= 1 || spirals(m) {
		return r, false
	}
	grow := func(cost float64) float64 {
		return grown(room, func(more float64) bool { return spirals(m.withLive(1+more/r.Live, cost)) })
	}
	live, liveMost := grow(1), grow(0) // one run at the same live heap does not tell what of the cost each cycle has
	beside := grown(room, func(more float64) bool {
		other := *m
		other.NonHeap += more
		return spirals(&other)
	})
	to := func(now, more, most float64) Value {
		half := func(more float64) float64 { return roomCost*m.costError(1)*(room-more) + roomError*s.Limit }
		return Value{now + more, max(now, now+more-half(more)), min(now+room, now+most+half(most))}
	}
	r.To, r.Beside = to(r.Live, live, liveMost), to(r.NonHeap, beside, beside)
	return r, true
}

// roomCost is the factor by which the cost of a cycle is less certain so near to the limit.
const roomCost = 3

// roomError is the error of a Room's bounds, as a share of the limit: holes in spans change with the live heap.
const roomError = 0.06

// grown returns what may come to the memory before a condition holds, of at most so many bytes.
func grown(most float64, holds func(more float64) bool) float64 {
	lo, hi := 0.0, most
	for hi-lo > most/1000 {
		if at := (lo + hi) / 2; holds(at) {
			hi = at
		} else {
			lo = at
		}
	}
	return lo
}

// largest is the largest live heap of the window.
func (m *Model) largest() float64 {
	live := 0.0
	for _, p := range m.trajectory[m.window:] {
		live = max(live, p.live)
	}
	return live
}

// withLive is the model with so many times the live heap. Where the run does not tell what scanning costs, cost is the share of a
// cycle's that grows with what it scans.
func (m *Model) withLive(times, cost float64) *Model {
	other := *m
	other.trajectory = make([]heapState, len(m.trajectory))
	was, is := 0.0, 0.0
	for i, p := range m.trajectory {
		was += p.live + p.roots
		p.live *= times
		is += p.live + p.roots
		other.trajectory[i] = p
	}
	if m.PerByte == 0 {
		other.Fixed *= 1 + cost*(is/was-1)
	}
	return &other
}
