//go:build never

package sorts

var _ = ofOtherBuild(nil)

type pids []uint32

type mark float64
