package pools

import (
	"fmt"
	"sync"
	_ "unsafe" // for go:linkname
)

var parted = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func take() []byte { return parted.Get().([]byte) }

func give(b []byte) {
	parted.Put(b) // refused: another function takes it
}

var half = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func whole(n int) int {
	b := half.Get().([]byte)
	b = append(b[:0], byte(n))
	half.Put(b) // refused: another function puts slices of its own
	return len(b)
}

func own(n int) {
	half.Put(make([]byte, 0, n)) // refused: it takes none
}

// Exported may be used by other packages.
var Exported = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useExported(n int) int {
	b := append(Exported.Get().([]byte)[:0], byte(n))
	Exported.Put(b) // refused: other packages see it
	return len(b)
}

var addressed = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useAddressed(n int) int {
	b := append(addressed.Get().([]byte)[:0], byte(n))
	addressed.Put(b) // refused: a pointer to the pool is elsewhere
	return len(b) + giveTo(&addressed)
}

func giveTo(p *sync.Pool) int {
	b := append(p.Get().([]byte)[:0], 1)
	p.Put(b) // refused: the pool is a parameter
	return len(b)
}

type withPool struct{ pool sync.Pool }

func (w *withPool) use(n int) int {
	var b []byte
	if x := w.pool.Get(); x != nil {
		b = x.([]byte)[:0]
	}
	b = append(b, byte(n))
	w.pool.Put(b) // refused: the pool is a field
	return len(b)
}

var embedded struct{ sync.Pool }

func useEmbedded(n int) int {
	var b []byte
	if x := embedded.Get(); x != nil {
		b = x.([]byte)[:0]
	}
	b = append(b, byte(n))
	embedded.Put(b) // refused: the pool is a field of the variable
	return len(b)
}

func localPool(n int) int {
	var pool = sync.Pool{New: func() any { return make([]byte, 0, 64) }}
	b := append(pool.Get().([]byte)[:0], byte(n))
	pool.Put(b) // refused: the pool is a local variable
	return len(b)
}

var commaOK = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useCommaOK(n int) int {
	b, ok := commaOK.Get().([]byte)
	if !ok {
		b = make([]byte, 0, 64)
	}
	b = append(b[:0], byte(n))
	commaOK.Put(b) // refused: the type is asked for
	return len(b)
}

var twice = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putTwice(n int) int {
	b := append(twice.Get().([]byte)[:0], byte(n))
	if n > 3 {
		twice.Put(b)
	}
	twice.Put(b) // refused: for more than three, it is put back twice
	return len(b)
}

var falls = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putAndFall(n int) int {
	b := append(falls.Get().([]byte)[:0], byte(n))
	switch n {
	case 1:
		falls.Put(b) // refused: the next case puts it back again
		fallthrough
	case 2:
		falls.Put(b[:0])
	}
	return len(b)
}

var looped = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putInLoop(n int) int {
	b := append(looped.Get().([]byte)[:0], byte(n))
	for range n {
		looped.Put(b) // refused: it is put back in each iteration
	}
	return len(b)
}

var rare = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func takeAtFirst(n int) (sum int) {
	var b []byte
	for i := range n {
		if i == 0 {
			b = rare.Get().([]byte)
		}
		sum += cap(b)
		rare.Put(b) // refused: it is taken once
	}
	return sum
}

var again = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putAndDefer(n int) int {
	b := again.Get().([]byte)
	defer again.Put(b) // refused: it is put back before
	b = append(b, byte(n))
	if n > 3 {
		again.Put(b)
	}
	return len(b)
}

var laterTwice = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putTwiceLater(n int) int {
	b := laterTwice.Get().([]byte)
	defer func() {
		laterTwice.Put(b) // refused: the same function puts it back once more
		laterTwice.Put(b[:0])
	}()
	return n
}

var laterInLoop = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putLaterInLoop(n int) int {
	for range n {
		b := laterInLoop.Get().([]byte)
		defer func() {
			laterInLoop.Put(b) // refused: the literal is made in each iteration
		}()
	}
	return n
}

var pair = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func takeTwo(n int) int {
	a := append(pair.Get().([]byte)[:0], byte(n))
	b := append(pair.Get().([]byte)[:0], a...)
	pair.Put(a) // refused: two are taken
	pair.Put(b)
	return len(b)
}

var unasked sync.Pool

func takeUnasked(n int) int {
	if n > 3 {
		b := append(unasked.Get().([]byte)[:0], byte(n))
		unasked.Put(b) // refused: an empty pool panics, with the type's name
		return len(b)
	}
	return 0
}

var namedNew = sync.Pool{New: newSlice}

func newSlice() any { return make([]byte, 0, 64) }

