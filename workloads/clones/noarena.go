//go:build !goexperiment.arenas

package clones

var arenas []Strategy

// built is the strategy that the build selects.
var built = Strategy{Name: "heap", join: heap}
