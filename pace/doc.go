// Package pace configures the garbage collector of a service: it derives the memory limit from the
// container's limit, and GOGC from the memory that is free below it. It keeps the collector from taking
// over the CPU when memory runs short. One line in main is enough:
//
//	defer pace.Start(pace.Options{}).Stop()
//
// # What it does
//
// The runtime does not know the container's limit. With GOGC=100 the heap grows to twice its live size,
// whether that is a tenth of the available memory or more than all of it. A memory limit prevents the
// latter, but a limit close to the live heap makes the collector run continuously and take half of the
// CPU or more, and nothing reports it: see [golang.org/issue/58106].
//
//   - The memory limit is the container's limit (the hard limit), less the memory of the process that the
//     runtime does not see (C libraries, anonymous mappings, kernel memory), less a reserve of 1/16. The
//     container's limit is read again at least every four seconds, because it can change.
//   - GOGC is set for a heap goal: 0.8 of the memory limit, or less if the collector's share of the CPU
//     time is below 1 % with less. It rises by at most a quarter per collection and falls at once.
//   - A small heap may always grow to 16 MiB, where the runtime's minimum is 4 MiB.
//   - When the collector takes more than a quarter of the CPU time because of the memory limit, the guard
//     acts, in this order: it calls the hooks of [Options]; it raises the memory limit as far as needed,
//     but keeps it just below the hard limit; then, if that has not helped for five seconds, it raises it
//     further, or crashes with an error that has the figures, as configured.
//
// The control law is documented with its equations at the functions step (law.go) and guard.step
// (guard.go). It is tested on random programs and loads, simulated by the equations of the runtime's pacer.
//
// # The collector's share
//
// The share is the CPU time of marking (dedicated, fractional and assists) and of pauses, divided by all
// CPU time that was not idle, from the /cpu/classes of [runtime/metrics]. Marking on otherwise idle
// processors counts as idle: it takes nothing from the program. The runtime's own limiter divides by the
// time of all processors, idle or not. Pace does not, because a service that is busy a tenth of the time
// pays for its collector with every request too, and must also work at full load. The runtime updates
// these metrics when a collection ends; pace reads them then.
//
// # Ownership of the settings
//
// The operator comes first. If GOMEMLIMIT is in the environment, or the program has set a memory limit
// before Start, pace never sets the memory limit; the same holds for GOGC. If another party changes
// either of them later, pace leaves it alone from then on. Hooks are called in any case, and [Stats] reports
// who owns what. Stop restores the values from before Start of the settings that pace still owns.
//
// # What it does not do
//
//   - It cannot hold a limit below the live heap, and it cannot prevent an excess by memory outside the
//     runtime that grows by more than the reserve within a second or so while the heap is at its goal.
//     Such memory is remembered for minutes once it has been seen.
//   - Pages of files, mapped or cached, do not count as memory outside the runtime, because the kernel
//     can reclaim them. All memory of other processes in the same container counts.
//   - It does nothing about collector work with other causes: a low GOGC set by the operator, collections
//     forced by the program, a high allocation rate without any limit.
//   - It does not log. [Pacer.Stats] has all figures, [Pacer.String] makes a Pacer an expvar.Var, and
//     package live serves the same figures.
//   - Outside Linux it knows neither the container's limit nor the memory outside the runtime: the hard limit
//     is [Options].Limit or none, and the margin is the reserve only.
//
// # Cost
//
// One goroutine wakes after each collection, and at least every four seconds. It reads 19 runtime metrics
// (2 µs), and at most four times a second up to four files of the kernel (33 µs in all). It does not allocate;
// BenchmarkLook and TestAllocations measure both. A finalizer that re-arms itself signals the end of a
// collection; if the program's own finalizers delay it, the timer takes over. Setting GOGC or the memory limit
// does not stop the world: the runtime locks the heap and recomputes the goal (setGCPercent and setMemoryLimit
// in runtime/mgcpacer.go, Go 1.25 to 1.27). Both are set only when they change. Pace forces a collection,
// at most every ten seconds, only when the process is about to exceed the hard limit with memory that
// is free, as after the limit has been lowered.
//
// [golang.org/issue/58106]: https://go.dev/issue/58106
package pace
