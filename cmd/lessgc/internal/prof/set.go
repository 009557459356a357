package prof

import "lessgc/cmd/lessgc/internal/coverage"

// A Set holds the profiles of one program and one time. Any may be nil, but not all.
type Set struct {
	CPU    *Profile
	Allocs *Profile
	Live   *Profile // the live heap, if Allocs is the difference of two profiles and does not say
	Whole  bool     // they cover whole processes that did nothing else, such as tests
	Notes  []string // what a reader of them should know

	Coverage *coverage.Profile // how often statements were executed; nil if they were not counted
}
