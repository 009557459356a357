package appendtext

import (
	"bytes"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestBytes(t *testing.T) {
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(string(message("a", 2)), "a has 2 items\n")
	check(string(numeral(-7)), "-7")
	if n, small := room(7); n != 2 || small {
		t.Error(n)
	}
	all := entries(255)
	check(string(all[0].key)+string(all[1].key)+string(all[1].value), "key255ff0x255")
	if nameBytes("") == nil || printed("") == nil || verbs("", "") == nil || format("", 1) == nil {
		t.Error("empty bytes are nil")
	}
	if b, ok := ofType(1).(raw); !ok || string(b) != "n=1" || !compared(hidden(1), 1) {
		t.Error(b)
	}
	check(quotedList([]string{"a", "\n"}), `"a", "\n"`)
	var out bytes.Buffer
	table([]time.Time{time.Unix(0, 0).UTC(), time.Unix(3600, 0).UTC()}, &out)
	check(out.String(), "1970-01-01T00:00:00Z\n1970-01-01T01:00:00Z\n")
	check(string(sums(big.NewInt(-255), big.NewFloat(1.5), []byte("="))), "=-255-ff1.5'x'-255")
	check(string(sums(nil, big.NewFloat(1.5), nil)), "<nil><nil>1.5'x'<nil>")
	check(string(encoded(nil, [10]byte{1})), "AEAAAAAAAAAAAAAA")
	name := strings.Repeat("x", 30)
	check(string(returned("a"))+string(result("a")), `"a"1.5`)
	memory := make([]byte, 16)
	check(given(memory[:0], name), `"`+name+`"`)
	check(string(memory), string(make([]byte, 16)))
	b, c := twice(name)
	check(b, `"`+name+`"`)
	check(c, string(make([]byte, 16)))
	check(closed("a"), string(make([]byte, 8))+`"a"`)
	check(pointed("a"), `"a"`+strings.Repeat("x", '"'))
	if err := indexed(nil, nil); err == nil || !strings.Contains(err.(error).Error(), "index out of range") {
		t.Error(err)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "names"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := filed(f, "a"); err != nil {
		t.Error(err)
	}
	data, err := os.ReadFile(f.Name())
	if check(string(data), `name: "a"`); err != nil {
		t.Error(err)
	}
}

func TestAlone(t *testing.T) {
	at := time.Date(2024, 1, 1, 1, 2, 3, 120000000, time.UTC)
	if got := aliased(at); got != ">01:02:03.12>" {
		t.Errorf("%q", got)
	}
	if got := ranged(at); got != "a1a01:02:03.12" {
		t.Errorf("%q", got)
	}
	if got := extendedTo(at); got != ".12\x00\x00\x00\x00\x00\x00\x00" {
		t.Errorf("%q", got)
	}
	if got := shortened([]string{"a", "b"}); got != `a","b"` {
		t.Errorf("%q", got)
	}
}

func TestExpressions(t *testing.T) {
	var out bytes.Buffer
	expressions(&out, time.Unix(0, 0).UTC(), big.NewInt(7))
	if out.String() != "00:007" {
		t.Error(out.String())
	}
}
