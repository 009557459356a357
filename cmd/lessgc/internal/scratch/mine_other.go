//go:build !unix

package scratch

import "io/fs"

// mine is true: the folder for temporary files is the user's own.
func mine(fs.FileInfo) bool { return true }
