// Package pacing holds the state of package pace in this process: pace sets it, package live serves it. Neither
// imports the other.
package pacing

import "sync/atomic"

// Figures has the fields of pace.Stats.
type Figures struct {
	State string

	Limit  int64
	Source string
	Error  string

	MemoryLimit   int64
	MemoryLimitBy string
	GOGC          int64
	GOGCBy        string

	Target  int64
	Margin  int64
	Outside int64
	Memory  int64
	NonHeap int64
	Live    int64
	Goal    int64

	Share   float64
	Bound   float64
	Limited bool
	Needed  int64

	Cycles       uint64
	Looks        uint64
	GOGCChanges  uint64
	LimitChanges uint64
	Episodes     uint64
	Calls        uint64
	Releases     uint64
}

var source atomic.Pointer[func() Figures]

// Set makes tell the source of the figures; nil is for none.
func Set(tell func() Figures) {
	if tell == nil {
		source.Store(nil)
		return
	}
	source.Store(&tell)
}

// Get returns the figures; ok is false without a source.
func Get() (Figures, bool) {
	tell := source.Load()
	if tell == nil {
		return Figures{}, false
	}
	return (*tell)(), true
}
