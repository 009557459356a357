package stacktree

import (
	"slices"
	"strconv"
)

// A Format is a notation for stacks.
type Format int

const (
	// Collapsed is text, one stack per line, root first: "main;run;read 42".
	Collapsed Format = iota

	// Pprof is the protocol buffer profile.proto, compressed with gzip or not.
	Pprof
)

// String returns the format as it appears in benchmark names and errors.
func (f Format) String() string {
	switch f {
	case Collapsed:
		return "collapsed"
	case Pprof:
		return "pprof"
	}
	return "Format(" + strconv.Itoa(int(f)) + ")"
}

// An Input is a profile to parse.
type Input struct {
	Format Format
	Data   []byte // only read; no tree points into it

	// SampleType is the index of the value that counts, for Pprof: a sample
	// has one per sample type. Collapsed stacks have one count and ignore it.
	SampleType int
}

// A Strategy decides where the nodes, children and names of a tree live.
type Strategy struct {
	Name string
	kind kind
}

// Strategies are all strategies of this build. The first is the reference.
var Strategies = slices.Concat([]Strategy{
	{"heap", onHeap},
	{"pool", inPool},
	{"arena-safe", inSafeArena},
	{"arena-typed", inTypedArena},
	{"arena-recycle", inArena},
	{"handle", inHandle},
}, stdArenas)

// Do is one op: it parses in, hands the tree to use and drops it when use
// returns. Neither the tree nor a name in it may be used after that.
//
// If in is not what its format says, use is not called and the error is a
// [*SyntaxError]; if it is too large, the error wraps [ErrTooLarge]. Do panics
// if the format is neither of the two. It may be called by many goroutines at
// once.
func (s Strategy) Do(in Input, use func(*Tree)) error {
	return s.do(in, defaults, use)
}

// do leaves the memory to the collector if use panics: someone may still hold
// the tree.
func (s Strategy) do(in Input, l limits, use func(*Tree)) error {
	if len(in.Data) > l.bytes {
		return tooLarge(in.Format, "bytes", l.bytes)
	}
	t := &Tree{limits: l, mem: newMemory(s.kind)}
	t.root = t.mem.node()
	err := t.parse(in)
	if err == nil {
		use(t)
	}
	t.mem.free()
	return err
}

// parse adds the stacks of in to t.
func (t *Tree) parse(in Input) error {
	switch in.Format {
	case Collapsed:
		return t.parseCollapsed(in.Data)
	case Pprof:
		return t.parsePprof(in.Data, in.SampleType)
	}
	panic("stacktree: input of an unknown format, " + in.Format.String())
}
