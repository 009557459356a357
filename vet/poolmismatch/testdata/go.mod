module cases

go 1.26.0

require (
	github.com/oxtoacart/bpool v0.0.0
	lessgc v0.0.0
)

replace (
	github.com/oxtoacart/bpool => ../../internal/ruletest/testdata/stubs/bpool
	lessgc => ../../..
)
