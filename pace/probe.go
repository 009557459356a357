package pace

import (
	"errors"
	"runtime/metrics"
	"time"

	"lessgc/internal/cgroup"
)

// The metrics that a probe reads, in the order of the samples.
const (
	mLive = iota
	mGoal
	mStacks
	mGlobals
	mAllocated
	mCycles
	mForced
	mGOGC
	mLimit
	mTotal
	mReleased
	mFree
	mObjects
	mCPU
	mIdle
	mMarkIdle
	mAssist
	mDedicated
	mPause
	mCount
)

var names = [mCount]string{
	mLive:      "/gc/heap/live:bytes",
	mGoal:      "/gc/heap/goal:bytes",
	mStacks:    "/gc/scan/stack:bytes",
	mGlobals:   "/gc/scan/globals:bytes",
	mAllocated: "/gc/heap/allocs:bytes",
	mCycles:    "/gc/cycles/total:gc-cycles",
	mForced:    "/gc/cycles/forced:gc-cycles",
	mGOGC:      "/gc/gogc:percent",
	mLimit:     "/gc/gomemlimit:bytes",
	mTotal:     "/memory/classes/total:bytes",
	mReleased:  "/memory/classes/heap/released:bytes",
	mFree:      "/memory/classes/heap/free:bytes",
	mObjects:   "/memory/classes/heap/objects:bytes",
	mCPU:       "/cpu/classes/total:cpu-seconds",
	mIdle:      "/cpu/classes/idle:cpu-seconds",
	mMarkIdle:  "/cpu/classes/gc/mark/idle:cpu-seconds",
	mAssist:    "/cpu/classes/gc/mark/assist:cpu-seconds",
	mDedicated: "/cpu/classes/gc/mark/dedicated:cpu-seconds",
	mPause:     "/cpu/classes/gc/pause:cpu-seconds",
}

// A probe observes this process. It allocates nothing after it was made, unless something fails.
type probe struct {
	begun   time.Time
	samples [mCount]metrics.Sample

	source  string // of the hard limit
	problem string
	fixed   int64 // the hard limit of the options
	group   *cgroup.Group
	resident

	looked time.Duration // at the system, last
	hard   int64
	memory int64  // of the process outside files, then; 0 if not known
	usage  int64  // of the control group, then; 0 if not known
	asked  func() // called then, by tests; may be nil
}

// lookAgain is the shortest time between two queries of the system. The runtime is queried each time.
const lookAgain = 250 * time.Millisecond

// newProbe makes a probe, with the hard limit of the options, or of the control group if that is 0: see
// cgroup.Find for the root.
func newProbe(limit int64, root string) *probe {
	p := &probe{begun: time.Now(), fixed: limit, looked: -lookAgain}
	for i := range p.samples {
		p.samples[i].Name = names[i]
	}
	p.resident.open()
	if limit > 0 {
		p.source = "option"
		return p
	}
	group, err := cgroup.Find(root)
	if err != nil && !errors.Is(err, cgroup.ErrNone) {
		p.problem = err.Error()
	}
	p.group = group
	return p
}

func (p *probe) close() {
	p.group.Close()
	p.resident.close()
}

// observe fills in what the runtime and the system say. The runtime is asked before the system and after it, for
// memory that the program gets or releases in between must not look as if it were outside: the goroutine may wait
// long for a thread there, and the margin remembers for minutes.
func (p *probe) observe(o *observation) {
	o.now = time.Since(p.begun)
	looked := o.now-p.looked >= lookAgain
	before := int64(0)
	if looked {
		p.looked = o.now
		metrics.Read(p.samples[mTotal : mReleased+1])
		before = p.mapped()
		p.look()
		if p.asked != nil {
			p.asked()
		}
	}
	metrics.Read(p.samples[:])
	o.hard = p.hard
	o.live, o.goal = p.bytes(mLive), p.bytes(mGoal)
	o.scan = p.bytes(mStacks) + p.bytes(mGlobals)
	o.mapped = p.mapped()
	o.nonHeap = max(0, o.mapped-p.bytes(mFree)-p.bytes(mObjects))
	o.cycles, o.forced = uint64(p.bytes(mCycles)), uint64(p.bytes(mForced))
	o.allocated = uint64(p.bytes(mAllocated))
	o.gogc, o.limit = int64(int32(p.bytes(mGOGC))), p.bytes(mLimit)
	o.gcCPU = p.seconds(mAssist) + p.seconds(mDedicated) + p.seconds(mPause)
	o.busyCPU = p.seconds(mCPU) - p.seconds(mIdle) - p.seconds(mMarkIdle)
	if looked {
		o.outside = max(0, max(p.memory, p.usage)-max(before, o.mapped))
	}
}

// mapped returns what the memory limit counts, by the samples.
func (p *probe) mapped() int64 { return p.bytes(mTotal) - p.bytes(mReleased) }

// look asks the system.
func (p *probe) look() {
	p.memory = p.resident.bytes()
	if p.group == nil {
		p.hard = p.fixed
		return
	}
	limit, ok, err := p.group.Limit()
	if err != nil {
		p.problem = err.Error() // and the limit is what it was
		return
	}
	p.hard, p.source, p.usage, p.problem = 0, "", 0, ""
	if !ok {
		return
	}
	p.hard, p.source = limit, versions[p.group.Version()]
	if usage, ok, err := p.group.Usage(); ok && err == nil {
		p.usage = usage
	}
}

var versions = [...]string{1: "cgroup v1", 2: "cgroup v2"}

// bytes is 0 if the runtime does not have the metric.
func (p *probe) bytes(i int) int64 {
	if v := p.samples[i].Value; v.Kind() == metrics.KindUint64 {
		return int64(v.Uint64())
	}
	return 0
}

func (p *probe) seconds(i int) float64 {
	if v := p.samples[i].Value; v.Kind() == metrics.KindFloat64 {
		return v.Float64()
	}
	return 0
}
