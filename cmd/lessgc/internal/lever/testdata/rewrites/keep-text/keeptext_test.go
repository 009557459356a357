package keeptext

import (
	"reflect"
	"testing"
)

func check(t *testing.T, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s = %#v; want %#v", name, got, want)
	}
}

func TestRewritten(t *testing.T) {
	for raw, want := range map[string]string{"a=1&b=2": "2", "b=%20;a": " ", "b": "", "a=1&c": "none", "&&b=x=y": "x=y", "b=%zz": "none"} {
		got, ok := query(raw, "b")
		if !ok {
			got = "none"
		}
		check(t, raw, got, want)
	}
	check(t, "alphabet", alphabet("aba\xffé"), map[byte]int{'a': 0b101000, 'b': 0b10000, 0xff: 0b100, 0xc3: 0b10, 0xa9: 1})
	check(t, "words", words("ab \t c  d"), []string{"ab", "", "c", "", "d"})
	check(t, "encode", string(encode([]byte("-"), "xé")), "-2xéxé")
	check(t, "encode", string(encode(nil, "xyz")), "xyzxyz")
	check(t, "encode", encode(nil, ""), []byte(nil))
}

func TestRefused(t *testing.T) {
	check(t, "compared", compared(""), true)
	check(t, "roomy", roomy("a") > 0, true)
	check(t, "set", set("ab"), "-b")
	check(t, "pointed", pointed("ab"), "-b")
	check(t, "grown", grown("ab"), "ab!")
	check(t, "copied", copied("ab"), "-b")
	check(t, "returned", returned("ab"), []byte("b"))
	check(t, "stored", stored("ab"), len(last))
	check(t, "beyond", beyond("ab", 1), "a")
	check(t, "reached", reached("a=b"), "a")
	check(t, "stale", stale("=b"), 2)
	check(t, "raised", raised("a=b"), "a=")
	check(t, "limited", limited("ab"), "a")
	check(t, "captured", captured("ab")(), 2)
	check(t, "joined", joined("", []byte("abc")), 3)
	check(t, "shouted", shouted("ab"), "ab")
	check(t, "shadowed", shadowed("é"), 2)
	check(t, "noted", noted("ab"), 2)
	check(t, "shown", shown("ab"), []byte("ab"))
	check(t, "parted", parted("ab,c"), 3)
}
