// Package ssautil answers questions about functions, values and types in SSA form that several
// analyses of the suite ask, and iterates over instructions and uses. It knows nothing of pools and
// arenas.
package ssautil
