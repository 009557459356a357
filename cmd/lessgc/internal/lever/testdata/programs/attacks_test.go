package programs

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"strings"
	"testing"
	"time"
)

func BenchmarkAttacks(b *testing.B) {
	text := strings.Repeat("x y ", 100)
	out := make(chan int, 8)
	c := &crawler{r: strings.NewReader(text)}
	h := &heading{r: strings.NewReader(text)}
	s := &session{hub: &hub{}, w: discard{}}
	t := &tab{rows: make([]int, 10)}
	buf := bytes.NewBuffer(nil)
	batches := &batcher{map[string]int{}, func(map[string]int) {}}
	words := strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w")
	for b.Loop() {
		c.run(4, out)
		for range 4 {
			<-out
		}
		h.r = strings.NewReader(text)
		h.readAll(1)
		(&tokens{&generator{rand.Reader}}).handle()
		s.sendAll([]string{"a", "b"})
		firstByte(strings.NewReader(text))
		firstByte(bufio.NewReader(strings.NewReader(text)))
		t.eachTimes(2, func(int) {})
		copiedText(strings.NewReader(text))
		renderedText(text)
		(&conf{}).levels([]int{1, 2, 3})
		writeText(upperWriter{&counting{w: discard{}}}, text)
		writeText(&counting{w: discard{}}, text)
		withPayload(1234, []byte("abc"))
		csvRows("a,b\n1,2\n3,4\n")
		buf.Reset()
		deferred(buf, 123456)
		stopsAt(5)
		new(stoppable).begin()
		batches.add(words)
		batches.flush()
		deadlines([]time.Duration{time.Hour, time.Hour})
		bodyInto(buf, []byte(text))
		quotedKey("a key of more than sixteen bytes")
		digits("abc1")
		(&records{[]byte{3, 1, 2, 3}}).list()
	}
}
