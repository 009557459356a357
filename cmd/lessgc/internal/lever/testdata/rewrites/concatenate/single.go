package concatenate

import "bytes"

func single(name string) string {
	b := bytes.NewBuffer(nil)
	if name != "" {
		// rewritten
		b.WriteString("<")
		b.WriteString(name)
	}
	return b.String()
}
