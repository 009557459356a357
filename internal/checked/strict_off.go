//go:build !lessgc_checked

package checked

// Strict reports whether the program was built with -tags lessgc_checked.
const Strict = false
