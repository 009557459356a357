package programs

import (
	"strings"
	"testing"
)

func BenchmarkPools(b *testing.B) {
	words := strings.Fields(strings.Repeat("a b c d e f g h i j k l ", 4))
	to := make([]*givenMachine, 1)
	for b.Loop() {
		distinct(words)
		distinctKept(words)
		runMachine("a b c")
		runKeptMachine("a b c")
		runGivenMachine()
		runScope(words)
		runDroppedScope(words)
		runListedMachine()
		giveMachine(to)
	}
}
