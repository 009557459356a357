// Package events finds what cannot be right in the life of an origin, whatever the rest of the
// program does: a use after the release, a second release, memory that outlives it, a release that
// is missing. The analysis flow says in which states an origin can be and what each instruction does
// to it; an event is a question about these.
//
// # Proof
//
// An event needs a value that surely derives from the origin, and one of two proofs: the release has
// happened on all paths to the bad use, or all paths from the release lead to the bad use. Anything
// that happens on some paths only is not reported: two conditions that belong together would make a
// wrong report.
//
// A value that a variable has in one branch only derives surely for what all paths from that branch lead
// to: whenever the branch is taken, that happens to it (edges.go).
//
// # Adding an event
//
// An event is a file with a value of type event in the list in analyzer.go: its hooks are called for
// each effect that an instruction has on the origin, where deferred calls run, at each return, and
// once for the origin. A rule picks events by their kind. CONTRIBUTING.md has the steps.
package events
