// Package cut splits texts in two.
package cut

import "strings"

func pair(field string) (string, string) {
	kv := strings.SplitN(field, "=", 2) // rewritten
	if len(kv) == 2 {
		return kv[0], kv[1]
	}
	return kv[0], "none"
}

func checked(field string) string {
	parts := strings.SplitN(field, "=", 2) // rewritten
	if len(parts) < 2 {
		return ""
	}
	return strings.TrimSpace(parts[1])
}

func both(lines []string) (n int) {
	for _, line := range lines {
		kv := strings.SplitN(line, ":", 2) // rewritten
		if len(kv) != 2 || kv[1] == "" {
			continue
		}
		n += len(kv[1])
	}
	return n
}

func media(header string) string {
	kind := strings.Split(header, ";")[0] // rewritten
	return strings.ToLower(kind)
}

func kind(header string) string {
	return strings.ToLower(strings.Split(header, ";")[0]) // rewritten
}

func isText(header string) bool {
	if strings.Split(header, "/")[0] == "text" { // rewritten
		return true
	}
	return len(header) > 0 && strings.Split(header, "/")[0] == "*" // refused: it is not always evaluated
}

func shorter(path string) (n int) {
	for strings.Split(path, "/")[0] != "" { // refused: it is evaluated each time
		path = path[1:]
		n++
	}
	return n
}

type header struct{ text string }

func (h *header) read() string { h.text += ";"; return h.text }

func (h *header) kind() string {
	return h.read() + strings.Split(h.text, ";")[0] // refused: a call changes the text
}

func late(text string) func() string {
	of := func() string { return strings.Split(text, ";")[0] } // refused: the text is changed before
	text = "b;c"
	return of
}

func parts(path string) int {
	return len(strings.Split(path, "/")) // rewritten
}

func trusting(field string) (string, bool) {
	kv := strings.SplitN(field, "=", 2) // refused: where there is one part, the second panics
	return kv[1], len(kv) == 2
}

func swapped(field string) string {
	kv := strings.SplitN(field, "=", 2) // refused: the second is used where there is one
	if len(kv) == 1 {
		return kv[1]
	}
	return kv[0]
}

func passed(field string) string {
	kv := strings.SplitN(field, "=", 2) // refused: the check does not leave
	if len(kv) != 2 {
		field = ""
	}
	return field + kv[1]
}

func either(field string, sure bool) string {
	kv := strings.SplitN(field, "=", 2) // refused: the check may be left out
	if sure || len(kv) == 2 {
		return kv[1]
	}
	return ""
}

func third(field string) string {
	kv := strings.SplitN(field, "=", 3) // refused: there may be three parts
	if len(kv) == 2 {
		return kv[1]
	}
	return ""
}

func second(field string) string {
	kv := strings.Split(field, "=") // refused: the second part ends at the next separator
	if len(kv) == 2 {
		return kv[1]
	}
	return ""
}

func characters(text string) string {
	first := strings.Split(text, "")[0] // refused: without a separator each character is a part
	return first
}

func separated(text, by string) int {
	return len(strings.Split(text, by)) // refused: the separator may be empty
}

func kept(field string) []string {
	kv := strings.SplitN(field, "=", 2) // refused: the parts are returned
	if len(kv) == 2 {
		return kv
	}
	return nil
}

func last(field string) string {
	kv := strings.SplitN(field, "=", 2) // refused: the last part may be the first
	return kv[len(kv)-1]
}

func set(field string) int {
	kv := strings.SplitN(field, "=", 2) // refused: a variable that is only set does not compile
	kv[0] = "x"
	if len(kv) == 2 {
		return 1
	}
	return 0
}

type answer bool

func has(field string) answer {
	kv := strings.SplitN(field, "=", 2) // refused: a comparison may be of any type of bool, a variable is not
	return len(kv) == 2
}

func noted(header string) string {
	kind := strings.Split(header, ";" /* as in RFC 9110 */)[0] // refused: a comment would go
	return kind
}

func sizes(field string) (n int) {
	kv := strings.SplitN(field, "=", 2) // refused: their number is used as a number
	return len(kv) * len(kv[0])
}
