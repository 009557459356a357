module cases

go 1.26.0

require (
	github.com/dgraph-io/ristretto/v2 v2.4.2
	github.com/ortuman/nuke v1.3.0
	github.com/wundergraph/go-arena v1.3.0
	lessgc v0.0.0
)

replace (
	github.com/dgraph-io/ristretto/v2 => ../../internal/ruletest/testdata/stubs/ristretto
	github.com/ortuman/nuke => ../../internal/ruletest/testdata/stubs/nuke
	github.com/wundergraph/go-arena => ../../internal/ruletest/testdata/stubs/go-arena
	lessgc => ../../..
)
