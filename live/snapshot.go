package live

import "time"

// Format is the version of the JSON form of a [Snapshot].
const Format = "lessgc-live/1"

// A Snapshot holds the runtime's figures for this process at one moment. Sizes are
// in bytes.
type Snapshot struct {
	Format string    `json:"format"`
	Go     string    `json:"go"`    // the release that built the program
	Start  time.Time `json:"start"` // of the process; another one is another process
	Time   time.Time `json:"time"`  // Start and the time since: setting the clock does not move it

	// Counters, since the start.
	AllocBytes   uint64  `json:"allocBytes"`
	AllocObjects uint64  `json:"allocObjects"` // tiny ones that share a block are counted each
	GCAutomatic  uint64  `json:"gcAutomatic"`  // collections that the pacer started
	GCForced     uint64  `json:"gcForced"`     // collections by runtime.GC and the like
	PauseSeconds float64 `json:"pauseSeconds"` // the world was stopped for collections, in all
	CPUSeconds   float64 `json:"cpuSeconds,omitempty"`
	CPU          CPU     `json:"cpu"`

	// Pauses are the times that the world was stopped for the collector, two for each
	// collection, since the start. Buckets that are empty are left out.
	Pauses []Bucket `json:"pauses"`

	// Gauges, now.
	HeapLive    uint64 `json:"heapLive"` // live heap as the last collection found it
	HeapGoal    uint64 `json:"heapGoal"` // the size at which the next one is to end
	HeapBytes   uint64 `json:"heapBytes"`
	HeapObjects uint64 `json:"heapObjects"`        // both with garbage that was not swept yet
	HeapFree    uint64 `json:"heapFree,omitempty"` // memory of the heap that holds nothing and was not returned to the system
	Roots       uint64 `json:"roots,omitempty"`    // stacks and globals that the last collection scanned
	Memory      uint64 `json:"memory"`             // held by the runtime, as MemoryLimit counts it
	MemoryLimit int64  `json:"memoryLimit"`        // as [runtime/debug.SetMemoryLimit] has it: math.MaxInt64 is none
	GOGC        int64  `json:"gogc"`               // -1 is off
	RSS         uint64 `json:"rss,omitempty"`
	Goroutines  uint64 `json:"goroutines"`
	GOMAXPROCS  uint64 `json:"gomaxprocs"`

	// Methods are the RPC methods that have arenas by package arenagrpc.
	Methods []Method `json:"methods,omitempty"`

	// Pace holds the figures of package pace, nil if it is not started.
	Pace *Pace `json:"pace,omitempty"`
}

// A Pace holds the figures of package pace: see its Stats for the fields.
type Pace struct {
	State string `json:"state"`

	Limit  int64  `json:"limit"`
	Source string `json:"source,omitempty"`
	Error  string `json:"error,omitempty"`

	MemoryLimit   int64  `json:"memoryLimit"`
	MemoryLimitBy string `json:"memoryLimitBy,omitempty"`
	GOGC          int64  `json:"gogc"`
	GOGCBy        string `json:"gogcBy,omitempty"`

	Target  int64 `json:"target"`
	Margin  int64 `json:"margin"`
	Outside int64 `json:"outside"`
	Memory  int64 `json:"memory"`
	NonHeap int64 `json:"nonHeap"`
	Live    int64 `json:"live"`
	Goal    int64 `json:"goal"`

	Share   float64 `json:"share"`
	Bound   float64 `json:"bound"`
	Limited bool    `json:"limited"`
	Needed  int64   `json:"needed"`

	Cycles       uint64 `json:"cycles"`
	Looks        uint64 `json:"looks"`
	GOGCChanges  uint64 `json:"gogcChanges"`
	LimitChanges uint64 `json:"limitChanges"`
	Episodes     uint64 `json:"episodes"`
	Calls        uint64 `json:"calls"`
	Releases     uint64 `json:"releases"`
}

// A Method describes the arenas of an RPC method: counters since the start, but for Live.
type Method struct {
	Method   string `json:"method"`             // full name, such as "/users.Users/Get"
	Messages int64  `json:"messages"`           // decoded into arenas
	Bytes    int64  `json:"bytes"`              // of their encodings
	Memory   int64  `json:"memory"`             // bytes that arenas had in the end
	Objects  int64  `json:"objects"`            // in that memory
	Kept     int64  `json:"kept"`               // RPCs whose arena was kept
	Errors   int64  `json:"errors"`             // RPCs or messages that ended with an error
	Live     int64  `json:"live"`               // arenas that are open now
	Audited  int64  `json:"audited,omitempty"`  // arenas that were audited
	Escapes  int64  `json:"escapes,omitempty"`  // objects of these that were kept
	Fallback string `json:"fallback,omitempty"` // why package proto decodes; "" if it does not
}

// CPU holds the runtime's estimates of where its CPU time went, in seconds. Total is the
// time that GOMAXPROCS threads had, idle or not: the sum of User, Idle, the four fields
// of the collector and Scavenge.
type CPU struct {
	Total       float64 `json:"total"`
	User        float64 `json:"user"` // with sweeping
	Idle        float64 `json:"idle"`
	GCAssist    float64 `json:"gcAssist"`    // goroutines that had to mark before they might allocate
	GCDedicated float64 `json:"gcDedicated"` // workers on processors set aside for marking, wholly or in part
	GCIdle      float64 `json:"gcIdle"`      // workers on processors that had nothing else to do
	GCPause     float64 `json:"gcPause"`     // all processors while the world was stopped
	Scavenge    float64 `json:"scavenge"`    // returning memory to the operating system
}

// A Bucket is part of a histogram of times: Count of them lie from Lo to Hi
// seconds. Hi is Lo where there is no upper end.
type Bucket struct {
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	Count uint64  `json:"count"`
}
