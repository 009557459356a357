package table

import "testing"

func TestTables(t *testing.T) {
	next := captured()
	for range 2 {
		equal := func(name string, got, want any) {
			if got != want {
				t.Errorf("%s: %v, not %v", name, got, want)
			}
		}
		equal("weight", weight("bold")+weight("none"), 700)
		equal("keyword", (&lexer{"go"}).keyword() && !(&lexer{"gone"}).keyword(), true)
		equal("unit", unitOf(5000), "KiB")
		equal("changed", changed("upper", "a")+changed("none", "b"), "Ab")
		equal("code", code("b")+code(""), 2)
		equal("month", month("feb") && !month("x"), true)
		equal("with", with(7, "thin"), 7)
		equal("set", set("thin"), 100)
		equal("deleted", deleted("thin"), true)
		m := returned()
		m["thin"]++
		equal("returned", m["thin"], 101)
		equal("field", field(0), "Bs")
		u := address(0)
		u.size++
		equal("address", u.size, 2)
		equal("sorted", sorted("")+sorted("name"), "marmarmarfeb")
		equal("appended", appended("mar"), 3)
		equal("alias", alias(0), 2)
		p := parts("a")
		equal("parts", p[0], "x")
		p[0] = "changed"
		equal("captured", captured()("a"), 2)
		equal("digits", digits(0), [2]int{1, 2})
		equal("own", own("own"), 3)
		equal("array", array(0), 2)
		equal("early", earlySize, 2)
		equal("name", nameTaken("b"), 3+len(taken))
	}
	if next("a") != 2 || next("a") != 3 {
		t.Error("counts")
	}
}
