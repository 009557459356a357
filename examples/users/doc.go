// Package users is a gRPC service with an arena for each RPC, and a client that
// puts load on it.
//
//	go run ./examples/users/server -arena strings
//	go run ./examples/users/client -method Put -n 20000
//
// The same server runs with its messages on the heap, and in each lifetime that
// arenagrpc has: -arena heap, safe, strings, recycle. Handlers are the same in all of
// them. There is health checking and reflection, /debug/pprof, /debug/vars,
// /debug/lessgc and a clean end on SIGTERM and SIGINT.
package users
