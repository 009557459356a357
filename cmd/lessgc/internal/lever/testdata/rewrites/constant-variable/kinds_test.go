package kinds

import "testing"

func TestKinds(t *testing.T) {
	if !isTable(kind("table")) || isTable(kind("list")) || isTable(nil) || !isBlock(kind("list")) || isBlock(kind("text")) {
		t.Error("kinds")
	}
	if !isTop(level(1000)) || !isBottom(level(300)) || isBottom(level(1)) == isBottom(level(2)) && names[1] == names[2] {
		t.Error("levels")
	}
	if kindOf(0) != named(kind("table")) || kindOf(2).name() != "text" {
		t.Error("an interface of a constant is another")
	}
	all, n := others("text", map[kind]int{"list": 2})
	if all[0] != any(kind("table")) || all[3] != any(level(1000)) || n != 3+len("table")*0+'t'+'a'+'b'+'l'+'e' {
		t.Error(all, n)
	}
}

func TestRefused(t *testing.T) {
	if !isCounter(level(1001)) || !isCurrent(kind("current")) || *where() != "current" || !isRisen(level(1000)) {
		t.Error("set")
	}
	rise()
	change()
	lastKey(make([]int, 5))
	if risen != 1001 || changed != "new" || !isFixed(kind("fixed")) || rangeKey != 4 || !isRangeKey(level(4)) {
		t.Error("set")
	}
	if next() >= 0 || !isMost(level(1<<63-1)) {
		t.Error("wraps around")
	}
	if part() != 1000*floatOf(0.1) || !isThird(level(1000)) {
		t.Error("exact")
	}
	if share() != 2 || shared() != 2 || !isLong(kind("four")) || !isLonger(kind("four")) || initial() != 'f' || !isFirst(kind("first")) {
		t.Error("lengths")
	}
	if version() != any("dev") || simple() != any("plain") || !isExported(kind("exported")) || !isComputed(kind("low")) || !isUnset(kind("")) {
		t.Error("others")
	}
	if number("cell") != 1 || !isCell(kind("cell")) || len(sizes) != 1 || !isTitle(kind("title")) || divided(2000) != 2 || !isStep(level(1000)) || !isShell(kind("sh")) {
		t.Error("equal values")
	}
	if bits() != 0 || !isShifted(level(1000)) {
		t.Error("shift")
	}
}

func floatOf(f float64) float64 { return f }
