package clones

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"lessgc/internal/alloctest"
)

func TestStrategies(t *testing.T) {
	for _, s := range Strategies {
		t.Run("strategy="+s.Name, func(t *testing.T) {
			check := func(payload []byte, n int) {
				t.Helper()
				got, want := s.Respond(payload, n), bytes.Repeat(payload, n)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d copies of %d bytes: %d bytes that differ from the wanted %d", n, len(payload), len(got), len(want))
				}
			}
			check(nil, 0)
			check(nil, 1)
			check(nil, 8)
			check([]byte{}, 8)
			check([]byte("x"), 0)
			for _, row := range Rows {
				check(row.Payload(), row.Clones)
			}
			rnd := rand.New(rand.NewPCG(1, 2))
			for range 200 {
				payload := make([]byte, rnd.IntN(5000))
				for i := range payload {
					payload[i] = byte(rnd.Uint32())
				}
				check(payload, rnd.IntN(40))
			}
		})
	}
}

// TestOwnership checks that a message belongs to the caller: neither the
// payload nor a later op changes it.
func TestOwnership(t *testing.T) {
	for _, s := range Strategies {
		for _, row := range Rows {
			payload := row.Payload()
			want := bytes.Repeat(payload, row.Clones)
			got := s.Respond(payload, row.Clones)
			for i := range payload {
				payload[i]++
			}
			s.Respond(payload, row.Clones)
			if !bytes.Equal(got, want) {
				t.Errorf("strategy=%s/%v: message changed after Respond returned", s.Name, row)
			}
		}
	}
}

// TestAllocs pins the counts in the package comment.
func TestAllocs(t *testing.T) {
	want := map[string]map[Row]int{
		"heap":          {{256, 8}: 10, {1024, 8}: 10, {4096, 1}: 1, {4096, 32}: 34},
		"pool":          {{256, 8}: 1, {1024, 8}: 1, {4096, 1}: 1, {4096, 32}: 1},
		"arena-recycle": {{256, 8}: 1, {1024, 8}: 1, {4096, 1}: 1, {4096, 32}: 1},
		"stdarena":      {{256, 8}: 3, {1024, 8}: 3, {4096, 1}: 1, {4096, 32}: 3},
	}
	for _, s := range Strategies {
		for row, want := range want[s.Name] {
			payload := row.Payload()
			if got := alloctest.PerRun(t, func() { s.Respond(payload, row.Clones) }); got != want {
				t.Errorf("strategy=%s/%v: %d allocations, want %d", s.Name, row, got, want)
			}
		}
	}
}

// TestSafeAllocs checks that messages in safe arenas need a chunk now and then,
// and a large one its own: never more than the three allocations of the standard
// arena.
func TestSafeAllocs(t *testing.T) {
	for _, s := range Strategies {
		if s.Name != "arena-safe" {
			continue
		}
		for _, row := range Rows {
			payload := row.Payload()
			if got := alloctest.PerRun(t, func() { s.Respond(payload, row.Clones) }); got > 3 {
				t.Errorf("%v: %d allocations, want at most 3", row, got)
			}
		}
	}
}

// BenchmarkClones is the published table: see the package comment for what
// the build selects.
func BenchmarkClones(b *testing.B) {
	for _, row := range Rows {
		b.Run(row.String(), func(b *testing.B) {
			payload := row.Payload()
			b.ReportAllocs()
			for b.Loop() {
				built.Respond(payload, row.Clones)
			}
		})
	}
}