func useNamedNew(n int) int {
	b := append(namedNew.Get().([]byte)[:0], byte(n))
	namedNew.Put(b) // refused: New is a function with a name
	return len(b)
}

var twoReturns = sync.Pool{New: func() any {
	if len(twoSizes) > 3 {
		return make([]byte, 0, 128)
	}
	return make([]byte, 0, 64)
}}

var twoSizes string

func useTwoReturns(n int) int {
	b := append(twoReturns.Get().([]byte)[:0], byte(n))
	twoReturns.Put(b) // refused: New has two returns
	return len(b)
}

type text []byte

var otherNew = sync.Pool{New: func() any { return make(text, 0, 64) }}

func useOtherNew(n int) (size int) {
	defer func() { _ = recover() }()
	b := append(otherNew.Get().([]byte)[:0], byte(n))
	otherNew.Put(b) // refused: New makes slices of another type
	return len(b)
}

var mixed sync.Pool

func useMixed(n int) int {
	var b []byte
	if x := mixed.Get(); x != nil {
		b = x.([]byte)[:0]
	}
	b = append(b, byte(n))
	mixed.Put(b) // refused: a slice of another type is put back elsewhere
	return len(b)
}

func useMixedText(n int) int {
	var b text
	if x := mixed.Get(); x != nil {
		b = x.(text)[:0]
	}
	b = append(b, byte(n))
	mixed.Put(b)
	return len(b)
}

var gone = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putInGoroutine(n int) int {
	b := append(gone.Get().([]byte)[:0], byte(n))
	done := make(chan bool)
	go func() {
		gone.Put(b) // refused: another goroutine puts it back
		close(done)
	}()
	<-done
	return len(b)
}

var started = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func startPut(n int) int {
	b := append(started.Get().([]byte)[:0], byte(n))
	go started.Put(b) // refused: another goroutine puts it back
	return len(b)
}

var returned = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func takeAndReturn(n int) ([]byte, func()) {
	b := append(returned.Get().([]byte)[:0], byte(n))
	return b, func() {
		returned.Put(b) // refused: it may be called twice
	}
}

var inside = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func takeInside(n int) int {
	var b []byte
	func() { b = append(inside.Get().([]byte)[:0], byte(n)) }()
	inside.Put(b) // refused: a function literal takes it
	return len(b)
}

var replaced = &sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func replace() { replaced = &sync.Pool{New: func() any { return []byte(nil) }} }

func useReplaced(n int) int {
	b := append(replaced.Get().([]byte)[:0], byte(n))
	replaced.Put(b) // refused: another pool takes its place
	return len(b)
}

var setLater sync.Pool

func init() { setLater.New = func() any { return make([]byte, 0, 64) } }

func useSetLater(n int) int {
	var b []byte
	if x := setLater.Get(); x != nil {
		b = x.([]byte)[:0]
	}
	b = append(b, byte(n))
	setLater.Put(b) // refused: New is set later
	return len(b)
}

var asValue = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useAsValue(n int) int {
	b := append(asValue.Get().([]byte)[:0], byte(n))
	put := asValue.Put
	asValue.Put(b) // refused: a method value has the pool
	put([]byte(nil))
	return len(b)
}

var noted = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useNoted(n int) int {
	b := append(noted.Get().([]byte)[:0], byte(n))
	noted.Put( /* with its bytes */ b) // refused: there is a comment in it
	return len(b)
}

var jumped = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func jump(n int) int {
	b := append(jumped.Get().([]byte)[:0], byte(n))
again:
	jumped.Put(b) // refused: goto puts it back again
	if n--; n > 0 {
		goto again
	}
	return len(b)
}

var shared = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useGeneric[T ~[]byte](add T) int {
	b := append(shared.Get().([]byte)[:0], add...)
	shared.Put(b) // refused: there is a function for each type
	return len(b)
}

var printed sync.Pool

func usePrinted(n int) int {
	var b []byte
	if x := printed.Get(); x != nil {
		b = x.([]byte)[:0]
		fmt.Println(x)
	}
	b = append(b, byte(n))
	printed.Put(b) // refused: what Get returned is used otherwise
	return len(b)
}

var switched sync.Pool

func useSwitched(n int) int {
	var b []byte
	switch x := switched.Get().(type) {
	case []byte:
		b = x[:0]
	}
	b = append(b, byte(n))
	switched.Put(b) // refused: the type is switched on
	return len(b)
}

var otherCheck sync.Pool

func useOtherCheck(n int) int {
	var b []byte
	if x := otherCheck.Get(); x != nil && n > 3 {
		b = x.([]byte)[:0]
	}
	b = append(b, byte(n))
	otherCheck.Put(b) // refused: the condition is another one
	return len(b)
}

var wrongWay sync.Pool

