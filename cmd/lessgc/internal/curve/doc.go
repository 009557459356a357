// Package curve predicts the cost of a Go program at other settings of the garbage collector, from one run: CPU time, peak
// memory, collections, and the memory limit below which collecting has no end.
//
// # The model
//
// What a program allocates, keeps and scans is taken to depend on how many bytes it has allocated, not on the setting: a run gives
// live heap and roots as a function of the bytes allocated so far. The pacer of package runtime is deterministic given
// these, so it is run again along that function with another GOGC or limit (replay.go, with the equations and constants of
// runtime/mgcpacer.go):
//
//	goal     = live + (live + roots) x GOGC/100, at least 4 MiB x GOGC/100 and live + 1 MiB
//	goal     ≤ (limit - nonHeap) x 0.97, and at least live
//	trigger  = goal - runway, from 0.70 to 0.95 of the way from live to goal, or up to 4 MiB before it
//	cycles   = bytes allocated / (trigger + bytes allocated while marking - live)
//	GC CPU   = cycles x (fixed + perByte x (live + roots))
//
// Cost, marking time and memory are those of the run; the number of cycles and the peak come from the replay, scaled by what the
// run had for each that the replay has at the run's own setting, so that what both get wrong cancels out.
//
// An interval is to hold 90 of 100 measurements. It has the standard error of the cost of a cycle in the run, by batch means,
// and the error of the model, which bench/results/tune.md measures on programs that the model was not made with.
//
// docs/tuning.md says where the model fails.
package curve
