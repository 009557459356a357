// Package testpb has the messages that the tests and benchmarks of module rpc
// decode: those of services as they are, and one of each kind of field there is.
package testpb

//go:generate go run lessgc/bench/protogen messages.proto proto3.proto proto2.proto editions.proto wide.proto
