package parts

import "strings"

// What is refused below is so for what stands in the head of a loop.

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
