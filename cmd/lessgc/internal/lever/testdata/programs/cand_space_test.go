package programs

import (
	"io"
	"testing"
)

func BenchmarkCandSpace(b *testing.B) {
	tables := make([]*spaceTable, 20)
	lists := make([]*spaceList, 20)
	block := make([]byte, 4096)
	m := map[string]int{"kind1": 1}
	c := &spaceCache{map[any]int{}}
	errs := []error{io.EOF, io.ErrUnexpectedEOF}
	for b.Loop() {
		for i := range tables {
			tables[i] = newSpaceTable("key")
			lists[i] = newSpaceList("key")
		}
		f, s := new(spaceFile), new(spaceSmall)
		for range 20 {
			f.write(block)
			s.write(block[:10])
		}
		sink = f
		sink = s
		sink = spaceTaken()
		spaceBack()
		sink = spaceTree(4)
		sink = spaceKept([]string{"a", "b", "c"})
		sink = spaceLookUp(c, "a-kind-of-it-that-is-longer", "name-of-it")
		sink = spaceFound(m, "a-kind-of-it-that-is-longer-than-the-buffer", 123)
		spaceAdded(m, "a-kind-of-it-that-is-longer-than-the-buffer", "name")
		sink = spacePrinted(m, "a-kind-of-it-that-is-longer-than-the-buffer", "name")
		sink = spaceFirst(errs)
		sink = spaceFields(spaceSmall{})
		sink = spaceFolded([]string{"a: b", " c", " d", " e", " f", " g", " h"})
		spaceJoined(make([]string, 2), []string{"a line", "another"})
		of := map[string][]string{}
		spaceParams(of, "a")
		spaceGiven(of, "c", []string{"one", "two", "three"})
		spaceParam(of, "b", "one")
		sink = of
	}
}
