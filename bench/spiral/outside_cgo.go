//go:build cgo

package main

/*
#include <stdlib.h>
#include <string.h>

// touched returns memory that the system has really given.
static void *touched(size_t n) {
	void *p = malloc(n);
	if (p != NULL)
		memset(p, 1, n);
	return p;
}
*/
import "C"

const outsideBy = "C malloc"

// outside takes memory that the runtime does not see, for good.
func outside(bytes int64) {
	if C.touched(C.size_t(bytes)) == nil {
		panic("spiral: malloc failed")
	}
}
