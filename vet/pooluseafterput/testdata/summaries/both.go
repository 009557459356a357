package summaries

import "sync"

var blocks = sync.Pool{New: func() any { return new(block) }}

// A block is pooled in buffers' way, and callees get it twice.
type block struct {
	data []byte
	n    int
}

func getBlock() *block  { return blocks.Get().(*block) }
func putBlock(b *block) { blocks.Put(b) }

// first uses the slice before it puts its owner back.
//
// summary: p: used; b: released, used
func first(p []byte, b *block) {
	p[0] = byte(b.n)
	putBlock(b)
}

// then uses the slice after that.
//
// summary: p: used, used after the release of b; b: released
func then(p []byte, b *block) byte {
	putBlock(b)
	return p[0]
}

// passes does so in a callee.
//
// summary: p: used, used after the release of b; b: released
func passes(p []byte, b *block) byte { return then(p, b) }

// last gets one block twice, and puts it back when it has done all else.
func (b *block) last(other *block) {
	b.n++
	putBlock(other)
}

// early puts back what it goes on to use.
func (b *block) early(other *block) {
	putBlock(other)
	b.n++
}

func goodFirst(n int) {
	b := getBlock()
	first(b.data[:n], b)
}

func goodOtherBranch(n int, p []byte) {
	b := getBlock()
	if n > len(b.data) {
		putBlock(b)
		return
	}
	data := b.data[:copy(b.data, p)]
	first(data, b)
}

func goodReceiver() {
	b := getBlock()
	b.last(b)
}

func goodCaptured(n int) {
	b := getBlock()
	data := b.data[:n]
	func() {
		data[0] = 1
		putBlock(b)
	}()
}

func badThen(n int) byte {
	b := getBlock()
	return then(b.data[:n], b) // want "b is used after it was put back"
}

func badPasses(n int) byte {
	b := getBlock()
	if n > len(b.data) {
		putBlock(b)
		return 0
	}
	return passes(b.data[:n], b) // want "b is used after it was put back .line 89.: another"
}

func badReceiver() {
	b := getBlock()
	b.early(b) // want "b is used after it was put back"
}

func badTwice(n int) {
	b := getBlock()
	first(b.data[:n], b)
	b.data[0] = 0 // want "b is used after it was put back"
}

var _ = []any{goodFirst, goodOtherBranch, goodReceiver, goodCaptured, badThen, badPasses, badReceiver, badTwice}
