// Package vet finds misuse of arenas and pools: use after put or free, double put or
// free, a missing put or free, and memory that outlives its owner.
//
// The rules are analyzers of golang.org/x/tools/go/analysis, one in each folder. They see
// package arena and package pool of lessgc, sync.Pool, the standard library's experimental
// arena, and pools of well-known libraries. Functions that get from a pool, or put
// back, are followed into their callers, also in other packages.
//
// Anything that cannot be proved is not reported: a value that came through an interface,
// reflection or an unknown function variable is followed no further. What is found is wrong on at least one
// path through a function, and the message describes the consequence at run time.
//
//	go vet -vettool=$(which lessgc-vet) ./...     by the command in cmd/lessgc-vet
//	lessgc vet ./...                              with fixes, explanations, JSON and SARIF
//	golangci-lint run                             by the plug-in in package golangci
//
// The findings are errors (memory of one owner gets to another, or is lost), warnings (a
// pool or an arena does not do its work) and notes. A comment silences a rule on its own
// line and the next:
//
//	//lessgc:ignore poolalias the caller copies it before the next request
package vet
