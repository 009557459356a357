// Package live serves the runtime metrics of a service as JSON, for lessgc watch
// and other readers. It goes next to net/http/pprof:
//
//	mux.Handle("/debug/lessgc", live.Handler())
//
// Importing the package notes the time and does no more: no handler is registered, no
// goroutine runs, and nothing is measured before a request. An answer takes some
// tens of microseconds and does not stop the world, which /debug/vars and
// /debug/pprof/heap?debug=1 do for each answer. It reveals how busy a service is and
// its environment, so serve it where pprof is served: not to the public.
//
// # The format lessgc-live/1
//
// An answer is a [Snapshot] as one JSON object. Counters only ever grow while the
// process lives, so that a reader takes the difference of two answers, at an
// interval of its own. A later version of Go may add fields; a field that is missing
// is not known there. A change of meaning is a new version of the format.
//
// The CPU times are the runtime's estimates, and change only when a collection ends:
// differences are meaningful only if one ended in between, and cover the time between
// those ends. Compare them with each other, and not with the operating system's
// counts.
package live
