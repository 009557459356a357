module cases

go 1.26.0

require (
	github.com/bytedance/gopkg v0.0.0
	github.com/colega/zeropool v0.0.0
	github.com/oxtoacart/bpool v0.0.0
	github.com/valyala/bytebufferpool v0.0.0
	github.com/valyala/fasthttp v0.0.0
	github.com/valyala/fastjson v0.0.0
	lessgc v0.0.0
)

replace (
	github.com/bytedance/gopkg => ../../internal/ruletest/testdata/stubs/gopkg
	github.com/colega/zeropool => ../../internal/ruletest/testdata/stubs/zeropool
	github.com/oxtoacart/bpool => ../../internal/ruletest/testdata/stubs/bpool
	github.com/valyala/bytebufferpool => ../../internal/ruletest/testdata/stubs/bytebufferpool
	github.com/valyala/fasthttp => ../../internal/ruletest/testdata/stubs/fasthttp
	github.com/valyala/fastjson => ../../internal/ruletest/testdata/stubs/fastjson
	lessgc => ../../..
)
