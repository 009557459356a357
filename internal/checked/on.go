//go:build lessgc_checked || race

package checked

// Enabled reports whether this is a checked build.
const Enabled = true
