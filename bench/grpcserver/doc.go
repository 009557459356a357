// Package grpcserver measures what a request costs a gRPC server: the server of
// examples/users in each lifetime, as a process of its own, over loopback, with four
// requests at a time from a client that sends encoded messages.
//
//	go test -bench . -benchtime 2000x -count 5 ./bench/grpcserver
//
// The metrics are per request: server-cpu-ns/op is the CPU time of all threads of the
// server, collector included, server-allocs/op and server-B/op what its runtime
// counts. Linux only. In each round of -count the modes run one after the other.
package grpcserver
