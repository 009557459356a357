// Package kinds compares kinds by an interface.
package kinds

type named interface{ name() string }

type kind string

func (k kind) name() string { return string(k) }

// level has a method with a pointer receiver, too.
type level int

func (l level) name() string { return names[l%3] }
func (l *level) raise()      { *l++ }

var names = [3]string{"low", "middle", "high"}

//go:noinline
func same(a, b named) bool { return a != nil && b != nil && a.name() == b.name() }

// The kinds of nodes.
var (
	table kind = "table" // with columns
	list       = kind("list")
	text  kind = "te" + "xt"
)

var plain = "plain"

var top level = 1000

const low = 300

var bottom, middle level = low, low + 400

func isTable(n named) bool { return same(n, table) } // rewritten

func isBlock(n named) bool {
	return same(n, table) || same(n, list) // rewritten
}

func isTop(n named) bool { return same(n, top) } // rewritten

func isBottom(n named) bool { return same(n, bottom) || same(n, middle) } // rewritten

func kindOf(n int) named {
	switch n {
	case 0:
		return table // rewritten
	case 1:
		return list
	}
	return text
}

// What else is done with them is done with constants as well.
func others(k kind, at map[kind]int) (all []any, n int) {
	switch k {
	case table, list:
		n = at[table]
	case text:
		n = at[list]
	}
	if k == text || text != k || list.name() == string(k) {
		n++
	}
	for _, b := range []byte(table) {
		n += int(b)
	}
	return append(all, kind(table), struct{ k kind }{list}, level(n), (top)), n
}

var counter level = 1000

func isCounter(n named) bool {
	counter++
	return same(n, counter) // refused: it is set
}

var current kind = "current"

func isCurrent(n named) bool { return same(n, current) } // refused: its address is taken

func where() *kind { return &current }

var risen level = 1000

func isRisen(n named) bool { return same(n, risen) } // refused: a method takes its address

func rise() { risen.raise() }

var most level = 1<<63 - 1

func isMost(n named) bool { return same(n, most) } // refused: the sum overflows, and a constant's does not compile

func next() level { return most + 1 }

var third level = 1000

func isThird(n named) bool { return same(n, third) } // refused: computed exactly, the product is another one

func part() float64 { return float64(third) * 0.1 }

var long kind = "four"

func isLong(n named) bool { return same(n, long) } // refused: its length would be a constant

func share() int { return 8 / len(long) }

var longer kind = "four"

func isLonger(n named) bool { return same(n, longer) } // refused: the length of the conversion would be a constant

func shared() int { return 8 / len(string(longer)) }

type caption = string

var build caption = "dev"

func boxed(a any) any { return a }

func version() any { return boxed(build) } // refused: the linker may set a string

func simple() any { return boxed(plain) } // refused: so it may

// Exported is one that other packages may set.
var Exported kind = "exported"

func isExported(n named) bool { return same(n, Exported) } // refused: other packages may set it

var (
	fixed   kind = "fixed"
	changed kind = "changed"
)

func isFixed(n named) bool { return same(n, fixed) } // refused: another of the declaration is set

func change() { changed = "new" }

var computed kind = kind(names[0])

func isComputed(n named) bool { return same(n, computed) } // refused: its value is no constant

var unset kind

func isUnset(n named) bool { return same(n, unset) } // refused: it has no value

var first kind = "first"

func initial() byte { return first[0] }

func isFirst(n named) bool { return same(n, first) } // refused: an index is checked by the compiler

var rangeKey level = 1000

func lastKey(s []int) {
	for rangeKey = range level(len(s)) {
	}
}

func isRangeKey(n named) bool { return same(n, rangeKey) } // refused: a loop sets it

var shifted level = 1000

func isShifted(n named) bool { return same(n, shifted) } // refused: it is an operand of a shift

func bits() uint8 { return uint8(1) << shifted }

var cell kind = "cell"

var row kind = "cell"

func isCell(n named) bool { return same(n, cell) } // refused: two cases would be the same constant

func number(k kind) int {
	switch k {
	case cell:
		return 1
	case row:
		return 2
	}
	return 0
}

var title kind = "title"

func isTitle(n named) bool { return same(n, title) } // refused: two keys would be the same constant

var sizes = map[kind]int{title: 3, kind(head): 4}

var head kind = "title"

var step level = 1000

func isStep(n named) bool { return same(n, step) } // refused: by a constant that is zero nothing can be divided

func divided(l level) level {
	l /= step
	return l
}

func isShell(n named) bool { return same(n, shell) } // refused: another system sets it

var shell kind = "sh"
