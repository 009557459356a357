package programs

import "testing"

func BenchmarkGeneric(b *testing.B) {
	names := []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"}
	s := &genStore[int, string]{keyOf: func(s string) int { return len(s) * int(s[0]) }}
	for b.Loop() {
		s.load(names)
		s.order(names)
		sink = genNumbers(func(n int) string { return names[n] })
		sink = genJoin(names)
		genEach(names[:2], func(s string) { sink = s })
	}
}
