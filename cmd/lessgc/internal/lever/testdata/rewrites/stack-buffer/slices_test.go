package stackbuffer

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestSlices calls what is rewritten with sizes below the room, as large, and above it.
func TestSlices(t *testing.T) {
	for n := 2; n < 600; n += 1 + n/7 {
		s := strings.Repeat("Some Text ", 60)[:n]
		names := slices.Repeat([]string{"one", "three", "two"}, n/9+1)
		backwards := []byte(s)
		slices.Reverse(backwards)
		count := ""
		for i, name := range names {
			count += fmt.Sprint(i, " ", name)
		}
		sum, distinct := 0, map[int]bool{}
		for _, c := range []byte(s) {
			sum += int(c)
			distinct[int(c)%(2*n+30)] = true
		}
		before, es := steps, strings.Count(s, "e")
		again := strings.Repeat(s, 10)[:8*n+3]
		whole, room := copiedWhole(s)
		for i, c := range []struct{ got, want any }{
			{setBack(s), s + "x" + s + "y"},
			{reversed(s), string(backwards)},
			{lowered(s), strings.ReplaceAll(strings.ToLower(s), " ", "")},
			{appendedTwice(s), s + "1" + s + "2"},
			{quoted("name", s), `name="` + s + `"`},
			{counted(names), count},
			{whole, s},
			{room, n},
			{beyond(s), s[:2] + "!" + s[1:] + s},
			{both(s), sum},
			{inEach([]string{s, s}), 2 * len(distinct)},
			{largest(names), "three"},
			{sortedNames(names), "one"},
			{filled(s), strings.Count(again, "e")},
			{steps, before + 1},
			{tallied(s), 16 * strings.Count(s, "e")},
			{summed(n), n * (n - 1) / 2},
			{makeNamed(s), es},
			{minNamed(s), es},
			{lenNamed(s), es},
			{lenShadowed(s), es},
			{minShadowed(s), es},
			{byPackage(s), strings.Count(s[:min(n, n+room)], "e")},
			{byField(&bySelf{left: n}, s), es},
			{byChannel(queue(s)), strings.Count(s[:min(n, 41)], "e")},
			{byCaptured(s), es + n + 40},
			{bySum(s, "ee"), es + 2},
			{byParenthesised(s, 1), 1 + strings.Count(s[:n-1], "e") + strings.Count(s[:max(0, n-1-strings.Count(s[:n-1], "e"))], "e")},
			{reread(s), 2 * (n + 40)},
			{grouped(1234567, 2), "1,234,567"},
			{grouped(0, n), strings.Repeat("0,", n) + "0"},
		} {
			if c.got != c.want {
				t.Errorf("%d: function %d returns %v, want %v", n, i, c.got, c.want)
			}
		}
	}
}

// TestNegative checks that a negative length, and one that is too large, panics as make does.
func TestNegative(t *testing.T) {
	for name, call := range map[string]func(){
		"grouped":         func() { grouped(1, -3) },
		"byParenthesised": func() { byParenthesised("a", 2) },
		"byField":         func() { byField(&bySelf{left: -50}, "") },
	} {
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || err.Error() != "runtime error: makeslice: len out of range" {
					t.Errorf("%s: %v", name, err)
				}
			}()
			call()
		}()
	}
}

// queue has one text.
func queue(s string) chan string {
	texts := make(chan string, 1)
	texts <- s
	return texts
}

// TestSliceAllocs counts the allocations of slices that fit and of one that does not, before the change and after it.
func TestSliceAllocs(t *testing.T) {
	saved := 0.0
	if os.Getenv("LESSGC_EDITED") != "" {
		saved = 1
	}
	s := strings.Repeat("Some Text ", 6)
	names := slices.Repeat([]string{"one", "three", "two"}, 3)
	for name, c := range map[string]struct {
		before, saved float64
		call          func()
	}{
		"reversed":    {2, saved, func() { reversed(s) }},
		"lowered":     {2, 0, func() { lowered(s) }},
		"counted":     {2, saved, func() { counted(names) }},
		"countedRoom": {2, 0, func() { countedRoom(names) }},
		"copiedWhole": {2, 0, func() { copiedWhole(s) }},
		"both":        {1, saved, func() { both(s) }},
		"inEach":      {9, 9 * saved, func() { inEach(names) }},
		"largest":     {1, saved, func() { largest(names) }},
		"sortedNames": {1, saved, func() { sortedNames(names) }},
		"grouped":     {4, 0, func() { grouped(123456, 2) }},
		"byField":     {1, 0, func() { byField(shorter, s) }},
		"bySum":       {1, 0, func() { bySum(s, "") }},
		"filled":      {1, 0, func() { filled(s) }},
		"summed":      {1, saved, func() { summed(most) }},
		"long":        {1, 0, func() { summed(most + 1) }},
	} {
		if got := testing.AllocsPerRun(100, c.call); got != c.before-c.saved {
			t.Errorf("%s: %g allocations, want %g", name, got, c.before-c.saved)
		}
	}
}

var (
	sink    any
	shorter = &bySelf{left: 3}
	most    = 32 // elements of summed that fit; the compiler must not know them
)

// BenchmarkSlices makes slices of more than 32 bytes, most of which need no more than 512.
func BenchmarkSlices(b *testing.B) {
	for b.Loop() {
		for i := range 24 {
			s := strings.Repeat("Some Text ", 20)[:40+i]
			names := slices.Repeat([]string{"one", "three", "two"}, 2+i%2)
			grouped(123, 6+i%4)
			setBack(s)
			capNamed(s)
			makeNamed(s)
			minNamed(s)
			lenNamed(s)
			lenShadowed(s)
			minShadowed(s)
			byPackage(s)
			byField(&bySelf{left: 3}, s)
			byChannel(queue(s))
			byCaptured(s)
			bySum(s, s)
			byParenthesised(s, 1)
			reread(s)
			shifted(i % 3)
			product(s, "ab")
			appendedTwice(s)
			reversed(s)
			lowered(s)
			quoted("name", s)
			counted(names)
			countedRoom(names)
			copiedWhole(s)
			beyond(s)
			both(s)
			inEach(names)
			largest(names)
			sortedNames(names)
			filled(s)
			summed(10 + i)
			tallied(s)
			sink = sliceReturned(s)
			sink = partReturned(s)
			sliceStored(s)
			sliceHeld(&holder{}, s)
			sliceCaptured(s)
			elementTaken(s)
			var out bytes.Buffer
			sliceWritten(&out, s)
			sliceBuffered(bufio.NewWriter(&out), s)
			sliceRead(strings.NewReader(s), i)
			sliceDecoded("12")
			sliceVisited(s, func(b []byte) int { sink = b; return len(b) })
			slicePrinted(s)
			sliceSummed(s)
			sliceSplit(s)
			sliceLate(s)
			sliceSent(s)
			sliceKeptBy(s)
			sliceNested(names)
			sliceGrouped(names)
			sizeOf(&bySelf{left: 3}, s)
			sliceLong(s)
			sliceMixed(i)
			sliceUneven(i)
			sliceSmall(i)
			sliceWide(int64(i))
			sliceRoom(i)
			sliceBegun(s, 1)
			slicePair(s)
			sliceInHeader(s)
			sliceNoted(s)
			sliceNotedInside(s)
			sliceHiding(s)
			sliceOfLiteral(s)
			sliceGeneric(names, "two")
			sliceShared(names)
			sliceAgain(i)
			sliceRecovered(i)
			sliceInSlice(s)
			sliceShadowed(s)
		}
	}
}
