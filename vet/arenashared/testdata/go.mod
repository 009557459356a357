module cases

go 1.26.0

require (
	github.com/ortuman/nuke v1.3.0
	github.com/wundergraph/go-arena v1.3.0
	golang.org/x/sync v0.24.0
	lessgc v0.0.0
)

replace (
	github.com/ortuman/nuke => ../../internal/ruletest/testdata/stubs/nuke
	github.com/wundergraph/go-arena => ../../internal/ruletest/testdata/stubs/go-arena
	golang.org/x/sync => ../../internal/ruletest/testdata/stubs/sync
	lessgc => ../../..
)
