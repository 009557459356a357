package runes

import "testing"

func TestRunes(t *testing.T) {
	for _, s := range []string{"", "abc", "äöü", "a\xffb", "\xe4\xf6", "日本語 x", "e\u0301", "\xed\xa0\x80"} {
		runes := []rune(s)
		n, w, sum, index := 0, 0, rune(0), ""
		title1 := ""
		for i, r := range runes {
			index += string(rune('0' + i%10))
			w += int(r%4) + 1
			sum += r + rune(i)
			title1 += title(string(r))
		}
		n = len(runes)
		if got := marks(s); got != index {
			t.Errorf("%q: %q", s, got)
		}
		if got := name(s).width(); got != w {
			t.Errorf("%q: %d, want %d", s, got, w)
		}
		if got, ok := short(s, n); !ok || got != sum {
			t.Errorf("%q: %d, want %d", s, got, sum)
		}
		if _, ok := short(s, n-1); ok {
			t.Errorf("%q is short", s)
		}
		if title(s) != title1 || fields(s) != n || commented(s) != n || len(typed(s)) != n || len(appended(nil, s)) != n {
			t.Errorf("%q", s)
		}
		if r := reversed(reversed(s)); r != string(runes) || valid(s) != string(runes) && valid(s) != "" {
			t.Errorf("%q: %q", s, r)
		}
	}
	if letters("aä1\xff") != 2 || bytesOf([]byte("ab")) != 195 || set("ab") != 0 || repeated("ab") != 196 || shadowed("a") != 97 || changed("ab") != "xb" || kept("x") != nil {
		t.Error("others")
	}
	if got := spread("äx"); len(got) != 1 || got[0] != 1 || counted("äx") != 'x' || (&lexer{"ab"}).all() != 'b'+'a'+'b' {
		t.Error(got)
	}
	if all := later([]string{"a", "bc"}); all[0]() != 1 || all[1]() != 2 {
		t.Error("later")
	}
}
