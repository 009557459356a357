// Package pipelines measures the stages of package seq against the same work as a
// loop by hand, the standard library, and github.com/samber/lo with its package
// it, for elements of 8 to 120 bytes. All of it is tests and benchmarks:
//
//	go run ./cmd/lessgc compare -col /impl -bench 'Pipelines/.*/size=56' ./bench/pipelines
//
// An element is a struct of words. The file loops_56_test.go has the loops for
// seven of them; the files for the other sizes are made from it:
//
//	go test ./bench/pipelines -run TestGenerated -update
//
// One op goes over 1,000 elements and returns a sum, which all implementations of
// a shape share (TestLoopsAgree). They are:
//
//   - hand: a loop over the indexes, with pointers to the elements. The reference.
//   - range: for _, v := range, which copies elements.
//   - before: package seq as it was, over slices.Values.
//   - values: package seq over slices.Values.
//   - pointers: package seq over seq.Pointers.
//   - std: what package slices has for the shape.
//   - tried, triedvalues: a stage that was left out, over pointers and values; of
//     shape filter, Filter as a loop over its source.
//   - repeated, twopointers: a chain in which a stage or source occurs again.
//   - break, counter, slices, filter: a loop over a chain that does the rest itself.
//   - stdpointers: package slices over seq.Pointers.
//   - lo, loit: github.com/samber/lo, eager, and its package it, lazy.
package pipelines
