// Package flow follows pooled values, arenas and the memory of arenas through functions.
//
// It answers one question for all rules of the suite: where does a value that has to be
// released come from, which values share its memory, and in which states can it be at each
// instruction? What it finds are events, such as "this use can only happen after that
// release"; each rule picks the events that are its mistake.
//
// # How
//
// For each origin (the result of an acquiring call, a parameter, a captured variable, a
// value that is released) the values that derive from it are collected, over SSA and the
// local variables that SSA leaves in memory. A value derives surely or perhaps: of a phi
// only surely if all its edges do. Then the states of the origin are computed forward
// over the control flow: not there, live, handed over, released, dropped on purpose;
// each with or without a deferred release to come. An event needs a sure value, and either
// a state that holds on all paths to it, or a bad use that all paths from the release
// lead to.
//
// What a function does with its parameters is a Summary, which callers use: in the
// package by order of calls, across packages as a fact. Functions whose code says too
// little, or too much, are in the table of presets; users may add to it.
//
// What cannot be known (interface calls, function values) takes part in no event.
package flow
