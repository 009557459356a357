package programs

import (
	"strconv"
	"strings"
	"testing"
)

func BenchmarkCandSmall(b *testing.B) {
	words := strings.Fields("a ab abc b bc bcd c cd cde d de def e ef efg f fg fgh g gh ghi h hi hij")
	var text strings.Builder
	for i := range 64 {
		text.WriteString("word" + strconv.Itoa(i) + " ")
	}
	db := &smallDB{common: &smallWrite{count: 7}, log: func(tx *smallTx) { smallSink = tx.name }}
	last := &smallName{text: "last"}
	vars := map[string]int{"one": 1}
	names := make([]*smallName, 1)
	for b.Loop() {
		sink = smallWritten(db, "tx")
		db.open++
		nodes := smallNodes(words[:5], last)
		sink = nodes
		sink = smallTexts(nodes)
		sink = smallNamed("text", names)
		sink = smallCursors("text", func(c *smallCursor) { smallSink = c.text })
		sink = newSmallPoint(3).x + newSmallKept("open").left
		sink = newSmallQueued("queued", new(smallCursorQueue)).left
		f := newSmallFlag(true)
		f.Close()
		sink = f
		sink = smallScanned(words)
		sink = smallEvaluated(vars, smallVariable("one"))
		sink = smallResolved(&smallVars{vars}, "one")
		sink = smallHelped(vars, new(smallCounter))
		sink = smallStored(2)
		sink = smallOuters(3)
		smallSet(new(smallHolder), 4)
		sink = new(smallMessage).unpack(3)
		sink = newSmallTested(5)
		sink = smallTables(text.String(), false)
	}
}

var smallSink any
