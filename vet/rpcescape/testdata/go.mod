module cases

go 1.26.0

require (
	golang.org/x/sync v0.24.0
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
	lessgc v0.0.0
	lessgc/rpc v0.0.0
)

replace (
	golang.org/x/sync => ../../internal/ruletest/testdata/stubs/sync
	google.golang.org/grpc => ./stubs/grpc
	google.golang.org/protobuf => ./stubs/protobuf
	lessgc => ../../..
	lessgc/rpc => ./stubs/rpc
)
