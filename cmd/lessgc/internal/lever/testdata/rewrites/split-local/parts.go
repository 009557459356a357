// Package parts goes over the parts of texts.
package parts

import (
	"fmt"
	"strings"
)

func numbered(in fmt.Stringer) string {
	lines := strings.Split(in.String(), "\n") // rewritten
	out := make([]string, 0, len(lines))
	for i, line := range lines {
		out = append(out, fmt.Sprintf("%d. %s", i+1, line))
	}
	return strings.Join(out, "\n")
}

const comma = ","

func indented(text, indent string) (out []string, many bool) {
	lines := strings.Split(text, comma) // rewritten

	many = len(lines) > 2
	for i, line := range lines { // the first as it is
		// Empty lines stay.
		if line == "" || i == 0 {
			out = append(out, line)
			continue
		}
		line = indent + line
		if line == indent+"end" {
			break
		}
		out = append(out, line)
	}
	return out, many
}

// plain has no mark: a comment would keep the statement.
func plain(text string) (out []string) {
	parts := strings.Split(text, comma)

	if len(parts) > 2 {
		return nil
	}
	for i, part := range parts { // the first as it is
		// All parts have their number.
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func labeled(text string) (n int) {
	if len(text) > 50 {
		return -1
	}
outer:
	for i, word := range strings.Split(text, " ") { // rewritten
		for _, c := range word {
			if c == '#' {
				continue outer
			}
			if c == '!' {
				break outer
			}
		}
		word = strings.TrimSpace(word)
		n += i*10 + len(word)
	}
	return n
}

func laterClosures(text string) (all []func() string) {
	for i, word := range strings.Split(text, " ") { // rewritten
		all = append(all, func() string { return fmt.Sprint(i, word) })
	}
	return all
}

func changedText(text string) (out []string) {
	parts := strings.Split(text, ",") // rewritten
	text = "changed"
	for i, part := range parts {
		out = append(out, fmt.Sprint(i, part, text))
	}
	return out
}

func shadowedText(text string) (out []string) {
	parts := strings.Split(text, ",") // rewritten
	if text := "other"; text != "" {
		for i, part := range parts {
			out = append(out, fmt.Sprint(i, part, text))
		}
	}
	return out
}

func declaredAgain(text string) (out []string) {
	for i, part := range strings.Split(text, ",") { // refused: the body declares the name of the part again
		part := fmt.Sprint(i, part)
		out = append(out, part)
	}
	return out
}

func setNumber(text string) (out []string) {
	for i, part := range strings.Split(text, ",") { // refused: the loop sets the number
		i *= 2
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func indexed(text string) (out []string) {
	parts := strings.Split(text, ",") // refused: the loop has other parts, too
	for i, part := range parts {
		out = append(out, part+parts[len(parts)-1-i])
	}
	return out
}

func setPart(text string) (out []string) {
	parts := strings.Split(text, ",") // refused: a part is set before the loop
	parts[0] = "first"
	for i, part := range parts {
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func twice(text string) (out []string) {
	parts := strings.Split(text, ",") // refused: two loops go over them
	for i, part := range parts {
		out = append(out, fmt.Sprint(i, part))
	}
	for i, part := range parts {
		out = append(out, fmt.Sprint(-i, part))
	}
	return out
}

func kept(text string) (out []string) {
	parts := strings.Split(text, ",") // refused: they are returned
	for i := range parts {
		parts[i] += "."
	}
	return parts
}

func bytewise(text string) (out []string) {
	for i, part := range strings.Split(text, "") { // refused: the separator is empty
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func anySeparator(text, sep string) (out []string) {
	for i, part := range strings.Split(text, sep) { // refused: the separator may be empty
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func limited(text string) (out []string) {
	for i, part := range strings.SplitN(text, ",", 2) { // refused: there are at most two parts
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func after(text string) (out []string) {
	for i, part := range strings.SplitAfter(text, ",") { // refused: the parts have their separators
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func words(text string) (out []string) {
	for i, part := range strings.Fields(text) { // refused: what separates words is not one text
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func ownName(text string) (out []string) {
	for i, strings := range strings.Split(text, ",") { // refused: the part has the name of the package
		out = append(out, fmt.Sprint(i, strings))
	}
	return out
}

func ownSeparator(text string) (out []string) {
	const part = ","
	for i, part := range strings.Split(text, part) { // refused: the part has the name of the separator
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func inLoop(text string) (n int) {
	parts := strings.Split(text, ",") // refused: a loop asks for their number again and again
	for range 3 {
		n += len(parts)
	}
	for i, part := range parts {
		n += i * len(part)
	}
	return n
}

func again(text string) (out []string) {
	parts := strings.Split(text, ",") // refused: the loop comes again
	for range 2 {
		for i, part := range parts {
			out = append(out, fmt.Sprint(i, part))
		}
	}
	return out
}

func assigned(text string) string {
	var last string
	var i int
	for i, last = range strings.Split(text, ",") { // refused: the variables of the loop are those of the function
		_ = last
	}
	return fmt.Sprint(i, last)
}

func jumping(text string) (n int) {
	parts := strings.Split(text, ",") // refused: the loop may come again
start:
	for i, part := range parts {
		n += i + len(part)
	}
	if n < 50 {
		goto start
	}
	return n
}

func shadowedString(text string) (out []any) {
	type string = []byte
	var _ string
	for i, part := range strings.Split(text, ",") { // refused: string is another type
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

type set map[string]bool

func (s set) String() string { return "a,b" }

func ofLiteral() (out []string) {
	for i, part := range strings.Split((set{"a": true}.String()), ",") { // refused: the text has a literal, which the head of a loop must not have
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func askedByCondition(text string) (n int) {
	parts := strings.Split(text, ",") // refused: the condition of a loop asks for their number again and again
	for i := 0; i < len(parts); i++ {
		n += i
	}
	for i, part := range parts {
		n += i * len(part)
	}
	return n
}

func askedByStep(text string) (n int) {
	parts := strings.Split(text, ",") // refused: each step of a loop asks for their number
	for i := 0; i < 4; i += len(parts) {
		n += i
	}
	for i, part := range parts {
		n += i * len(part)
	}
	return n
}

func commentAtBrace(text string) (out []string) {
	// refused: a comment begins behind the brace, and goes on where the part would be cut off
	for i, part := range strings.Split(text, ",") { /* Parts
		have their number. */
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}

func commentBelowBrace(text string) (out []string) {
	for i, part := range strings.Split(text, ",") { // rewritten
		/* Parts
		have their number. */
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}
