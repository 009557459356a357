package programs

import "testing"

func BenchmarkHash(b *testing.B) {
	for b.Loop() {
		if hashOne("a name") == hashTwo("a", " nam") {
			b.Fatal("two sums are one")
		}
	}
}
