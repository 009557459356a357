package stacktree

import (
	"errors"
	"fmt"
)

// A SyntaxError describes where an input does not follow its format, and why.
type SyntaxError struct {
	Format Format
	Line   int // of collapsed stacks, from 1; 0 for pprof
	Offset int // in bytes, from 0; for pprof in the decompressed profile
	Err    error
}

func (e *SyntaxError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%v: line %d (offset %d): %v", e.Format, e.Line, e.Offset, e.Err)
	}
	return fmt.Sprintf("%v: offset %d: %v", e.Format, e.Offset, e.Err)
}

func (e *SyntaxError) Unwrap() error { return e.Err }

// ErrTooLarge is wrapped by the errors for inputs that would need too much
// memory or time, however few bytes they are.
var ErrTooLarge = errors.New("input too large")

var errOverflow = errors.New("the sum of all counts exceeds 63 bits")

func tooLarge(f Format, what string, limit int) error {
	return fmt.Errorf("%v: %w: more than %d %s", f, ErrTooLarge, limit, what)
}

// limits bound what an input may cost. Compression, and pprof's tables, let a
// few bytes stand for many.
type limits struct {
	bytes    int // of the input, and of the decompressed profile
	depth    int // frames of one stack
	frames   int // of all stacks
	entries  int // of one table of a pprof file
	nodes    int
	children int // of one node: a new one moves half of them on average
}

// defaults admit any profile of one process. The worst input that they admit
// needs a few hundred MiB and seconds, not hours.
var defaults = limits{
	bytes:    64 << 20,
	depth:    4 << 10,
	frames:   64 << 20,
	entries:  1 << 20,
	nodes:    1 << 20,
	children: 8 << 10,
}
