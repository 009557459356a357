package lever

import "testing"

func TestFew(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 0.00012: "0.00012", 0.25: "0.25", 1: "1", 999.6: "1000", 1994.3: "1990", 2000: "2000", 3_454_000: "3450000", -12.345: "-12.3"} {
		if got := few(n); got != want {
			t.Errorf("few(%g) is %s, want %s", n, got, want)
		}
	}
}
