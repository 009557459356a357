package fields

import "sync"

// An entry has a posting or an identifier, and comes back with the other one.
type badEntry struct {
	key     string
	uid     int
	posting *badPosting
}

type badPosting struct {
	uid   int
	ref   bool
	value string
}

var badEntries = sync.Pool{New: func() any { return new(badEntry) }}

func (e *badEntry) size() int {
	n := len(e.key)
	if e.posting != nil {
		n += len(e.posting.value)
	}
	return n
}

func addBadEntry(key string, p *badPosting, all []*badEntry) ([]*badEntry, int) {
	e := badEntries.Get().(*badEntry) // want `posting of the \*badEntry of badEntries`
	e.key = key
	if !p.ref {
		e.posting = p
	} else {
		e.uid = p.uid
	}
	return append(all, e), e.size()
}

// This one starts with a new value.
func addGoodEntry(key string, p *badPosting, all []*badEntry) ([]*badEntry, int) {
	e := badEntries.Get().(*badEntry)
	*e = badEntry{key: key}
	if !p.ref {
		e.posting = p
	} else {
		e.uid = p.uid
	}
	return append(all, e), e.size()
}

func putBadEntries(all []*badEntry) {
	for _, e := range all {
		badEntries.Put(e)
	}
}

// A flag that is only set.
type badRow struct {
	cells []string
	last  bool
}

var badRows = sync.Pool{New: func() any { return new(badRow) }}

func writeBadRow(cells []string, n, of int, write func(string)) {
	r := badRows.Get().(*badRow) // want `last of the \*badRow of badRows`
	defer badRows.Put(r)
	r.cells = cells
	if n+1 == of {
		r.last = true
	}
	for _, c := range r.cells {
		write(c)
	}
	if r.last {
		write("end")
	}
}

// Text from one of two sources, or none.
type badTitle struct {
	path, title string
}

var badTitles = sync.Pool{New: func() any { return new(badTitle) }}

func badTitleOf(path string, titles map[string]string) string {
	t := badTitles.Get().(*badTitle) // want `title of the \*badTitle of badTitles`
	defer badTitles.Put(t)
	t.path = path
	if title, ok := titles[path]; ok {
		t.title = title
	}
	return t.path + t.title
}

// Which field is read depends on which was written.
type goodUnion struct {
	ref     bool
	uid     int
	posting *badPosting
}

var goodUnions = sync.Pool{New: func() any { return new(goodUnion) }}

func useGoodUnion(p *badPosting, write func(int)) {
	u := goodUnions.Get().(*goodUnion)
	defer goodUnions.Put(u)
	u.ref = p.ref
	if p.ref {
		u.uid = p.uid
	} else {
		u.posting = p
	}
	if u.ref {
		write(u.uid)
	} else {
		write(u.posting.uid)
	}
}

// It is made once, and kept.
type goodKept struct {
	made  bool
	table []int
}

var goodKeeps = sync.Pool{New: func() any { return new(goodKept) }}

func useGoodKept(n int) int {
	k := goodKeeps.Get().(*goodKept)
	defer goodKeeps.Put(k)
	if !k.made {
		k.table = make([]int, 256)
		k.made = true
	}
	return k.table[n]
}

// The setting is the same for all.
type goodTracer struct{ verbose bool }

type goodTracers struct {
	pool    sync.Pool
	verbose bool
}

func (t *goodTracers) trace(write func(string)) {
	x := t.pool.Get().(*goodTracer)
	defer t.pool.Put(x)
	if t.verbose {
		x.verbose = true
	}
	if x.verbose {
		write("verbose")
	}
}

func newGoodTracers() *goodTracers {
	return &goodTracers{pool: sync.Pool{New: func() any { return new(goodTracer) }}}
}

// All branches set it.
type goodBranches struct{ text string }

var goodBranchPool = sync.Pool{New: func() any { return new(goodBranches) }}

func useGoodBranches(n int, text string, write func(string)) {
	b := goodBranchPool.Get().(*goodBranches)
	defer goodBranchPool.Put(b)
	switch {
	case n > 10:
		b.text = text
	default:
		b.text = ""
	}
	write(b.text)
}

// The helper that puts it resets it.
type goodPutRow struct{ last bool }

var goodPutRows = sync.Pool{New: func() any { return new(goodPutRow) }}

func putGoodRow(r *goodPutRow) {
	*r = goodPutRow{}
	goodPutRows.Put(r)
}

func writeGoodPutRow(n, of int, write func(string)) {
	r := goodPutRows.Get().(*goodPutRow)
	defer putGoodRow(r)
	if n+1 == of {
		r.last = true
	}
	if r.last {
		write("end")
	}
}

// What is read depends on the same condition.
type goodSame struct{ text string }

var goodSames = sync.Pool{New: func() any { return new(goodSame) }}

func useGoodSame(text string, with bool, write func(string)) {
	s := goodSames.Get().(*goodSame)
	defer goodSames.Put(s)
	if with {
		s.text = text
	}
	write("begin")
	if with {
		write(s.text)
	}
}

// A new value is made where the pool has none.
type goodFresh struct {
	n    int
	text string
}

var goodFreshes sync.Pool

func useGoodFresh(text string, write func(string)) {
	f, ok := goodFreshes.Get().(*goodFresh)
	if !ok {
		f = &goodFresh{text: "new"}
	}
	f.n++
	f.text = text
	write(f.text)
	goodFreshes.Put(f)
}
