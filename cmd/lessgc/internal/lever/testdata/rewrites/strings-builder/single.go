package stringsbuilder

import "bytes"

func single(name string) string {
	var b bytes.Buffer // nothing else in the file needs package bytes
	b.WriteString(name)
	b.WriteByte('.')
	return b.String() // rewritten
}
