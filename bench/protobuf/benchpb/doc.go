// Package benchpb has the messages that are decoded for comparison, with the code
// that vtprotobuf needs.
package benchpb

//go:generate go run lessgc/bench/protogen -vt -prefix bench/ -I ../../../rpc/internal/testpb -replace lessgc.test=lessgc.bench -replace lessgc/rpc/internal/testpb=lessgc/bench/protobuf/benchpb messages.proto
