//go:build !goexperiment.arenas

package arenas

var experimental []allocator

var experimentalSubjects []subject
