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
	github.com/colega/zeropool => ../../internal/ruletest/testdata/stubs/zeropool
	github.com/valyala/bytebufferpool => ../../internal/ruletest/testdata/stubs/bytebufferpool
	github.com/valyala/fasthttp => ../../internal/ruletest/testdata/stubs/fasthttp
	github.com/valyala/fastjson => ../../internal/ruletest/testdata/stubs/fastjson
	lessgc => ../../..
)
