//go:build !cgo && !unix

package main

const outsideBy = "nothing"

func outside(int64) { panic("spiral: the case outside needs cgo or mmap") }
