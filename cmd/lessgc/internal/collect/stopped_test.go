package collect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/prof"
)

const timedLines = `package m

func BenchmarkLoop(b *testing.B) {
	setUp() // runs
	b.StopTimer() // stopped
	setUp() // stopped
	for i := 0; i < b.N; i++ { // stopped
		setUp() // stopped
		b.StartTimer() // stopped
		work() // runs
		b.StopTimer() // stopped
		if check() { // stopped
			b.Fatal() // stopped
		}
	}
}

func BenchmarkInner(b *testing.B) {
	for i := range b.N { // runs
		b.StopTimer() // stopped
		x := setUp( // stopped
			i, // stopped
		)
		b.StartTimer() // stopped
		work(x) // runs
	}
	b.Run("sub", func(b *testing.B) { // runs
		work() // runs
		b.StopTimer(); setUp(); b.StartTimer() // stopped
		b.StopTimer(); work(func() { // stopped
			work() // runs
		})
	})
	work() // runs
}

func BenchmarkEither(b *testing.B) {
	if check() { // runs
		b.StopTimer() // stopped
		setUp() // stopped
	} else {
		work() // runs
	}
	work() // runs
	for range b.N { // runs
		work() // runs
		b.StopTimer() // stopped
	}
	work() // runs
	switch { // runs
	case check(): // runs
		b.StopTimer() // runs
	}
	work() // runs
}

func BenchmarkJumps(b *testing.B) {
	b.StopTimer() // stopped
	for range b.N { // stopped
		work() // runs
		b.StartTimer() // stopped
		if check() { // runs
			continue // runs
		}
		b.StopTimer() // stopped
		setUp() // stopped
	}
}

func BenchmarkLeft(b *testing.B) {
	b.StopTimer() // stopped
	for {
		setUp() // runs
		b.StartTimer() // stopped
		if check() { // runs
			break // runs
		}
		b.StopTimer() // stopped
	}
	work() // runs
}

func BenchmarkLeftEarly(b *testing.B) {
	for b.Loop() {
		if check() { // runs
			break // runs
		}
	}
	work() // runs
}

func BenchmarkSeq(b *testing.B) {
	b.StopTimer() // stopped
	for range seq { // runs
		setUp() // stopped
		b.StartTimer() // stopped
		work() // runs
		b.StopTimer() // stopped
	}
	for i := 0; more(); i++ { // runs
		work() // runs
		b.StartTimer() // stopped
	}
}

func BenchmarkHelper(b *testing.B) {
	b.StopTimer() // stopped
	setUp() // stopped
	starts(b) // runs
	work() // runs
}

func starts(b *testing.B) {
	setUp() // runs
	b.StartTimer() // stopped
}

func BenchmarkAgain(b *testing.B) {
	b.StopTimer() // stopped
	for range b.N { // stopped
		work() // runs
		b.StartTimer() // stopped
	}
	for b.Loop() {
		work() // runs
	}
	setUp() // stopped
}

func helper() {
	work() // runs
}
`

// TestStoppedLines checks which lines run while the timer is stopped, and that the others do not count as such.
func TestStoppedLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m_test.go")
	if err := os.WriteFile(file, []byte(timedLines), 0o666); err != nil {
		t.Fatal(err)
	}
	stopped := stoppedLines(filepath.Dir(file))
	for i, text := range slices.Collect(strings.Lines(timedLines)) {
		_, want, ok := strings.Cut(strings.TrimSpace(text), " // ")
		if got := stopped[prof.Frame{File: file, Line: i + 1}]; ok && got != (want == "stopped") {
			t.Errorf("line %d: stopped is %v: %s", i+1, got, text)
		}
	}
}
