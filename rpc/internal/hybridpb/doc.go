// Package hybridpb has the messages of package testpb, with the hybrid API.
package hybridpb

//go:generate go run lessgc/bench/protogen -api hybrid -prefix hybrid/ -I ../testpb -replace lessgc.test=lessgc.hybrid -replace internal/testpb=internal/hybridpb proto3.proto proto2.proto editions.proto
