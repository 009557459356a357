module lessgc/rpc

go 1.26.0

require (
	google.golang.org/grpc v1.85.0
	lessgc v0.0.0
)
