module cases

go 1.26.0

require (
	github.com/colega/zeropool v0.0.0
	github.com/valyala/bytebufferpool v0.0.0
	github.com/valyala/fasthttp v0.0.0
	github.com/valyala/fastjson v0.0.0
	lessgc v0.0.0
)

replace (
	github.com/colega/zeropool => ./stubs/zeropool
	github.com/valyala/bytebufferpool => ./stubs/bytebufferpool
	github.com/valyala/fasthttp => ./stubs/fasthttp
	github.com/valyala/fastjson => ./stubs/fastjson
	lessgc => ../../..
)
