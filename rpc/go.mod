module lessgc/rpc

go 1.26.0

replace lessgc => ../

require (
	google.golang.org/protobuf v1.36.12
	lessgc v0.0.0
)
