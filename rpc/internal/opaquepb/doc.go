// Package opaquepb has the messages of package testpb, with the opaque API.
package opaquepb

//go:generate go run lessgc/bench/protogen -api opaque -prefix opaque/ -I ../testpb -replace lessgc.test=lessgc.opaque -replace internal/testpb=internal/opaquepb messages.proto proto3.proto proto2.proto editions.proto
