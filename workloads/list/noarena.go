//go:build !goexperiment.arenas

package list

var arenas []Strategy
