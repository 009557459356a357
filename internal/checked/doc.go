// Package checked reports whether the program was built to look for misuse of
// recycled memory: with -tags lessgc_checked, or with -race, which has the checks
// that cost little.
//
// All are constants, so that code behind a false one costs neither time nor
// part of what the compiler is willing to inline.
package checked

// Enabled reports whether this is a checked build.
const Enabled = Strict || Race
