package main

import (
	"testing"

	"golang.org/x/tools/txtar"
)

func TestJudge(t *testing.T) {
	var functions []*function
	for _, f := range []txtar.File{
		{Name: "bad.go", Data: []byte("package p\n\nfunc a() {\n\tprintln() // mistake one|two\n\tprintln() // mistake two\n}\n\nfunc b() {}\n\nfunc c() {\n\tprintln() // mistake one\n}\n")},
		{Name: "good.go", Data: []byte("package p\n\nfunc d() {}\n")},
	} {
		more, err := parse(f)
		if err != nil {
			t.Fatal(err)
		}
		functions = append(functions, more...)
	}
	bad := func(line int) position { return position{"bad.go", line} }
	for _, test := range []struct {
		name     string
		findings []finding
		want     count
	}{
		{"nothing", nil, count{missed: 2}},
		{"on a mark", []finding{{Rule: "two", position: bad(4)}}, count{found: 1, missed: 1}},
		{"elsewhere in a function, twice", []finding{{Rule: "one", position: bad(3)}, {Rule: "two", position: bad(5)}}, count{found: 1, missed: 1}},
		{"another rule", []finding{{Rule: "three", position: bad(4)}}, count{missed: 2, other: 1}},
		{"without a mark", []finding{{Rule: "one", position: bad(8)}}, count{missed: 2, wrong: 1}},
		{"outside of functions", []finding{{Rule: "one", position: bad(1)}}, count{missed: 2, other: 1}},
		{"related on a mark", []finding{{Rule: "one", position: bad(8), Related: []position{bad(11)}}}, count{found: 1, missed: 1}},
		{"related beside a mark", []finding{{Rule: "one", position: bad(8), Related: []position{bad(10)}}}, count{missed: 2, wrong: 1}},
		{"good code", []finding{{Rule: "three", position: position{"good.go", 3}}}, count{missed: 2, wrong: 1}},
		{"advice", []finding{{Rule: "poolunbounded", position: position{"good.go", 3}}}, count{missed: 2, other: 1}},
	} {
		if got := judge("x-01.txtar", functions, test.findings).count; got != test.want {
			t.Errorf("%s: %+v; want %+v", test.name, got, test.want)
		}
	}
}

func TestMarkOutsideOfFunction(t *testing.T) {
	_, err := parse(txtar.File{Name: "bad.go", Data: []byte("package p\n\nvar x int // mistake one\n")})
	if err == nil {
		t.Error("no error")
	}
}
