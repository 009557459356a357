//go:build !linux

package vetrun

// hasAttributes reports no extended attributes where it cannot know.
func hasAttributes(string) bool { return false }
