//go:build !lessgc_checked

package arena

// strict reports whether the program was built with -tags lessgc_checked. The
// part of the checks that costs little is also on with -race, see package
// checked.
const strict = false
