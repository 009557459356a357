package hoisted

import (
	"reflect"
	"testing"
)

var users = []user{{[]field{{1}, {2}}}, {}, {[]field{{3}}}}

func Test(t *testing.T) {
	is := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	is("Total", Total(users), 3+3*3)
	is("Kept", Kept(4), 12)
	is("Kept", Kept(0), 0)
	is("Nested", Nested([][]string{{"a.b", "c"}, {}, {".,"}}, ".,"), "ab|c|")
	is("Typed", Typed([]string{"a", "bc"}, 2), 7)
	l := &lister{}
	l.Add([]string{"a", "b"})
	is("Add", l.all, []string{"a", "b"})
	(*lister)(nil).Add(nil)
	rows := [][]int{{2, 1}, {3}, {1, 5, 2}}
	Sorted(rows, true)()
	is("Sorted", rows, [][]int{{2, 1}, {3}, {5, 2, 1}})
	is("Labeled", Labeled([][]int{{1, 2, 9, 3}, {1}, {9}}, 5), []string{"1", "2", "1"})
}

func TestRefused(t *testing.T) {
	is := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	is("variable", refusedVariable(4), 6)
	is("header", refusedHeader(4), 6)
	is("declared", refusedDeclared(3), 1+3+5)
	is("shadowed", refusedShadowed(3, 1), 6)
	is("type", refusedType(users), 12)
	is("constant", refusedConstant(users), 18)
	is("condition", refusedCondition(users), 3)
	is("case", refusedCase(users), 3)
	is("and", refusedAnd(users, 0), 1)
	is("defer", refusedDefer(users), 6)
	done := make(chan int)
	refusedGo(2, done)
	is("go", <-done+<-done, 4)
	is("goto", refusedGoto(users), 6)
	is("once", refusedOnce(users), 3)
	is("head", refusedHead(users), 1)
	two := []*lister{{}, {}}
	refusedSet(two, []string{"a", "b", "c"})
	is("set", two[1].all, []string{"b"})
	refusedAddress(two, []string{"a", "b"})
	is("address", two[1].all, []string{"b", "b"})
	visits = 0
	refusedCopied(&lister{}, []string{"a", "b", "c"})
	is("copied", visits, 3+3)
	is("value", refusedValue([]string{"a"}), 1)
	refusedEmbedded(two[0], []string{"a"})
	refusedEmbedded(nil, nil)
	is("embedded", two[0].n, 1)
	refusedInterface(nil, nil)
	refusedInterface(two[0], []string{"z"})
	o := &struct{ l *lister }{two[0]}
	refusedField(o, []string{"a", "b"})
	is("field", o.l.all, []string(nil))
	is("sums", sums(users), 6)
}

func BenchmarkTotal(b *testing.B) {
	for b.Loop() {
		Total(users)
	}
}
