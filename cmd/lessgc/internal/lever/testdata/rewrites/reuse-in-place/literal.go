package loop

import "bytes"

// literal is a function without a declaration around it.
var literal = func(names []string) (n int) {
	for _, name := range names {
		var buf bytes.Buffer
		buf.WriteString(name) // refused: the lever looks at declared functions only
		n += buf.Len()
	}
	return n
}
