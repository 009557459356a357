// Package pooluse finds the uses of a package's pools: which calls get from them and
// put into them, directly or through functions of the package, what makes new values, and
// which variable the pool is. The rules about pools ask it; it reports nothing.
//
// What it cannot tell for sure it leaves out: pools behind interfaces and function values,
// pools that are chosen at run time by an index or a branch.
package pooluse
