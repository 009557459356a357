// Package userspb is the service of the example.
package userspb

//go:generate go run lessgc/bench/protogen -grpc users.proto
