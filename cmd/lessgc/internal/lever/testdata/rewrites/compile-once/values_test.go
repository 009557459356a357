package once

import (
	"hash/crc32"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"
)

func TestValues(t *testing.T) {
	for range 2 {
		var out strings.Builder
		rule(&out)
		for got, want := range map[string]string{
			token([]byte{255, 254}): "__4", label([]byte("x")): "f0", padded(nil): "", out.String(): strings.Repeat("=", 40) + "\n",
			indented("x"): " . . . . . . . .x", space(2): "  ", inShanghai(time.Unix(0, 0)): "1970-01-01 08:00:00",
			half(big.NewInt(9)).String(): "4", factorial(5).String(): "120", doubled(): "4", remainder(big.NewInt(7)).String(): "0",
			network(net.IPv4(10, 1, 2, 3)).String(): "10.1.2.0", local().String(): "127.0.0.2",
		} {
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		if encoding() == encoding() || len(long()) != 5<<20 || castagnoliOf([]byte("x")) != crc32.Checksum([]byte("x"), crc32.MakeTable(crc32.Castagnoli)) {
			t.Error("encodings")
		}
		if !isMail("a@b") || isMail("a") || !isNumber([]byte("12")) || !isNumber([]byte("-a")) || isNumber([]byte("a")) || isAny("(") {
			t.Error("patterns")
		}
		if ok, err := isName("a"); !ok || err != nil {
			t.Error(err)
		}
		if now := time.Now(); moved(now) == moved(now) || midnight() != 1704063600 {
			t.Error("one zone")
		}
		if n := dice(); n < 1 || n > 6 || !small(big.NewInt(3)) || small(big.NewInt(3000)) {
			t.Error("big", n)
		}
		if a, b := one(), one(); a == b {
			t.Error("one number")
		}
		if q, m := rest(big.NewInt(42)); q.Int64() != 4 || m.Int64() != 2 || !isLocal(net.IPv4(127, 0, 0, 1)) {
			t.Error(q, m)
		}
	}
}