func useWrongWay(n int) (size int) {
	defer func() { _ = recover() }()
	var b []byte
	if x := wrongWay.Get(); x == nil {
		b = x.([]byte)
	}
	b = append(b, byte(n))
	wrongWay.Put(b) // refused: it panics if the pool is empty, with the type's name
	return len(b)
}

var kept = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

type holder struct{ b []byte }

func (h *holder) use(n int) int {
	h.b = append(kept.Get().([]byte)[:0], byte(n))
	kept.Put(h.b) // refused: it is set to a field
	return n
}

var handed = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func hand(n int) int {
	h := holder{handed.Get().([]byte)}
	h.b = append(h.b[:0], byte(n))
	handed.Put(h.b) // refused: no variable is set to it
	return n
}

var before = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putBefore(n int) int {
	b := make([]byte, 0, 32)
	before.Put(b) // refused: one is taken after it
	b = append(before.Get().([]byte)[:0], byte(n))
	return len(b)
}

var deferredBefore = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func deferBefore(n int) int {
	var b []byte
	defer func() {
		deferredBefore.Put(b) // refused: it is deferred before one is taken
	}()
	if n < 3 {
		return 0
	}
	b = append(deferredBefore.Get().([]byte)[:0], byte(n))
	return len(b)
}

var shadowed sync.Pool

func useShadowed(n int) int {
	var b []byte
	if n > 3 {
		if x := shadowed.Get(); x != nil {
			b = x.([]byte)[:0]
		}
	}
	b = append(b, byte(n))
	new := len(b)
	shadowed.Put(b) // refused: new is a variable
	return new
}

var ofText sync.Pool

func useOfText(n int) int {
	var b text
	if n > 3 {
		if x := ofText.Get(); x != nil {
			b = x.(text)[:0]
		}
	}
	b = append(b, byte(n))
	type text string
	ofText.Put(b) // refused: the type's name means another one
	return len(text("a"))
}

var inTest = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useInTest(n int) int {
	b := append(inTest.Get().([]byte)[:0], byte(n))
	inTest.Put(b) // refused: a test has the pool
	return len(b)
}

var onOther = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useOnOther(n int) int {
	b := append(onOther.Get().([]byte)[:0], byte(n))
	onOther.Put(b) // refused: a file of another system has the pool
	return len(b)
}

var inGenerated = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useInGenerated(n int) int {
	b := append(inGenerated.Get().([]byte)[:0], byte(n))
	inGenerated.Put(b) // refused: generated code uses the pool, too
	return len(b)
}

var onUnix = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useOnUnix(n int) int {
	b := append(onUnix.Get().([]byte)[:0], byte(n))
	onUnix.Put(b) // refused: a file of some systems uses the pool, too
	return len(b)
}

//go:linkname linked
var linked = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useLinked(n int) int {
	b := append(linked.Get().([]byte)[:0], byte(n))
	linked.Put(b) // refused: another package may have the pool by a directive
	return len(b)
}

var array = sync.Pool{New: func() any { return [4]int{} }}

func useArray(n int) int {
	a := array.Get().([4]int)
	a[0] = n
	array.Put(a) // refused: it is no slice
	return a[0]
}

var untyped sync.Pool

func putNil(n int) (size int) {
	var b []byte
	if x := untyped.Get(); x != nil {
		b = x.([]byte)[:0]
	}
	b = append(b, byte(n))
	if n < 0 {
		untyped.Put(nil)
		return 0
	}
	untyped.Put(b) // refused: nil is put back elsewhere
	return len(b)
}

var anyNew = sync.Pool{New: func() any { return nothing }}

var nothing any = []byte(nil)

func useAnyNew(n int) int {
	b := append(anyNew.Get().([]byte)[:0], byte(n))
	anyNew.Put(b) // refused: New returns an interface
	return len(b)
}

var aliased sync.Pool

func useAliased(n int) int {
	var b []byte
	if n > 3 {
		type bytes = []byte
		if x := aliased.Get(); x != nil {
			b = x.(bytes)[:0]
		}
	}
	b = append(b, byte(n))
	aliased.Put(b) // refused: the type has a name of an inner block
	return len(b)
}

var explained = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useExplained(n int) int {
	b := append(explained.Get( /* a new one, or not */ ).([]byte)[:0], byte(n))
	explained.Put(b) // refused: there is a comment in the call of Get
	return len(b)
}

var closed sync.Pool

func assertLater(n int) int {
	var b []byte
	var set func()
	if x := closed.Get(); x != nil {
		set = func() { go func() { b = x.([]byte)[:0] }() }
	}
	if set != nil {
		set()
	}
	closed.Put(b) // refused: a function literal asserts the type
	return n
}

var skipped = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func skip(n int) int {
	var b []byte
	if n < 0 {
		goto end
	}
	b = append(skipped.Get().([]byte)[:0], byte(n))
	skipped.Put(b) // refused: goto must not skip a declaration
end:
	return len(b)
}

