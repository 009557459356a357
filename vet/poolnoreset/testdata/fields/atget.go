package fields

import "sync"

// One of two functions empties what it gets.
type badJoin struct{ text string }

func (j *badJoin) add(s string) { j.text += s }

var badJoins = sync.Pool{New: func() any { return new(badJoin) }}

func startGoodJoin(s string) *badJoin {
	j := badJoins.Get().(*badJoin)
	j.text = ""
	j.add(s)
	return j
}

func startBadJoin(s string) *badJoin {
	j := badJoins.Get().(*badJoin) // want `text of the \*badJoin of badJoins`
	j.add(s)
	return j
}

func putBadJoin(j *badJoin) string {
	text := j.text
	badJoins.Put(j)
	return text
}

func joinBoth(s string) string { return putBadJoin(startGoodJoin(s)) + putBadJoin(startBadJoin(s)) }

// So does one with a list.
type badBatch struct{ all []string }

func (b *badBatch) add(s string) { b.all = append(b.all, s) }

var badBatches = sync.Pool{New: func() any { return new(badBatch) }}

func startGoodBatch(s string) *badBatch {
	b := badBatches.Get().(*badBatch)
	b.all = b.all[:0]
	b.add(s)
	return b
}

func startBadBatch(s string) *badBatch {
	b := badBatches.Get().(*badBatch) // want `all of the \*badBatch of badBatches`
	b.add(s)
	return b
}

func putBadBatch(b *badBatch) int {
	n := len(b.all)
	badBatches.Put(b)
	return n
}

func batchBoth(s string) int { return putBadBatch(startGoodBatch(s)) + putBadBatch(startBadBatch(s)) }

// All get it from a function that empties it.
type goodJoin struct{ text string }

func (j *goodJoin) add(s string) { j.text += s }

var goodJoins = sync.Pool{New: func() any { return new(goodJoin) }}

func getGoodJoin() *goodJoin {
	j := goodJoins.Get().(*goodJoin)
	*j = goodJoin{}
	return j
}

func joinGoodAll(all ...string) string {
	j := getGoodJoin()
	defer goodJoins.Put(j)
	for _, s := range all {
		j.add(s)
	}
	return j.text
}

// It is emptied after its use, and put by the receiver.
type goodSent struct{ text string }

func (j *goodSent) add(s string) { j.text += s }

var goodSents = sync.Pool{New: func() any { return new(goodSent) }}

func sendGood(s string, write func(string), back chan<- *goodSent) {
	j := goodSents.Get().(*goodSent)
	j.add(s)
	write(j.text)
	j.text = ""
	back <- j
}

func receiveGood(back <-chan *goodSent) {
	for j := range back {
		goodSents.Put(j)
	}
}
