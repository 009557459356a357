package programs

import (
	"context"
	"fmt"
	"image"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
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
		sink = joined(users)
		sink = flattened([][]user{users[:50], users[50:]})
		sink = grid([]int{1, 2, 3, 4, 5}, []int{1, 2, 3, 4, 5})
		sink = address(texts[0], texts[1])
		sink = trimmed(texts)
		sink = firstOnes(users)
		sink, _ = checked(users)
	}
}

// BenchmarkLibrary runs what calls libraries.
func BenchmarkLibrary(b *testing.B) {
	text := strings.Repeat("a,b,c\n", 100)
	w := io.Writer(discard{})
	m := image.NewGray(image.Rect(0, 0, 16, 16))
	words := map[string]int{"a": 1, "b": 2, "c": 3}
	for b.Loop() {
		sink = firstColumn(strings.NewReader(text))
		sink = allRows(strings.NewReader(text))
		sink = firstColumnReused(strings.NewReader(text))
		sink = picture(w, m)
		sink = keysLength(reflect.ValueOf(words))
		sink = keysOf(reflect.ValueOf(words))
		sink = longest(text)
		sink = longestOf(strings.NewReader(text))
		sink = greet(w, "you")
		sink = greetIn(w, "Salut, {{.}}!", "you")
		sink = greeting()
	}
}

// BenchmarkOnce runs what makes the same again.
func BenchmarkOnce(b *testing.B) {
	ctx := context.Background()
	for b.Loop() {
		sink = weight("bold")
		sink = weightOf("bold", b.N)
		sink = weights()
		sink = weightsAnd("x")
		sink = isKeyword("for")
		values := make(chan int, 3)
		values <- 1
		values <- 2
		sink = drain(values, time.Millisecond)
		sink = onceOf(make(chan int), time.Millisecond)
		sink = polls(2)
		sink = pollsKept(2)
		sink = incoming(ctx, "user", "trace")
		sink = outgoing(ctx, "user", "trace")
		sink = withUser(ctx, "user")
		sink = withStrings(ctx, "user")
		sink = withCheck(ctx, "user")
	}
}
