package programs

import "strings"

// smallTx has an end, and a context of its own for writing.
type smallTx struct {
	db      *smallDB
	name    string
	tables  []string
	write   *smallWrite
	shared  *smallWrite
	seldom  *smallWrite
	counted *smallWrite
}

type smallWrite struct {
	count int
	names [4]string
}

type smallDB struct {
	open   int
	common *smallWrite
	log    func(*smallTx)
}

func (db *smallDB) begin(name string) *smallTx {
	tx := &smallTx{db: db, name: name} // want object-pool
	tx.write = &smallWrite{count: 1}   // want embed
	tx.shared = db.common
	if db.open++; db.open%8 == 0 {
		tx.seldom = &smallWrite{count: 2} // no embed
	}
	return tx
}

func (tx *smallTx) Commit() error {
	tx.db.open--
	return nil
}

// The field may have that of another.
func (tx *smallTx) share() {
	tx.shared = &smallWrite{count: 3} // no embed
}

// One comes after the other.
func (tx *smallTx) recount() {
	for i := range 8 {
		tx.counted = &smallWrite{count: i} // no embed
	}
}

func smallWritten(db *smallDB, name string) int {
	tx := db.begin(name)
	db.log(tx)
	tx.share()
	tx.recount()
	n := tx.write.count + tx.shared.count + tx.counted.count
	if tx.seldom != nil {
		n += tx.seldom.count
	}
	if tx.Commit() != nil {
		return 0
	}
	return n
}

// Both are made for each other.
type smallName struct {
	text  string
	place [2]int
}

type smallNode struct {
	name  *smallName
	other *smallName
}

func smallNodes(texts []string, last *smallName) (all []*smallNode) {
	for _, text := range texts {
		name := &smallName{text: text} // want embed
		all = append(all, &smallNode{name: name, other: last})
	}
	return all
}

func smallTexts(all []*smallNode) (n int) {
	for _, node := range all {
		n += len(node.name.text) + len(node.other.text)
	}
	return n
}

// The slice has it too.
func smallNamed(text string, names []*smallName) *smallNode {
	n := &smallName{text: text} // no embed
	names[0] = n
	return &smallNode{other: n}
}

// smallCursor is released by who asked for it.
type smallCursor struct {
	text  string
	place int
	left  int
}

//go:noinline
func newSmallCursor(text string) *smallCursor {
	return &smallCursor{text: text, left: len(text)} // want object-pool
}

func (c *smallCursor) Release() { c.place = -1 }

func smallCursors(text string, seen func(*smallCursor)) int {
	c := newSmallCursor(text)
	defer c.Release()
	seen(c)
	return c.left
}

// It has no end.
type smallPoint struct{ x, y, z int }

//go:noinline
func newSmallPoint(n int) *smallPoint {
	return &smallPoint{n, n, n} // no object-pool
}

// Somebody keeps it.
//
//go:noinline
func newSmallKept(text string) *smallCursor {
	c := &smallCursor{text: text, left: 1} // no object-pool
	smallOpen[text] = c
	return c
}

var smallOpen = map[string]*smallCursor{}

// It is given away for good.
//
//go:noinline
func newSmallQueued(text string, add smallQueue) *smallCursor {
	c := &smallCursor{text: text, left: 2} // no object-pool
	add.push(c)
	return c
}

type smallQueue interface{ push(*smallCursor) }

type smallCursorQueue struct{ all []*smallCursor }

func (q *smallCursorQueue) push(c *smallCursor) { q.all = append(q.all[:0], c) }

// It is small.
type smallFlag struct{ on, off bool }

//go:noinline
func newSmallFlag(on bool) *smallFlag {
	return &smallFlag{on: on} // no object-pool
}

func (f *smallFlag) Close() { f.off = true }

// smallScanner has a current item.
type smallScanner struct {
	words   []string
	word    *smallWord
	pair    *smallWord
	kept    []*smallWord
	keep    *smallWord
	current *smallWord
	first   *smallWord
	item    *smallWord
}

type smallWord struct {
	text   string
	place  int
	parent *smallWord
}

func (s *smallScanner) next() bool {
	if len(s.words) == 0 {
		return false
	}
	s.word = &smallWord{text: s.words[0], place: len(s.words)} // want reuse-item
	s.pair = newSmallWord(s.words[0])
	s.item = &smallWord{text: s.words[0], place: 6} // no reuse-item
	s.keepItem()
	s.words = s.words[1:]
	return true
}

// keepItem keeps what next has made.
func (s *smallScanner) keepItem() {
	if s.item.place > 0 {
		s.kept = append(s.kept, s.item)
	}
}

//go:noinline
func newSmallWord(text string) *smallWord {
	return &smallWord{text: text, place: 1} // want reuse-item
}

// All are kept.
func (s *smallScanner) collect() {
	for _, word := range s.words {
		s.keep = &smallWord{text: word, place: 2} // no reuse-item
		s.kept = append(s.kept, s.keep)
	}
}

func (s *smallScanner) gather() {
	for _, word := range s.words {
		w := &smallWord{text: word, place: 3} // no reuse-item
		s.current = w
		s.kept = append(s.kept, w)
	}
}

// One for each owner.
func (s *smallScanner) start() {
	s.first = &smallWord{text: "first", place: 4} // no reuse-item
}

