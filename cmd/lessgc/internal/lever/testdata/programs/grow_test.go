package programs

import (
	"fmt"
	"testing"
)

// BenchmarkGrow runs what grows.
func BenchmarkGrow(b *testing.B) {
	var users []user
	var texts []string
	for i := range 100 {
		name := fmt.Sprintf("a user with the number %d", i)
		users, texts = append(users, user{name, i}), append(texts, name)
	}
	for b.Loop() {
		sink = pair(texts[0], texts[1])
		sink = frame([]byte(texts[0]), []byte(texts[1]))
		sink = lettersOf(texts[99])
		sink = lineOf(texts)
		sink = pageOf(users)
		sink = labelled(users)
		new(page).add(users)
		sink = tagged([]byte(texts[0]))
		sink = twice(texts[0])
		sink = around(texts[0])
	}
}
