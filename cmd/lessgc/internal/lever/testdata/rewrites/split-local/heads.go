package parts

import (
	"fmt"
	"strings"
)

// What follows is refused for what the head of a loop has, or keeps a comment.

func inCondition(text string) (n int) {
	parts := strings.Split(text, ",") // refused: the condition of a loop asks for their number each time
	for i := 0; i < len(parts); i++ {
		n += i
	}
	for i, part := range parts {
		n += i * len(part)
	}
	return n
}

func inPost(text string) (n int) {
	parts := strings.Split(text, ",") // refused: a loop asks for their number after each iteration
	for i := 0; i < 10; i += len(parts) {
		n += i
	}
	for i, part := range parts {
		n += i * len(part)
	}
	return n
}

// withComment has no mark: a comment would keep the statement.
func withComment(text string) (out []string) {
	parts := /* some may be empty */ strings.Split(text, ",")
	for i, part := range parts {
		out = append(out, fmt.Sprint(i, part))
	}
	return out
}
