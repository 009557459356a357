package events

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/flow"
)

// A Kind says what is wrong.
type Kind uint8

// The kinds.
const (
	UseAfter Kind = iota // it is used after it was released
	Double               // it is released again
	Outlives             // its memory is kept beyond its release
	Missing              // it is released on no path, or not on all
	Stale                // it is used after the next one of a stream was received
)

// An Event is one that was found.
type Event struct {
	Kind       Kind
	Origin     *flow.Origin
	Pos        token.Pos   // the bad use; of Missing, where it is acquired
	Release    token.Pos   // of Missing: on another path, or NoPos
	Deferred   bool        // it is released when the function ends
	Perhaps    bool        // it is released on some of the paths to the bad use, or to the second release, only
	More       bool        // of Double: Release releases a struct too that holds it
	Stored     token.Pos   // of Outlives: where a callee stores it; may be NoPos
	What       string      // of Outlives: "returned", "stored in s.body"
	Exits      []token.Pos // of Missing: returns, and ends of iterations
	Iterations []token.Pos // of Missing: those of Exits that are ends of iterations
	Partly     bool        // of Missing: other paths hand it over
	Value      ssa.Value   // the bad value
}
