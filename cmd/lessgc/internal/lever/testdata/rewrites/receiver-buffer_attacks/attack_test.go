package attacks

import (
	"fmt"
	"testing"
)

// TestAttacks checks that the programs print what they did before a rewrite.
func TestAttacks(t *testing.T) {
	const alphabet = "abcdefghijklmnopqrstuvwxyz"
	const want = `["97 [97 98 99 100 101 102 103 104];0 [0 0 105 106 107 108 109 110];0 [0 0 0 0 111 112 113 114];0 [0 0 0 0 0 0 115 116];" "abcdef|\x00ghij|;lmnopq|\x00rstu|;wxyz|eof;" "abcdefXYZXYZ" "aaaababaababcabcaababcabcdabcd" "abcabcdba" "3a+b+a2 32322c+d2 32300 000" "3109631096&{r:<nil> read:2}" "abcabc.xx.." "<abc<bc<c<de<e" "\"\\xc3\\xc3b\"\"cc\\x00\"\"\\x00\\x00\\x00\"" "firstother" '\x03' "[]int(nil)[]int{0, 1}[]int{0}" "80808080802000;0100;ac0200;" "Ax\x00xBx\x00x" "\x00\x00ab\x00\x00ab\x00\x00\x00\x00ab\x00\x00ab\x00\x00" "<AB>CD.\x00<AB>CD.\x00" "twoone" "ABabCDEcdeFf" "overoveoverhab.c2 101cde1 1020 0f.g.h3 107"]`
	got := fmt.Sprintf("%q", []any{A1(alphabet), A2(alphabet), A3(), A4("abcd"), A5("cab", "dcba", "ab"), A6("a b a", "a ! b", "b a!", "c d", ""), A7("xyz"),
		A8("abc  ", "x ", "  "), A9("abc", "de"), A10("ab", "c", ""), A12(), A13("aaaabb"), A14(), A16(), A17(), A18(), A19(), A20(), A21(), A22()})
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
