module cases

go 1.26.0

require (
	github.com/ortuman/nuke v1.3.0
	github.com/valyala/fastjson v1.6.4
	github.com/wundergraph/go-arena v1.3.0
	lessgc v0.0.0
)

replace (
	github.com/ortuman/nuke => ../../internal/ruletest/testdata/stubs/nuke
	github.com/valyala/fastjson => ../../internal/ruletest/testdata/stubs/fastjson
	github.com/wundergraph/go-arena => ../../internal/ruletest/testdata/stubs/go-arena
	lessgc => ../../..
)
