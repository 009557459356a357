// Package outline lets a function that is to be inlined call another one that is not.
//
// Such a call costs 57 and more of the 80 that the inliner's budget allows (Go 1.26 and 1.27,
// inlineExtraCallCost in cmd/compile/internal/inline). One of a parameter costs 17
// (inlineParamCallCost), because where the parameter is known it may be a small function; it
// is known wherever the functions below are inlined, which makes a call by them cost 20 to 24.
// What comes out is a call of f, whose arguments escape as they do in f.
//
// f has to be a function or a method expression of no type parameter: others are closures.
package outline

// Do calls f(a).
func Do[A any](f func(A), a A) { f(a) }

// Do2 calls f(a, b).
func Do2[A, B any](f func(A, B), a A, b B) { f(a, b) }

// Call returns f(a).
func Call[A, R any](f func(A) R, a A) R { return f(a) }

// Call2 returns f(a, b).
func Call2[A, B, R any](f func(A, B) R, a A, b B) R { return f(a, b) }

// Call4 returns f(a, b, c, d).
func Call4[A, B, C, D, R any](f func(A, B, C, D) R, a A, b B, c C, d D) R { return f(a, b, c, d) }
