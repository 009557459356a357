//go:build never

package sorts

var _ = ofOtherBuild(nil)
