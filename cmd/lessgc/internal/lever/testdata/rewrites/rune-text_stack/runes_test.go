package runestack

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// texts have 40 to 70 characters, some of which take several bytes, and bytes that are none.
var texts = []string{
	"a text that has more characters than there is room for",
	"a text with some more characters than there is room for",
	"ein Text mit größerer Länge, als dafür Platz ist: Straße\xff\xfe",
	"日本語のテキスト 日本語のテキスト 日本語のテキスト 日本語のテキスト 日本語のテキスト xx",
	"the surrogate \xed\xa0\x80 is none, and U+FFFD is one: \uFFFD e\u0301",
}

func TestRunes(t *testing.T) {
	all := append([]string{"", "a", "ä", "\xff", "  b  c ", strings.Repeat("a long ä ", 100),
		strings.Repeat("x", 32), strings.Repeat("x", 33), strings.Repeat("ä", 128), strings.Repeat("ä", 129), strings.Repeat("x", 128)}, texts...)
	for i, s := range all {
		runes := []rune(s)
		other := all[(i+1)%len(all)]
		if len(s) < 200 && len(other) < 200 {
			if got, want := distance(s, other), slow([]rune(s), []rune(other)); got != want {
				t.Errorf("%q, %q: %d, want %d", s, other, got, want)
			}
		}
		if got := common(s, s+"x"); got != len(runes) {
			t.Errorf("%q: %d", s, got)
		}
		if got := common(s, "x"+s); got != 0 && s != "" && runes[0] != 'x' {
			t.Errorf("%q: %d", s, got)
		}
		reversed := slices.Clone(runes)
		slices.Reverse(reversed)
		if got := name(s).reversed(); got != string(reversed) {
			t.Errorf("%q: %q", s, got)
		}
		if palindrome(s) != (string(runes) == string(reversed)) {
			t.Errorf("%q", s)
		}
		if got := longest([]string{"", s}); got != string(runes[len(runes)/2:]) {
			t.Errorf("%q: %q", s, got)
		}
		if s != "" {
			want := string(runes[:min(3, len(runes))]) + string(runes[:len(runes)-1])
			if i := slices.Index(runes, 'x'); i >= 0 {
				want = string(runes[:i])
			}
			if got := upTo(s, 'x'); got != want {
				t.Errorf("%q: %q, want %q", s, got, want)
			}
		}
	}
	if got := squeezed("  b   c\t\n d\xff ")(); got != "b c\nd\uFFFD" && got != "b c d\uFFFD" {
		t.Errorf("%q", got)
	}
	if passed(func() string { return "abc" }) != 'c' {
		t.Error("passed")
	}
}

// slow is distance.
func slow(a, b []rune) int {
	before := make([]int, len(b)+1)
	for j := range before {
		before[j] = j
	}
	for i := range a {
		now := make([]int, len(b)+1)
		now[0] = i + 1
		for j := range b {
			now[j+1] = min(before[j+1], now[j]) + 1
			if a[i] == b[j] {
				now[j+1] = min(now[j+1], before[j])
			} else {
				now[j+1] = min(now[j+1], before[j]+1)
			}
		}
		before = now
	}
	return before[len(b)]
}

func TestOthers(t *testing.T) {
	done := make(chan int, 1)
	started("abcd", done)
	<-done
	to := make(chan []rune, 1)
	sent("abcd", to)
	l := line{}
	l.set("abcd")
	set := string(l.runes)
	got := fmt.Sprintln(string(<-to), set, string(returned("ab")), string(returnedCut("abc")), given(&l, "abc"), captured("ab")(1), longer("ab"), room("ab"),
		cutAt("abc", 2), cutAtRoom("abcd"), cutAtSum("abc", 1), cutAtOther("abc", "axb"), cutWhenMore("ab", 3), cutUpwards("ab"), asArray("abcd"), printed("a"),
		invoked("ab", all{}), called("ab", all{}.count), *addressed("ab"), beside([]string{"ab", "ac"}), dead([]string{"ab", "c"}), nested("ab", 2), long("ab"), typed("ab"),
		ofType("ab"), assigned("ab"), (&text{"ab"}).changed(), commented("ab"), hidden("ab"), jumps("abc"), more("abc"), within("ab"))
	if want := "abcd abcd ba ab 3 98 ab?ab? 1 ab ab ab a a ab 100 [97] 2 2 98 1 3 198 98 98 98 98 68 98 100 99 bcabc! 98\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func BenchmarkRunes(b *testing.B) {
	done, to, l := make(chan int, 1), make(chan []rune, 1), &line{}
	for range b.N {
		for i, s := range texts {
			distance(s, texts[(i+1)%len(texts)])
			common(s, s)
			name(s).reversed()
			squeezed(s)()
			longest([]string{s, s})
			upTo(s, 'x')
			passed(func() string { return s })
			palindrome(s)
			returned(s)
			returnedCut(s)
			l.set(s)
			given(l, s)
			captured(s)(1)
			longer(s)
			room(s)
			cutAt(s, 2)
			cutAtRoom(s)
			cutAtSum(s, 1)
			cutAtOther(s, "axb")
			cutWhenMore(s, len([]rune(s))+1)
			cutUpwards(s)
			asArray(s)
			sent(s, to)
			<-to
			started(s, done)
			<-done
			printed(s)
			invoked(s, all{})
			called(s, all{}.count)
			addressed(s)
			beside([]string{s, s})
			dead([]string{s, s})
			nested(s, 2)
			long(s)
			typed(s)
			ofType(s)
			assigned(s)
			(&text{s}).changed()
			commented(s)
			hidden(s)
			jumps(s)
			more(s)
			within(s)
		}
	}
}
