package arena

import (
	"runtime"
	"sync"
)

// What follows is as link, newLink and links, but for one detail.

type testedLink struct {
	next *testedLink
	v    int
}

func newTested(next *testedLink, v int) *testedLink {
	return &testedLink{next, v} // refused: a test calls it
}

func testedLinks(n int) (sum int) {
	var last *testedLink
	for i := range n {
		last = newTested(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type storedLink struct {
	next *storedLink
	v    int
}

func newStored(next *storedLink, v int) *storedLink {
	return &storedLink{next, v} // refused: it is a value, too
}

var makers = map[string]func(*storedLink, int) *storedLink{"stored": newStored}

func storedLinks(n int) (sum int) {
	var last *storedLink
	for i := range n {
		last = newStored(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum + len(makers)
}

type methodLink struct {
	next *methodLink
	v    int
}

type factory struct{ made int }

type anyFactory interface {
	link(next *methodLink, v int) *methodLink
}

var _ anyFactory = (*factory)(nil)

func (f *factory) link(next *methodLink, v int) *methodLink {
	f.made++
	return &methodLink{next, v} // refused: the method is one of an interface
}

func methodLinks(n int) (sum int) {
	var f factory
	var last *methodLink
	for i := range n {
		last = f.link(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum + f.made
}

type genericLink struct {
	next *genericLink
	v    int
}

func newGeneric[T any](next *genericLink, v int, _ T) *genericLink {
	return &genericLink{next, v} // refused: the function is generic
}

func genericLinks(n int) (sum int) {
	var last *genericLink
	for i := range n {
		last = newGeneric(last, i, "")
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type exportedLink struct {
	next *exportedLink
	v    int
}

func NewExported(next *exportedLink, v int) *exportedLink {
	return &exportedLink{next, v} // refused: an exported function keeps its signature
}

func exportedLinks(n int) (sum int) {
	var last *exportedLink
	for i := range n {
		last = NewExported(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type plan9Link struct {
	next *plan9Link
	v    int
}

func newPlan9(next *plan9Link, v int) *plan9Link {
	return &plan9Link{next, v} // refused: a file of another system calls it
}

func plan9Links(n int) (sum int) {
	var last *plan9Link
	for i := range n {
		last = newPlan9(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type closureLink struct {
	next *closureLink
	v    int
}

func newClosure(next *closureLink, v int) *closureLink {
	return &closureLink{next, v} // refused: a function literal makes them, which may be called later
}

func closureLinks(n int) (sum int) {
	var last *closureLink
	add := func(v int) { last = newClosure(last, v) }
	for i := range n {
		add(i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type literalLink struct {
	next *literalLink
	v    int
}

func literalLinks(n int) (sum int) {
	var last *literalLink
	var add func(v int)
	add = func(v int) {
		if v > 0 {
			add(v - 1)
			last = &literalLink{last, v} // refused: the recursion is one of a function literal
		}
	}
	add(n)
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type goLink struct {
	next *goLink
	v    int
}

func newGo(to **goLink, n int, wg *sync.WaitGroup) {
	for v := range n {
		*to = &goLink{*to, v} // refused: goroutines make them, at the same time
	}
	wg.Done()
}

func goLinks(n int) (sum int) {
	var wg sync.WaitGroup
	var lists [2]*goLink
	for i := range lists {
		wg.Add(1)
		go newGo(&lists[i], n, &wg)
	}
	wg.Wait()
	for _, last := range lists {
		for ; last != nil; last = last.next {
			sum += last.v
		}
	}
	return sum
}

type deferLink struct {
	next *deferLink
	v    int
}

func newDefer(to **deferLink, v int) {
	*to = &deferLink{*to, v} // refused: it is called when the function returns
}

func deferLinks(n int) (sum int) {
	var last *deferLink
	defer func() {
		for ; last != nil; last = last.next {
			sum += last.v
		}
	}()
	for v := range n {
		defer newDefer(&last, v)
	}
	return 1
}

type rangeLink struct {
	next *rangeLink
	v    int
}

func rangeLinks(all func(func(int) bool)) (sum int) {
	var last *rangeLink
	for v := range all {
		last = &rangeLink{last, v} // refused: the function that is gone over decides where the loop's body runs
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type againLink struct {
	next *againLink
	v    int
}

func newAgain(next *againLink, v int) *againLink {
	return &againLink{next, v} // refused: the root calls itself, and each call would have an arena
}

func againLinks(n int) (sum int) {
	if n == 0 {
		return 0
	}
	var last *againLink
	for i := range n {
		last = newAgain(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum + againLinks(n-1)
}

type largeLink struct {
	next *largeLink
	v    [40]int
}

func newLarge(next *largeLink, v int) *largeLink {
	return &largeLink{next, [40]int{v}} // refused: of objects that large a chunk has few
}

func largeLinks(n int) (sum int) {
	var last *largeLink
	for i := range n {
		last = newLarge(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v[0]
	}
	return sum
}

type lockedLink struct {
	next *lockedLink
	v    int
	mu   sync.Mutex
}

func newLocked(next *lockedLink, v int) *lockedLink {
	return &lockedLink{next: next, v: v} // refused: it has a lock, which is not copied
}

func lockedLinks(n int) (sum int) {
	var last *lockedLink
	for i := range n {
		last = newLocked(last, i)
	}
	for ; last != nil; last = last.next {
		last.mu.Lock()
		sum += last.v
		last.mu.Unlock()
	}
	return sum
}

type finalLink struct {
	next *finalLink
	v    int
}

func newFinal(next *finalLink, v int) *finalLink {
	return &finalLink{next, v} // refused: one of them has a finalizer, for which it has to be an object by itself
}

func finalLinks(n int) (sum int) {
	var last *finalLink
	for i := range n {
		last = newFinal(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

func watched() {
	runtime.SetFinalizer(newFinal(nil, 0), func(*finalLink) {})
}

type unnamedLink struct {
	next *unnamedLink
	v    int
}

func newUnnamed(*int) *unnamedLink {
	return &unnamedLink{} // refused: its parameters have no names
}

func unnamedLinks(n int) (sum int) {
	var last *unnamedLink
	for range n {
		l := newUnnamed(nil)
		l.next, last = last, l
	}
	for ; last != nil; last = last.next {
		sum++
	}
	return sum
}

type shadowLink struct {
	next *shadowLink
	v    int
}

func newShadow(next *shadowLink, arena int) *shadowLink {
	return &shadowLink{next, arena} // refused: the name of the package means something else
}

func shadowLinks(n int) (sum int) {
	var last *shadowLink
	for i := range n {
		last = newShadow(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type spreadLink struct {
	next *spreadLink
	v    int
}

func newSpread(next *spreadLink, v int) *spreadLink {
	return &spreadLink{next, v} // refused: all its arguments are the results of one call
}

func spread(last *spreadLink, v int) (*spreadLink, int) { return last, v }

func spreadLinks(n int) (sum int) {
	var last *spreadLink
	for i := range n {
		last = newSpread(spread(last, i))
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type exprLink struct {
	next *exprLink
	v    int
}

type exprMaker struct{ from int }

func (m *exprMaker) make(next *exprLink, v int) *exprLink {
	return &exprLink{next, v + m.from} // refused: a method expression calls it
}

func exprLinks(n int) (sum int) {
	m := exprMaker{1}
	var last *exprLink
	for i := range n {
		last = (*exprMaker).make(&m, last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type nilLink struct {
	next *nilLink
	v    int
}

func newNil(next *nilLink, v int) *nilLink {
	return &nilLink{next, v} // refused: where another function calls it, nil is another name
}

func nilLinks(n int) (sum int) {
	var last *nilLink
	for i := range n {
		last = newNil(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

func anotherNil() int {
	nil := 3
	var last *nilLink
	return newNil(last, nil).v
}

type keptLink struct {
	next *keptLink
	v    int
}

var kept *keptLink

func newKept(next *keptLink, v int) *keptLink {
	return &keptLink{next, v} // refused: a variable of the package keeps them
}

func keptLinks(n int) (sum int) {
	var last *keptLink
	for i := range n {
		last = newKept(last, i)
	}
	kept = last
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type poolLink struct {
	next *poolLink
	v    int
}

var poolOfLinks = sync.Pool{New: func() any { return new(poolLink) }}

func newPooled(next *poolLink, v int) *poolLink {
	return &poolLink{next, v} // refused: others of the type are in a pool
}

func pooledLinks(n int) (sum int) {
	l := poolOfLinks.Get().(*poolLink)
	l.v++
	poolOfLinks.Put(l)
	var last *poolLink
	for i := range n {
		last = newPooled(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type uncopiedLink struct {
	next *uncopiedLink
	v    int
	_    noCopy
}

type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

func newUncopied(next *uncopiedLink, v int) *uncopiedLink {
	return &uncopiedLink{next: next, v: v} // refused: it says that it is not copied
}

func uncopiedLinks(n int) (sum int) {
	var last *uncopiedLink
	for i := range n {
		last = newUncopied(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}

type madeLink struct {
	next *madeLink
	v    int
	_    noCopy
}

func newMade(next *madeLink, v int) *madeLink {
	l := new(madeLink) // rewritten
	l.next, l.v = next, v
	return l
}

func madeLinks(n int) (sum int) {
	var last *madeLink
	for i := range n {
		last = newMade(last, i)
	}
	for ; last != nil; last = last.next {
		sum += last.v
	}
	return sum
}
