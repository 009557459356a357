// Package batch collects objects in slices.
package batch

import (
	"fmt"
	"sort"
	"strings"
)

type part struct {
	kind int
	text string
	args []int
	more [2]int
}

func (p part) name() string { return fmt.Sprint(p.kind, p.text) }

func (p *part) set(kind int) { p.kind = kind }

// A path has parts.
type path struct {
	name  string
	parts []*part // in their order
}

func parse(text string) *path {
	p := &path{name: text}
	for i, word := range strings.Fields(text) {
		if word == "(" {
			last := p.parts[len(p.parts)-1]
			last.kind = 100
			last.args = append(last.args, i)
			continue
		}
		p.parts = append(p.parts, &part{kind: i, text: word}) // rewritten
	}
	p.parts = append(p.parts, &part{text: "end"}, &part{text: "really"}) // rewritten
	return p
}

func (p *path) String() string {
	var b strings.Builder
	for i, x := range p.parts {
		if i == 1 {
			b.WriteString(p.parts[0].text)
		}
		b.WriteString(x.text)
		for _, n := range x.args {
			fmt.Fprint(&b, n)
		}
		b.WriteString(x.name())
	}
	if len(p.parts) > 2 {
		y := p.parts[2]
		b.WriteString(y.text)
	}
	return b.String()
}

type simple struct{ parts []*part }

func control(n int) int {
	s := &simple{parts: make([]*part, 0, 4)}
	for i := range n {
		s.parts = append(s.parts, &part{kind: i}) // rewritten
	}
	sum := len(s.parts)
	for _, x := range s.parts {
		sum += x.kind + x.more[1]
	}
	return sum
}

type kept struct{ parts []*part }

func keep(n int) int {
	s := &kept{}
	s.parts = append(s.parts, &part{kind: n}) // refused: a pointer to an element is kept, and changed when the slice has grown
	first := s.parts[0]
	for i := range 9 {
		s.parts = append(s.parts, &part{kind: i})
	}
	first.kind = 7
	return s.parts[0].kind
}

type stored struct {
	parts []*part
	last  *part
}

func store(n int) int {
	s := &stored{}
	s.parts = append(s.parts, &part{kind: n}) // refused: an element is stored elsewhere
	s.last = s.parts[0]
	s.last.kind++
	return s.parts[0].kind
}

type compared struct{ parts []*part }

func compare(n int) bool {
	s := &compared{}
	s.parts = append(s.parts, &part{kind: n}) // refused: pointers to elements are compared
	s.parts = append(s.parts, &part{kind: n})
	return s.parts[0] == s.parts[1]
}

type holed struct{ parts []*part }

func hole(n int) bool {
	s := &holed{}
	s.parts = append(s.parts, &part{kind: n}) // refused: an element is nil
	s.parts = append(s.parts, nil)
	return s.parts[1] == nil
}

type long struct{ parts []*part }

func length(n int) int {
	s := &long{parts: make([]*part, 2)}
	s.parts = append(s.parts, &part{kind: n}) // refused: elements are nil because the slice was made with them
	defer func() { _ = recover() }()
	return s.parts[0].kind + 5
}

type changed struct{ parts []*part }

func change(n int) int {
	s := &changed{}
	s.parts = append(s.parts, &part{kind: n}) // refused: elements are changed in a loop over copies of them
	for _, x := range s.parts {
		x.kind++
	}
	return s.parts[0].kind
}

type called struct{ parts []*part }

func call(n int) int {
	s := &called{}
	s.parts = append(s.parts, &part{kind: n}) // refused: a method changes the element
	for _, x := range s.parts {
		x.set(9)
	}
	return s.parts[0].kind
}

type shared struct{ parts []*part }

func share(n int) int {
	s := &shared{}
	s.parts = append(s.parts, &part{kind: n}) // refused: what changes an element is called in a loop over them
	sum := 0
	for _, x := range s.parts {
		s.bump()
		sum += x.kind
	}
	return sum
}

func (s *shared) bump() {
	last := s.parts[len(s.parts)-1]
	last.kind = 50
}

type sorted struct{ parts []*part }

func sorts(n int) int {
	s := &sorted{}
	s.parts = append(s.parts, &part{kind: n}) // refused: another function has the slice
	s.parts = append(s.parts, &part{kind: n - 1})
	sort.Slice(s.parts, func(i, j int) bool { return s.parts[i].kind < s.parts[j].kind })
	return s.parts[0].kind
}

type room struct{ parts []*part }

func capacity(n int) int {
	s := &room{}
	for range 5 {
		s.parts = append(s.parts, &part{kind: n}) // refused: the capacity is asked for, which is another with larger elements
	}
	return cap(s.parts)
}

type cut struct{ parts []*part }

func cuts(n int) int {
	s := &cut{}
	s.parts = append(s.parts, &part{kind: n}) // refused: the slice is cut, and filled again
	first := s.parts[0]
	s.parts = s.parts[:0]
	s.parts = append(s.parts, &part{kind: n + 1})
	return first.kind
}

type field struct{ parts []*part }

func pointer(n int) int {
	s := &field{}
	s.parts = append(s.parts, &part{kind: n}) // refused: a pointer to a field of an element is kept
	k := &s.parts[0].kind
	for i := range 9 {
		s.parts = append(s.parts, &part{kind: i})
	}
	*k = 7
	return s.parts[0].kind
}

type array struct{ parts []*part }

func arrays(n int) int {
	s := &array{}
	s.parts = append(s.parts, &part{kind: n}) // refused: an array of a copy is changed
	x := s.parts[0]
	x.more[1] = 7
	return s.parts[0].more[1]
}

type literal struct{ parts []*part }

func literals(n int) int {
	s := &literal{}
	s.parts = append(s.parts, &part{kind: n}) // refused: a function literal has an element
	x := s.parts[0]
	add := func() { x.kind++ }
	add()
	return s.parts[0].kind
}

type copied struct{ parts []*part }

func copies(n int) int {
	s := &copied{}
	s.parts = append(s.parts, &part{kind: n}) // refused: a copy of the struct has the same objects
	t := *s
	t.parts = append(t.parts, &part{kind: n})
	return len(s.parts) + len(t.parts)
}

type handed struct{ parts []*part }

func hand(n int) []*part {
	s := &handed{}
	s.parts = append(s.parts, &part{kind: n}) // refused: callers get the pointers
	return s.parts
}

type wide struct {
	more [20]int
}

type wides struct{ all []*wide }

func large(n int) int {
	s := &wides{}
	s.all = append(s.all, &wide{}) // refused: the objects are large, and a range would copy each
	for _, x := range s.all {
		n += x.more[3]
	}
	return n
}

type other struct{ parts []*part }

func others(n int, x *part) int {
	s := &other{}
	s.parts = append(s.parts, &part{kind: n}) // refused: an object that another has is appended, too
	s.parts = append(s.parts, x)
	x.kind = 8
	return s.parts[1].kind
}

type early struct{ parts []*part }

func escapes(n int) int {
	s := &early{}
	saved = s
	s.parts = append(s.parts, &part{kind: n}) // refused: others have the struct while elements change
	last := s.parts[0]
	grow()
	last.kind = 9
	return s.parts[0].kind
}

var saved *early

func grow() {
	for range 9 {
		saved.parts = append(saved.parts, &part{})
	}
}
