package pace

// A Choice selects the action of pace when the collector exceeds its share of the CPU time for lack of
// memory and no other means has been left for five seconds.
type Choice int

const (
	// Continue raises the memory limit beyond the hard limit, as far as the collector needs to keep to its
	// share, but to at most twice the hard limit. If the program then uses that memory, the kernel may
	// kill it.
	Continue Choice = iota

	// Crash panics in pace's own goroutine, which ends the program. The message has the figures.
	Crash
)

// Options configure a [Pacer]. The zero value is for a service in a container. Values outside a range are set to
// the nearest end of it.
type Options struct {
	// Limit is the hard limit in bytes: the memory that the process must not exceed. 0 means the limit of
	// the process's control group on Linux, whose changes are followed, and no limit elsewhere.
	Limit int64

	// MinHeap is a heap goal in bytes that is always allowed, like a ballast: GOGC is raised to it at once.
	// 0 means 16 MiB. It is at most an eighth of the memory limit.
	MinHeap int64

	// Target is the share of the memory limit that the runtime's memory may reach while the collector takes
	// more than 1 % of the CPU time, from 0.1 to 1. 0 means 0.8. The rest absorbs bursts.
	Target float64

	// MaxGC is the share of the CPU time that the collector may take because of the memory limit, from
	// 0.05 to 0.5. 0 means 0.25.
	MaxGC float64

	// OnPressure are called when the collector exceeds MaxGC: to shed load, and to shrink caches, pools and
	// arenas. They are called in order, on a goroutine of their own, at most every 10 seconds, with growing
	// pauses while the pressure lasts. A hook that blocks prevents further calls of hooks, but does not stop
	// the guard; a hook that panics ends the program. A hook may call Stop.
	OnPressure []func(Pressure)

	// AtLimit selects what to do when neither the hooks nor a memory limit just below the hard limit help. It
	// has no effect if pace does not own the memory limit.
	AtLimit Choice
}

// Pressure is the argument of a hook. Sizes are in bytes.
type Pressure struct {
	Limit       int64   // hard limit, 0 if none is known
	MemoryLimit int64   // of the runtime
	Live        int64   // live heap after the last collection
	NonHeap     int64   // other memory that counts against MemoryLimit
	Outside     int64   // memory of the process that the runtime does not see
	Share       float64 // of the CPU time that the collector takes
	Excess      int64   // estimate of the memory to free for a share of MaxGC
}

const (
	defaultMinHeap = 16 << 20
	defaultTarget  = 0.8
	defaultMaxGC   = 0.25
)

// plan returns the options with the defaults, and within their ranges.
func (o Options) plan() plan {
	p := plan{minHeap: o.MinHeap, target: o.Target, maxGC: o.MaxGC, hooks: len(o.OnPressure) > 0, crash: o.AtLimit == Crash}
	if p.minHeap <= 0 {
		p.minHeap = defaultMinHeap
	}
	if !(p.target > 0) {
		p.target = defaultTarget
	}
	if !(p.maxGC > 0) {
		p.maxGC = defaultMaxGC
	}
	p.minHeap = min(p.minHeap, 1<<50)
	p.target = min(max(p.target, 0.1), 1)
	p.maxGC = min(max(p.maxGC, 0.05), 0.5)
	return p
}
