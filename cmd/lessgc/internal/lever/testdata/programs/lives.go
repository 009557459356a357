package programs

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
	"weak"
)

// Linked structures: an arena is for those that one function makes and drops.

type branch struct {
	name     []byte
	children []*branch
}

func grown(depth int) *branch {
	b := &branch{} // want arena
	if depth > 0 {
		for range 3 {
			b.children = append(b.children, grown(depth-1)) // want arena
		}
	}
	return b
}

func (b *branch) count() int {
	n := 1
	for _, c := range b.children {
		n += c.count()
	}
	return n
}

// branches makes a tree, and drops it.
func branches(depth int) int { return grown(depth).count() }

// A ring is made and given to a function that looks at it.
type ring struct {
	next *ring
	v    int
}

func rings(n int, use func(*ring)) {
	var last *ring
	for i := range n {
		last = &ring{last, i} // want arena
	}
	use(last)
}

func useRings() int {
	sum := 0
	rings(100, func(r *ring) {
		for ; r != nil; r = r.next {
			sum += r.v
		}
	})
	return sum
}

// Each of these is as ring and rings, but for one thing that may keep it.

type returnedRing struct{ next *returnedRing }

func makeReturned(n int) (last *returnedRing) {
	for range n {
		last = &returnedRing{last} // no arena
	}
	return last
}

type globalRing struct{ next *globalRing }

var keptRing struct{ all []*globalRing }

func makeGlobal(n int) int {
	var last *globalRing
	for range n {
		last = &globalRing{last} // no arena
	}
	return len(keptRing.all)
}

type givenRing struct{ next *givenRing }

type ringHolder struct{ cache map[string]*givenRing }

func (h *ringHolder) fill(n int) {
	var last *givenRing
	for range n {
		last = &givenRing{last} // no arena
	}
	h.cache["x"] = last
}

type boxedRing struct{ next *boxedRing }

func (b *boxedRing) Close() error { return nil }

func makeBoxed(n int, into *[]io.Closer) {
	var last *boxedRing
	for range n {
		last = &boxedRing{last} // no arena
	}
	*into = append((*into)[:0], last)
}

type sentRing struct{ next *sentRing }

func makeSent(n int) int {
	c := make(chan *sentRing, 1)
	var last *sentRing
	for range n {
		last = &sentRing{last} // no arena
	}
	c <- last
	return len(c)
}

type capturedRing struct{ next *capturedRing }

func makeCaptured(n int, later *func() bool) {
	var last *capturedRing
	for range n {
		last = &capturedRing{last} // no arena
	}
	*later = func() bool { return last.next == nil }
}

type partRing struct {
	next *partRing
	v    int
}

func makePart(n int, part **int) {
	var last *partRing
	for i := range n {
		last = &partRing{last, i} // no arena
	}
	*part = &last.v
}

type goneRing struct {
	next *goneRing
	v    int
}

func makeGone(n int) {
	var last *goneRing
	for i := range n {
		last = &goneRing{last, i} // no arena
	}
	go last.add()
}

func (g *goneRing) add() { g.v++ }

type awayRing struct {
	next *awayRing
	v    int
}

func makeAway(n int) {
	var last *awayRing
	for i := range n {
		last = &awayRing{last, i} // no arena
	}
	go func() { last.v++ }()
}

// Two functions make them, and one of them keeps them.
type sharedRing struct{ next *sharedRing }

func makeShared(n int) (last *sharedRing) {
	for range n {
		last = &sharedRing{last} // no arena
	}
	return last
}

func dropShared(n int) bool { return makeShared(n).next != nil }

func keepShared(n int, to map[*sharedRing]bool) { to[makeShared(n)] = true }

type literalRing struct{ next *literalRing }

func makeLiteral(n int, to map[int]*literalRing) {
	func(n int) {
		var last *literalRing
		for range n {
			last = &literalRing{last} // no arena
		}
		to[0] = last
	}(n)
}

// The function that it is given to keeps it.
type usedRing struct{ next *usedRing }

func makeUsed(n int, use func(*usedRing)) {
	var last *usedRing
	for range n {
		last = &usedRing{last} // no arena
	}
	use(last)
}

// It is made once by each call.
type singleRing struct{ next *singleRing }

func makeSingle() bool { return depthOf(&singleRing{new(singleRing)}) > 1 } // no arena

func depthOf(r *singleRing) int {
	if r == nil {
		return 0
	}
	if r.next == r {
		many(r)
	}
	return 1 + depthOf(r.next)
}

//go:noinline
func many(r *singleRing) { r.next = &singleRing{r} }

type unsafeRing struct{ next *unsafeRing }

func makeUnsafe(n int, address *uintptr) {
	var last *unsafeRing
	for range n {
		last = &unsafeRing{last} // no arena
	}
	*address = uintptr(unsafe.Pointer(last))
}

// A function whose source is not here is given it.
type outerRing struct{ next *outerRing }

func makeOuter(n int) {
	var last *outerRing
	for range n {
		last = &outerRing{last} // no arena
	}
	weak.Make(last)
}

type pooledRing struct{ next *pooledRing }

var ringPool sync.Pool

func makePooled(n int) {
	var last *pooledRing
	for range n {
		last = &pooledRing{last} // no arena
	}
	ringPool.Put(last)
}

type atomicRing struct{ next *atomicRing }

var lastRing atomic.Pointer[atomicRing]

func makeAtomic(n int) {
	var last *atomicRing
	for range n {
		last = &atomicRing{last} // no arena
	}
	lastRing.Store(last)
}

