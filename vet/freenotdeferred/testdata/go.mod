module cases

go 1.26.0

require (
	github.com/wundergraph/go-arena v1.3.0
	lessgc v0.0.0
)

replace (
	github.com/wundergraph/go-arena => ../../internal/ruletest/testdata/stubs/go-arena
	lessgc => ../../..
)