// It is an element, and no field.
func (s *smallScanner) fill(all []*smallWord) {
	for i, word := range s.words {
		all[i] = &smallWord{text: word, place: 5} // no reuse-item
	}
}

func smallScanned(words []string) (n int) {
	s := &smallScanner{words: words}
	s.start()
	s.collect()
	s.gather()
	s.fill(make([]*smallWord, len(words)))
	for s.next() {
		n += s.word.place + s.pair.place
	}
	return n + len(s.kept) + s.first.place
}

// smallEnv is made for each expression.
type smallEnv struct {
	vars map[string]int
	mode int
}

//go:noinline
func newSmallEnv(vars map[string]int, mode int) *smallEnv {
	return &smallEnv{vars, mode} // want call-object
}

type smallExpression interface{ eval(*smallEnv) int }

type smallVariable string

func (v smallVariable) eval(e *smallEnv) int { return e.vars[string(v)] }

func smallEvaluated(vars map[string]int, e smallExpression) int {
	return e.eval(newSmallEnv(vars, 1))
}

// The functions of users are given it.
type smallOptions struct {
	vars map[string]int
	mode int
}

//go:noinline
func newSmallOptions(vars map[string]int) *smallOptions {
	return &smallOptions{vars, 2} // want call-object
}

func smallHelped(vars map[string]int, helper smallHelper) int {
	return helper.help(newSmallOptions(vars))
}

type smallHelper interface{ help(*smallOptions) int }

type smallCounter struct{ n int }

func (c *smallCounter) help(o *smallOptions) int { return len(o.vars) + o.mode + c.n }

// A reference is passed on in a value, and resolved at once.
type smallReference struct {
	vars map[string]int
	name string
}

type smallReferencer interface{ get() int }

func (r *smallReference) get() int { return r.vars[r.name] }

type smallValue struct {
	kind  int
	value any
}

type smallScope interface {
	reference(name string) smallReferencer
}

type smallVars struct{ vars map[string]int }

func (v *smallVars) reference(name string) smallReferencer {
	return &smallReference{v.vars, name}
}

func smallLookup(s smallScope, name string) smallValue {
	return smallValue{kind: 1, value: s.reference(name)}
}

func (v smallValue) resolve() int {
	if r, ok := v.value.(smallReferencer); ok {
		return r.get()
	}
	return 0
}

func smallResolved(s smallScope, name string) int { return smallLookup(s, name).resolve() }

// The caller keeps it.
//
//go:noinline
func newSmallStored(mode int) *smallEnv {
	return &smallEnv{mode: mode} // no call-object
}

var smallLast *smallEnv

func smallStored(mode int) int {
	smallLast = newSmallStored(mode)
	return smallLast.mode
}

// It is stored in an object that is returned.
//
//go:noinline
func newSmallInner(mode int) *smallEnv {
	return &smallEnv{mode: mode} // no call-object
}

type smallOuter struct{ env *smallEnv }

func smallOuters(mode int) *smallOuter { return &smallOuter{newSmallInner(mode)} }

// What is called is there to keep it.
//
//go:noinline
func newSmallSet(mode int) *smallEnv {
	return &smallEnv{mode: mode} // no call-object
}

type smallSetter interface{ setEnv(*smallEnv) }

type smallHolder struct{ env *smallEnv }

func (h *smallHolder) setEnv(e *smallEnv) { h.env = e }

func smallSet(s smallSetter, mode int) { s.setEnv(newSmallSet(mode)) }

// What it is passed on in is kept.
type smallRecord struct{ body any }

type smallMessage struct{ records []smallRecord }

//go:noinline
func newSmallBody(mode int) any {
	return &smallEnv{mode: mode} // no call-object
}

func (m *smallMessage) unpack(n int) *smallMessage {
	for i := range n {
		m.records = append(m.records, smallRecord{newSmallBody(i)})
	}
	return m
}

// Only tests call it.
//
//go:noinline
func newSmallTested(mode int) *smallEnv {
	return &smallEnv{mode: mode} // no call-object
}

// smallKeys is a table that the benchmark deletes nothing from, and smallIDs one that it does.
type smallKeys struct{ keys map[string]*smallKey }

type smallKey struct {
	table *smallKeys
	name  string
	place int
}

func (t *smallKeys) add(name string) {
	k := &smallKey{t, name, len(name)} // want batch
	t.keys[name] = k
}

func (t *smallKeys) remove(name string) { delete(t.keys, name) }

type smallIDs struct{ ids map[string]*smallID }

type smallID struct {
	table *smallIDs
	name  string
	place int
}

func (t *smallIDs) add(name string) {
	id := &smallID{t, name, len(name)} // no batch
	t.ids[name] = id
}

func (t *smallIDs) remove(name string) { delete(t.ids, name) }

func smallTables(text string, drop bool) *smallKeys {
	keys, ids := &smallKeys{map[string]*smallKey{}}, &smallIDs{map[string]*smallID{}}
	words := strings.Fields(text)
	for _, word := range words {
		keys.add(word)
		ids.add(word)
	}
	for _, word := range words {
		ids.remove(word)
		if drop {
			keys.remove(word)
		}
	}
	return keys
}