// Several names for the same: the holder is an array of maps of slices, in a variable.
type deepRing struct{ next *deepRing }

var deepRings [2]map[string][]struct{ last *deepRing }

func makeDeep(n int) int {
	var last *deepRing
	for range n {
		last = &deepRing{last} // no arena
	}
	return len(deepRings[n%2])
}

// Others may implement the interface, and keep what they are given.
type Visitor interface{ Visit(*visitedRing) }

type visitedRing struct{ next *visitedRing }

func makeVisited(n int, v Visitor) {
	var last *visitedRing
	for range n {
		last = &visitedRing{last} // no arena
	}
	v.Visit(last)
}

type LogTo interface{ Log(args ...any) }

type loggedRing struct{ next *loggedRing }

func makeLogged(n int, to LogTo) {
	var last *loggedRing
	for range n {
		last = &loggedRing{last} // no arena
	}
	to.Log(last)
}

type hookedRing struct{ next *hookedRing }

type hooks struct{ each func(*hookedRing) }

func makeHooked(n int, h *hooks) {
	var last *hookedRing
	for range n {
		last = &hookedRing{last} // no arena
	}
	h.each(last)
}

type thrownRing struct{ next *thrownRing }

func (*thrownRing) Error() string { return "" }

func makeThrown(n int) {
	var last *thrownRing
	for range n {
		last = &thrownRing{last} // no arena
	}
	if n > 0 {
		panic(last)
	}
}

// What a benchmark's function captures of package testing holds none, whatever may be a writer.
type measuredRing struct{ next *measuredRing }

type ringWriter struct{ last *measuredRing }

func (*ringWriter) Write(p []byte) (int, error) { return len(p), nil }

func writers() io.Writer { return &ringWriter{} }

func makeMeasured(n int, use func(*measuredRing)) {
	var last *measuredRing
	for range n {
		last = &measuredRing{last} // want arena
	}
	use(last)
}

func measure(b *testing.B) {
	makeMeasured(100, func(r *measuredRing) {
		if r.next == nil {
			b.Fail()
		}
	})
}

// A generic function boxes what its instances are of, and no more.
type labelledRing struct{ next *labelledRing }

func box[T any](v *T) any { return v }

func boxedNumber() any { return box(new(int)) }

func makeLabelled(n int, label interface{ label() string }) string {
	var last *labelledRing
	for range n {
		last = &labelledRing{last} // want arena
	}
	for ; last.next != nil; last = last.next {
	}
	return label.label()
}

type plainLabel[T any] struct{ of T }

func (*plainLabel[T]) label() string { return "plain" }

func ringLabel[T any](v T) interface{ label() string } { return &plainLabel[T]{v} }

func ringLabels() interface{ label() string } { return ringLabel(1) }

// A handler makes and drops what it needs for its answer.
type answerRing struct {
	next *answerRing
	text string
}

func (r *answerRing) String() string { return r.text }

func (r *answerRing) Read(p []byte) (int, error) { return copy(p, r.text), io.EOF }

func (*answerRing) Close() error { return nil }

var _ io.ReadCloser = (*answerRing)(nil)

func serveAnswer(w http.ResponseWriter, r *http.Request) {
	var last *answerRing
	for range r.ContentLength {
		last = &answerRing{last, r.URL.Path} // want arena
	}
	io.WriteString(w, described(last.next))
}

func described(s interface{ String() string }) string { return s.String() }

// It is the body of what comes next.
type bodyRing struct {
	next *bodyRing
	io.Reader
}

func (*bodyRing) Close() error { return nil }

func serveBody(_ http.ResponseWriter, r *http.Request) {
	var last *bodyRing
	for range r.ContentLength {
		last = &bodyRing{last, r.Body} // no arena
	}
	r.Body = last
}

// The writer keeps it.
type writerRing struct{ next *writerRing }

type keepingWriter struct {
	http.ResponseWriter
	kept *writerRing
}

func serveKept(w http.ResponseWriter, r *http.Request) {
	var last *writerRing
	for range r.ContentLength {
		last = &writerRing{last} // no arena
	}
	if w, ok := w.(*keepingWriter); ok {
		w.kept = last
	}
}

// The context keeps it.
type contextRing struct{ next *contextRing }

func serveContext(_ http.ResponseWriter, r *http.Request) *http.Request {
	var last *contextRing
	for range r.ContentLength {
		last = &contextRing{last} // no arena
	}
	return r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, last))
}

// So does the handler of an RPC.
type rpcRing struct {
	next *rpcRing
	v    int
}

type sumRequest struct{ n int }

type sumReply struct{ sum int }

type sumService interface {
	total(context.Context, *sumRequest) (*sumReply, error)
	rings(context.Context, *sumRequest) (*ringReply, error)
}

type sumServer struct{ limit int }

func newSumServer() sumService { return &sumServer{100} }

func (s *sumServer) total(ctx context.Context, in *sumRequest) (*sumReply, error) {
	var last *rpcRing
	for i := range min(in.n, s.limit) {
		last = &rpcRing{last, i} // want arena
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := new(sumReply)
	for ; last != nil; last = last.next {
		out.sum += last.v
	}
	return out, nil
}

// This one's answer holds them.
type replyRing struct{ next *replyRing }

type ringReply struct{ first *replyRing }

func (s *sumServer) rings(_ context.Context, in *sumRequest) (*ringReply, error) {
	var last *replyRing
	for range min(in.n, s.limit) {
		last = &replyRing{last} // no arena
	}
	return &ringReply{last}, nil
}
