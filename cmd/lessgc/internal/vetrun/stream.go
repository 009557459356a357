package vetrun

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// split takes apart what go vet -json prints: objects, whose braces stand on lines of
// their own, and lines of text in between. Newer go commands print the objects to standard
// output, older ones (Go 1.25) to standard error.
func split(r io.Reader, object func([]byte), text func(string)) error {
	in := bufio.NewReader(r)
	var json strings.Builder
	inside := false
	for {
		line, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		switch word := strings.TrimRight(line, "\r\n"); {
		case word == "{" && !inside:
			inside = true
			json.Reset()
			json.WriteString(line)
		case word == "{}" && !inside:
			object([]byte(word))
		case inside:
			json.WriteString(line)
			if word == "}" {
				inside = false
				object([]byte(json.String()))
			}
		case word != "":
			text(word)
		}
		if err != nil {
			return nil
		}
	}
}
