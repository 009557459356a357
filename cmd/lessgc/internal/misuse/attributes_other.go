//go:build !linux

package misuse

// hasAttributes reports no extended attributes where it cannot know.
func hasAttributes(string) bool { return false }