var asserted sync.Pool

func assertTwice(n int) int {
	var b, c []byte
	if x := asserted.Get(); x != nil {
		b = x.([]byte)[:0]
		c = x.([]byte)
	}
	b = append(b, c...)
	asserted.Put(b) // refused: the type is asserted twice
	return len(b)
}

var wrongType = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func useWrongType(n int) (size int) {
	defer func() { _ = recover() }()
	t := append(wrongType.Get().(text)[:0], byte(n))
	b := []byte(t)
	wrongType.Put(b) // refused: another type is asserted
	return len(b)
}

var otherNil sync.Pool

func useOtherNil(n []int) (size int) {
	defer func() { _ = recover() }()
	var b []byte
	if x := otherNil.Get(); n != nil {
		b = x.([]byte)
	}
	b = append(b, 1)
	otherNil.Put(b) // refused: something else is compared with nil
	return len(b)
}

var notNil sync.Pool

func useNotNil(n int) (size int) {
	defer func() { _ = recover() }()
	var b []byte
	if x := notNil.Get(); x != twoSizes {
		b = x.([]byte)
	}
	b = append(b, 1)
	notNil.Put(b) // refused: it is compared with something else
	return len(b)
}

var stale sync.Pool

func putAgain(n int) int {
	var r []byte
	for i := range n {
		if x := stale.Get(); x != nil {
			r = x.([]byte)[:0]
		} else {
			r = make([]byte, 0, 64)
		}
		r = append(r, byte(i))
		if i < n-1 {
			stale.Put(r) // refused: the pointer of one iteration would be put back by the last one, if the pool is empty then
		}
	}
	stale.Put(r)
	return len(r)
}

var breaks = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putAndBreak(n int) int {
	b := append(breaks.Get().([]byte)[:0], byte(n))
	for range n {
		breaks.Put(b) // refused: it is in a loop, even though that ends with it
		break
	}
	return len(b)
}

var nested = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putNested(n int) int {
	b := append(nested.Get().([]byte)[:0], byte(n))
	put := func() {
		defer func() {
			nested.Put(b) // refused: the function literal that defers it is called twice
		}()
	}
	put()
	put()
	return len(b)
}

var called = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putCalled(n int) int {
	b := append(called.Get().([]byte)[:0], byte(n))
	go func() {
		called.Put(b) // refused: another goroutine puts it back
	}()
	return n
}

var ranged = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putInRange(all func(yield func(int) bool)) (sum int) {
	for n := range all {
		b := append(ranged.Get().([]byte)[:0], byte(n))
		sum += len(b)
		ranged.Put(b) // refused: the iteration is a function
	}
	return sum
}

var inSwitch = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putInOtherCase(n int, own []byte) int {
	own = append(own, 1)
	switch {
	case n < 64:
		b := append(inSwitch.Get().([]byte)[:0], byte(n))
		n = len(b)
		inSwitch.Put(b)
	default:
		own = append(own, byte(n))
		n = len(own)
		inSwitch.Put(own) // rewritten
	}
	return n
}

var parenthesized = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putInParentheses(n int) int {
	b := append(parenthesized.Get().([]byte)[:0], byte(n))
	n = len(b)
	(parenthesized.Put(b)) // refused: two statements do not fit
	return n
}

// A chain has a method that keeps its address.
type chain []int

var newest *chain

func (s *chain) begin() { *s = make(chain, 0, 8); newest = s }

var chains = sync.Pool{New: func() any {
	var s chain
	s.begin()
	return s
}}

func putChain(n int) int {
	s := append(chains.Get().(chain)[:0], n)
	chains.Put(s) // rewritten
	return len(s)
}

var nilMade = sync.Pool{New: func() any { return []byte(nil) }}

func putFew(text string) int {
	b := append(nilMade.Get().([]byte)[:0], text...)
	n := len(b)
	if n <= 64 {
		nilMade.Put(b) // refused: nil needs no memory as an interface, and its pointer does
	}
	return n
}

var unneeded = sync.Pool{New: func() any { return make([]byte, 0, 64) }}

func putWithoutGet(n int) int {
	var b []byte
	if n > 100 {
		b = unneeded.Get().([]byte)[:0]
	}
	for range max(n-100, 0) {
		b = append(b, 'x')
	}
	unneeded.Put(b) // refused: it is nil where nothing was taken
	return len(b)
}

var typedNil sync.Pool

func putTypedNil() int {
	b := make([]byte, 0, 8)
	if x := typedNil.Get(); x != (*int)(nil) {
		b = x.([]byte)
	}
	typedNil.Put(b) // refused: what it is compared with is not nil
	return len(b)
}
