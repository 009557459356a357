package html

// Kinds of bytes, flags of the table kinds.
const (
	isBlank   = 1 << iota // white space
	isEnd                 // / and >
	isChanged             // upper case and NUL, which names are not kept with
	isAlpha
	isDigit
)

var kinds = func() (k [256]uint8) {
	for _, c := range []byte(whitespace) {
		k[c] |= isBlank
	}
	for c := 'A'; c <= 'Z'; c++ {
		k[c] |= isAlpha | isChanged
		k[c|0x20] |= isAlpha
	}
	for c := '0'; c <= '9'; c++ {
		k[c] |= isDigit
	}
	k['/'] |= isEnd
	k['>'] |= isEnd
	k[0] |= isChanged
	return k
}()

const whitespace = " \t\r\n\f"

func isSpace(c byte) bool  { return kinds[c]&isBlank != 0 }
func isLetter(c byte) bool { return kinds[c]&isAlpha != 0 }
func isAlnum(c byte) bool  { return kinds[c]&(isAlpha|isDigit) != 0 }
func endsName(c byte) bool { return kinds[c]&(isBlank|isEnd) != 0 }

// trimSpace returns s without the white space at its beginning.
func trimSpace(s string) string {
	for i := range len(s) {
		if !isSpace(s[i]) {
			return s[i:]
		}
	}
	return ""
}
