package main

import (
	"testing"

	"golang.org/x/tools/txtar"

	"lessgc/bench/internal/vetting"
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
	bad := func(line int) vetting.Position { return vetting.Position{File: "bad.go", Line: line} }
	for _, test := range []struct {
		name     string
		findings []vetting.Finding
		want     count
	}{
		{"nothing", nil, count{missed: 2}},
		{"on a mark", []vetting.Finding{{Rule: "two", Position: bad(4)}}, count{found: 1, missed: 1}},
		{"elsewhere in a function, twice", []vetting.Finding{{Rule: "one", Position: bad(3)}, {Rule: "two", Position: bad(5)}}, count{found: 1, missed: 1}},
		{"another rule", []vetting.Finding{{Rule: "three", Position: bad(4)}}, count{missed: 2, other: 1}},
		{"without a mark", []vetting.Finding{{Rule: "one", Position: bad(8)}}, count{missed: 2, wrong: 1}},
		{"outside of functions", []vetting.Finding{{Rule: "one", Position: bad(1)}}, count{missed: 2, other: 1}},
		{"related on a mark", []vetting.Finding{{Rule: "one", Position: bad(8), Related: []vetting.Position{bad(11)}}}, count{found: 1, missed: 1}},
		{"related beside a mark", []vetting.Finding{{Rule: "one", Position: bad(8), Related: []vetting.Position{bad(10)}}}, count{missed: 2, wrong: 1}},
		{"good code", []vetting.Finding{{Rule: "three", Position: vetting.Position{File: "good.go", Line: 3}}}, count{missed: 2, wrong: 1}},
		{"advice", []vetting.Finding{{Rule: "poolunbounded", Position: vetting.Position{File: "good.go", Line: 3}}}, count{missed: 2, other: 1}},
	} {
		if got := judge("x-01.txtar", functions, test.findings, []string{"poolunbounded"}).count; got != test.want {
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
