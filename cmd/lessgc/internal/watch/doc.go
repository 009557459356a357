// Package watch reads the runtime metrics of a running service, again and again, and
// says what they were per second.
//
// There are three sources: the handler of lessgc/live, the memstats of expvar, and the
// heap profile of net/http/pprof, whose text ends with the same memstats. What a
// source cannot tell is nil here, and absent in JSON: no figure is made up for it.
//
// Answers are untrusted: of bounded size, and checked before they are used.
//
// # The format lessgc-watch/1
//
// A recording is lines of JSON: a [Header], then one [Snapshot] per line. Totals are
// what the service counted since its start, so that any two snapshots of one segment
// give the rates of the time between them. A segment ends where the service was
// started again. The last line may be cut off.
package watch
