package fields

import "sync"

type twoItem struct{ n int }

// Values of one type are in two pools, and only those of one of them are reset.
type twoList struct{ items []*twoItem }

func (l *twoList) reset() { *l = twoList{} }

func (l *twoList) read(data []int) {
	for _, n := range data {
		l.items = append(l.items, &twoItem{n})
	}
}

var (
	twoClean = sync.Pool{New: func() any { return new(twoList) }}
	twoStale = sync.Pool{New: func() any { return new(twoList) }}
)

func sumBadTwo(data []int) (sum int) {
	l := twoStale.Get().(*twoList) // want `items of the \*twoList of twoStale`
	l.read(data)
	for _, x := range l.items {
		sum += x.n
	}
	twoStale.Put(l)
	return sum
}

func putTwo(l *twoList) {
	l.reset()
	twoClean.Put(l)
}

func sumGoodTwo(data []int) (sum int) {
	l := twoClean.Get().(*twoList)
	l.read(data)
	for _, x := range l.items {
		sum += x.n
	}
	putTwo(l)
	return sum
}

// The assignment is in the function that puts, and in a closure.
type twoText struct{ text string }

func (t *twoText) add(s string) { t.text += s }

var (
	textClean = sync.Pool{New: func() any { return new(twoText) }}
	textStale = sync.Pool{New: func() any { return new(twoText) }}
)

func joinBadTwo(all []string) string {
	t := textStale.Get().(*twoText) // want `text of the \*twoText of textStale`
	for _, s := range all {
		t.add(s)
	}
	text := t.text
	textStale.Put(t)
	return text
}

func joinGoodTwo(all []string) string {
	put := func(t *twoText) {
		t.text = ""
		textClean.Put(t)
	}
	t := textClean.Get().(*twoText)
	for _, s := range all {
		t.add(s)
	}
	text := t.text
	put(t)
	return text
}

// A function that is exported empties values of both pools.
type twoShared struct{ text string }

func (t *twoShared) add(s string) { t.text += s }

var (
	sharedOne = sync.Pool{New: func() any { return new(twoShared) }}
	sharedTwo = sync.Pool{New: func() any { return new(twoShared) }}
)

func GoodEmpty(t *twoShared) { t.text = "" }

func joinGoodShared(all []string) string {
	t := sharedOne.Get().(*twoShared)
	for _, s := range all {
		t.add(s)
	}
	text := t.text
	GoodEmpty(t)
	sharedOne.Put(t)
	return text
}

func putShared(t *twoShared) {
	GoodEmpty(t)
	sharedTwo.Put(t)
}

func joinGoodSharedTwo(all []string) string {
	t := sharedTwo.Get().(*twoShared)
	for _, s := range all {
		t.add(s)
	}
	text := t.text
	putShared(t)
	return text
}

// One function puts into either.
type twoSizes struct{ text string }

func (t *twoSizes) add(s string) { t.text += s }

var (
	smallSizes = sync.Pool{New: func() any { return new(twoSizes) }}
	largeSizes = sync.Pool{New: func() any { return new(twoSizes) }}
)

func goodPutSizes(t *twoSizes, large bool) {
	t.text = ""
	if large {
		largeSizes.Put(t)
		return
	}
	smallSizes.Put(t)
}

func joinGoodSizes(all []string) string {
	t := smallSizes.Get().(*twoSizes)
	for _, s := range all {
		t.add(s)
	}
	text := t.text
	goodPutSizes(t, false)
	return text
}

func joinGoodLarge(all []string) string {
	t := largeSizes.Get().(*twoSizes)
	for _, s := range all {
		t.add(s)
	}
	text := t.text
	goodPutSizes(t, true)
	return text
}

// The helper puts into the pool that it gets.
type twoGiven struct{ text string }

func (t *twoGiven) add(s string) { t.text += s }

var givenOne, givenTwo = sync.Pool{New: func() any { return new(twoGiven) }}, sync.Pool{New: func() any { return new(twoGiven) }}

func putGiven(p *sync.Pool, t *twoGiven) {
	t.text = ""
	p.Put(t)
}

func joinGoodGiven(all []string) string {
	t := givenOne.Get().(*twoGiven)
	for _, s := range all {
		t.add(s)
	}
	text := t.text
	putGiven(&givenOne, t)
	return text
}

func joinGoodGivenTwo(all []string) string {
	t := givenTwo.Get().(*twoGiven)
	for _, s := range all {
		t.add(s)
	}
	text := t.text
	putGiven(&givenTwo, t)
	return text
}

// The way back asks whether there is a pool.
type twoOwner struct{ clean, stale *sync.Pool }

type TwoQuery struct {
	owner *twoOwner
	bind  func() error
}

func newTwoOwner() *twoOwner {
	return &twoOwner{&sync.Pool{New: func() any { return new(TwoQuery) }}, &sync.Pool{New: func() any { return new(TwoQuery) }}}
}

func (o *twoOwner) BadQuery() *TwoQuery {
	q := o.stale.Get().(*TwoQuery) // want `bind of the \*TwoQuery of o.stale`
	q.owner = o
	return q
}

func (o *twoOwner) GoodQuery() *TwoQuery {
	q := o.clean.Get().(*TwoQuery)
	q.owner = o
	return q
}

func (q *TwoQuery) reset() { *q = TwoQuery{} }

func (q *TwoQuery) Bind(f func() error) *TwoQuery {
	q.bind = f
	return q
}

func (q *TwoQuery) Exec() error {
	if q.bind != nil {
		return q.bind()
	}
	return nil
}

func (q *TwoQuery) ReleaseBad() {
	if q == nil || q.owner == nil || q.owner.stale == nil {
		return
	}
	pool := q.owner.stale
	pool.Put(q)
}

func (q *TwoQuery) ReleaseGood() {
	if q == nil || q.owner == nil || q.owner.clean == nil {
		return
	}
	pool := q.owner.clean
	q.reset()
	pool.Put(q)
}
