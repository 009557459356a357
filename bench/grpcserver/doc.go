// Package grpcserver measures what a request costs a gRPC server, with messages on the heap, and in
// arenas with each policy: in a process of its own, over loopback, with four requests or streams at a
// time from a client that sends encoded messages.
//
//	go run ./cmd/lessgc compare -col /arena -mode greentea -bench RPC ./bench/grpcserver
//	go test -bench Server -benchtime 2000x -count 5 ./bench/grpcserver
//
// RPC has unary calls and streams of small and large messages, Server the server of examples/users.
//
// The metrics are per request: server-cpu-ns/op is the CPU time of all threads of the
// server, collector included, server-allocs/op and server-B/op what its runtime
// counts. Linux only.
package grpcserver
