package programs

import (
	"bytes"
	"crypto/sha256"
	"reflect"
	"testing"
)

func BenchmarkParts(b *testing.B) {
	const text = "a text of some words that is longer than a few characters"
	var buf bytes.Buffer
	known := map[string]bool{"example": true}
	type tagged struct {
		partsCounter
		name string
	}
	typ := reflect.TypeFor[tagged]()
	values := reflect.ValueOf(map[string]int{"some": 1, "more": 2, "names": 3})
	var numbers []int
	slice := reflect.ValueOf(&numbers).Elem()
	for b.Loop() {
		partsCounted(new(partsCounter), text)
		partsStatus(new(partsCounter), text)
		partsSum(partsHash{sha256.New()}, text)
		partsUpper(new(partsBytes), text)
		partsDigest(text)
		partsJoined(&buf, text, text)
		sink = partsFromRight("www.example.com", known)
		sink, _ = partsByNumber(text)
		sink = partsLast([]byte(text))
		sink = partsAll(text)
		sink = new(partsKeeper).keep(text)
		sink = partsSorted(text)
		sink = partsMore(text)
		sink = partsJoinedAgain(text)
		sink = partsThird(text)
		sink = partsPairs(text)
		sink = partsMapSize(values)
		sink = partsMapValues(values)
		sink = partsMapSet(values)
		slice.SetLen(0)
		partsAppend(slice, 20)
		sink = partsAppended(slice)
		partsMake(slice, 3)
		partsMakeOf(slice, slice.Type(), 3)
		sink = partsHas(typ, []string{"n", "b"})
		partsKnown.Clear()
		sink = partsHasKept(typ)
		sink = partsNamed(reflect.ValueOf(tagged{}))
		sink = partsCalled(reflect.ValueOf(&buf))
	}
}
