package programs

import (
	"strings"
	"testing"
)

const repeatHeader = "type=text;charset=utf-8;boundary=abcdefgh"

func BenchmarkRepeatAcross(b *testing.B) {
	m := &repeatMessage{header: strings.Clone(repeatHeader)}
	for range b.N {
		sink = repeatHandle(m)
	}
}

func BenchmarkRepeatLoop(b *testing.B) {
	lines := strings.Fields("one two three four five six seven eight")
	for b.Loop() {
		sink = repeatLoop(lines, "e,f,g,h,something")
	}
}

func BenchmarkRepeatReceiver(b *testing.B) {
	c := &repeatCodec{repeatField{"the_first_name_of_the_customer"}, repeatField{"the_second_name_of_the_customer"}}
	for range b.N {
		sink = repeatRecords(c)
	}
}

func BenchmarkRepeatEach(b *testing.B) {
	lines := []string{"a,b,c,d", "e,f,g,h", "i,j,k,l", "m,n,o,p"}
	for range b.N {
		sink = repeatEach(lines)
	}
}

func BenchmarkRepeatData(b *testing.B) {
	var lines []string
	for range 20 {
		lines = append(lines, "all the same words")
	}
	for range b.N {
		sink = repeatData(lines)
	}
}

func BenchmarkRepeatEffects(b *testing.B) {
	m := &repeatMessage{header: strings.Clone(repeatHeader)}
	for i := 0; i < b.N; i++ {
		sink = repeatOwn(m.header)
		sink = repeatTwice(m)
		sink = repeatLogged(m.header)
		r := &repeatReader{text: repeatHeader}
		sink = repeatRead(r)
		sink = repeatSums(4, 4)
	}
}

func BenchmarkRepeatOnce(b *testing.B) {
	header := strings.Clone(repeatHeader)
	for range b.N {
		for range 10 {
			sink = repeatOnce(header)
		}
		sink = repeatOnce(header)
	}
}

func BenchmarkRepeatFunctions(b *testing.B) {
	selectors := strings.Fields("a.first b.second c.third d.fourth e.fifth f.sixth")
	for b.Loop() {
		sink = repeatMatch(selectors, 40)
		sink = repeatClasses(selectors, 40)
		sink = repeatDistinct(selectors)
	}
}
