module lessgc/rpc

go 1.26.0

require lessgc v0.0.0
