// Package ceiling measures how much of a program's CPU time goes to allocation and
// garbage collection: no lever can save more.
//
// Each sample of a CPU profile belongs to one class, by its stack. Two sums are of
// interest. The throughput ceiling leaves out idle mark workers, which run on
// processors that nobody else wanted; the CPU bill has them.
package ceiling

import (
	"math"
	"strings"

	"lessgc/cmd/lessgc/internal/prof"
)

// A Class is the kind of work of a sample.
type Class int

// The classes. Other is the program's own work.
const (
	Other      Class = iota
	Alloc            // finding memory for an object, and zeroing it
	Assist           // a goroutine marks, because it allocates faster than the workers do
	Dedicated        // a mark worker on a processor of its own
	Fractional       // one for part of the time
	Idle             // one on a processor that had nothing to do
	Mark             // one of which the profile does not tell more
	Sweep            // finding what was not marked
	Scavenge         // giving memory back to the system
	Stop             // starting and ending a collection, stopping the world
	Barrier          // telling the collector of pointers that are written while it marks
	Copy             // moving the elements of a slice or map that has grown
	numClasses
)

var names = [numClasses]string{
	Other: "the program itself", Alloc: "allocation", Assist: "mark assists", Dedicated: "mark, dedicated workers",
	Fractional: "mark, fractional workers", Idle: "mark, idle workers", Mark: "mark, other workers", Sweep: "sweep",
	Scavenge: "scavenge", Stop: "start and end of collections", Barrier: "write barriers", Copy: "copying what grows",
}

func (c Class) String() string { return names[c] }

// Costs are all classes but Other, in the order in which to show them.
func Costs() []Class {
	var all []Class
	for c := Alloc; c < numClasses; c++ {
		all = append(all, c)
	}
	return all
}

// marks lists prefixes of names of the runtime's functions, with the class of a
// stack that has one, unless one nearer to its leaf says otherwise. Allocation has
// a function for each size since Go 1.27.
var marks = []struct {
	prefix string
	class  Class
}{
	{"runtime.mallocgc", Alloc},
	{"runtime.gcAssistAlloc", Assist},
	{"runtime.deductAssistCredit", Assist},
	{"runtime.gcDrainMarkWorkerDedicated", Dedicated},
	{"runtime.gcDrainMarkWorkerFractional", Fractional},
	{"runtime.gcDrainMarkWorkerIdle", Idle},
	{"runtime.gcBgMarkWorker", Mark},
	{"runtime.bgsweep", Sweep},
	{"runtime.sweepone", Sweep},
	{"runtime.(*sweepLocked).", Sweep},
	{"runtime.bgscavenge", Scavenge},
	{"runtime.(*scavengerState).", Scavenge},
	{"runtime.(*pageAlloc).scavenge", Scavenge},
	{"runtime.gcStart", Stop},
	{"runtime.gcMarkDone", Stop},
	{"runtime.gcMarkTermination", Stop},
	{"runtime.stopTheWorld", Stop},
	{"runtime.startTheWorld", Stop},
	{"runtime.gcWriteBarrier", Barrier},
	{"gcWriteBarrier", Barrier},
	{"runtime.wbBufFlush", Barrier},
	{"runtime.bulkBarrierPreWrite", Barrier},
	{"runtime.growslice", Copy},
	{"internal/runtime/maps.(*table).rehash", Copy},
	{"internal/runtime/maps.(*Map).growTo", Copy}, // growToSmall and growToTable
	{"runtime.hashGrow", Copy},                    // before Go 1.24
	{"runtime.growWork", Copy},
}

// Classify returns the class of a stack, whose innermost call is the first.
func Classify(stack []prof.Frame) Class {
	for _, f := range stack {
		for _, m := range marks {
			if strings.HasPrefix(f.Func, m.prefix) {
				return m.class
			}
		}
	}
	return Other
}

// A Ceiling is a CPU profile by classes.
type Ceiling struct {
	Samples int64             // in all
	Nanos   int64             // CPU time of all
	ByClass [numClasses]int64 // samples
}

// Of classifies a CPU profile.
func Of(p *prof.Profile) Ceiling {
	var c Ceiling
	count, nanos := p.Value("samples"), p.Value("cpu")
	for _, s := range p.Sample {
		c.Samples += s.Value[count]
		c.Nanos += s.Value[nanos]
		c.ByClass[Classify(prof.Stack(s))] += s.Value[count]
	}
	return c
}

// A Share is a fraction of all samples, with its error.
type Share struct {
	Share float64 `json:"share"` // 0 to 1
	Error float64 `json:"error"` // half of the 95 % interval, by Wilson's formula
}

// share returns the share of n samples.
func (c Ceiling) share(n int64) Share {
	const z = 1.96
	total := float64(c.Samples)
	if total == 0 {
		return Share{}
	}
	p := float64(n) / total
	half := z / (1 + z*z/total) * math.Sqrt(p*(1-p)/total+z*z/(4*total*total))
	return Share{p, half}
}

// Part returns the share of n samples.
func (c Ceiling) Part(n int64) Share { return c.share(n) }

// Class returns the share of one class.
func (c Ceiling) Class(class Class) Share { return c.share(c.ByClass[class]) }

// Throughput is the ceiling without idle workers, Bill the one with them.
func (c Ceiling) Throughput() Share { return c.share(c.cost() - c.ByClass[Idle]) }

// Bill is the share of all classes but Other.
func (c Ceiling) Bill() Share { return c.share(c.cost()) }

func (c Ceiling) cost() int64 { return c.Samples - c.ByClass[Other] }

// Few is the smallest number of samples of the cost that is enough to say anything: with
// fewer, the relative error is a third or more.
const Few = 10

// Enough reports whether there are enough samples, and about how many times more would be
// needed if not.
func (c Ceiling) Enough() (ok bool, times float64) {
	n := c.cost()
	if n >= Few {
		return true, 1
	}
	return false, Few / math.Max(float64(n), 1)
}
