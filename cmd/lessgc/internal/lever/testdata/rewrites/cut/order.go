package cut

import "strings"

func captured() string {
	h := struct{ text string }{"a;b"}
	read := func() string { h.text = "c;d"; return "" }
	return read() + strings.Split(h.text, ";")[0] // refused: the call sets the field
}

func ofBytes(fill func([]byte) string, buf []byte) string {
	return fill(buf) + strings.Split(string(buf), ";")[0] // refused: the call sets the bytes
}

func jumped(s string, skip bool) (first string) {
	if skip {
		goto done
	}
	print(strings.Split(s, ";")[0]) // refused: goto would jump over the variable
done:
	return first
}
