package arenagrpc

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"weak"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/internal/checked"
	"lessgc/internal/methods"
	"lessgc/internal/untyped"
)

// A Registrar registers services whose RPCs have arenas; see [Register].
type Registrar struct {
	to      grpc.ServiceRegistrar
	options Options

	heap    atomic.Bool
	publish sync.Once
	mu      sync.Mutex
	pools   map[arena.Policy]*arena.Pool
	methods []*method
}

// Register returns a registrar to register services with instead of s, whose RPCs
// then have arenas. It has to be used before the server is started. RegisterService
// panics if grpc.EnableTracing is on and a policy recycles: traces show messages
// after they were freed. If it is turned on later, nothing is recycled any more. It
// panics, too, if o.Methods has a method that the service has not; [Registrar.Unused] returns
// the names of services that are not registered with it at all.
func Register(s grpc.ServiceRegistrar, o Options) *Registrar {
	o.Methods = maps.Clone(o.Methods)
	return &Registrar{to: s, options: o, pools: map[arena.Policy]*arena.Pool{}}
}

// Unused returns the names in Options.Methods, in order, of services that were not registered: once
// all services are, there should be none.
func (r *Registrar) Unused() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	unused := maps.Clone(r.options.Methods)
	for _, m := range r.methods {
		delete(unused, m.name)
	}
	return slices.Sorted(maps.Keys(unused))
}

// mustHave panics if there are options for methods that the service has not.
func (r *Registrar) mustHave(d *grpc.ServiceDesc) {
	for _, name := range slices.Sorted(maps.Keys(r.options.Methods)) {
		service, method, ok := strings.Cut(strings.TrimPrefix(name, "/"), "/")
		switch {
		case !ok || !strings.HasPrefix(name, "/"):
			panic(fmt.Sprintf("arenagrpc: Options.Methods has %q: write it as %q", name, "/package.Service/Method"))
		case service == d.ServiceName &&
			!slices.ContainsFunc(d.Methods, func(m grpc.MethodDesc) bool { return m.MethodName == method }) &&
			!slices.ContainsFunc(d.Streams, func(s grpc.StreamDesc) bool { return s.StreamName == method }):
			panic(fmt.Sprintf("arenagrpc: Options.Methods has %q, which is not a method of the service", name))
		}
	}
}

// RegisterService registers a service, as generated code asks for.
func (r *Registrar) RegisterService(desc *grpc.ServiceDesc, impl any) {
	r.mustHave(desc)
	d := *desc
	d.Methods = slices.Clone(desc.Methods)
	for i := range d.Methods {
		m := &d.Methods[i]
		m.Handler = r.method(d.ServiceName, m.MethodName).unary(m.Handler)
	}
	d.Streams = slices.Clone(desc.Streams)
	for i := range d.Streams {
		s := &d.Streams[i]
		s.Handler = r.method(d.ServiceName, s.StreamName).stream(s.Handler)
	}
	r.publish.Do(func() {
		here := weak.Make(r)
		methods.Add(func() ([]methods.Method, bool) {
			r := here.Value()
			return r.published(), r != nil
		})
	})
	r.to.RegisterService(&d, impl)
}

// A method is one that was registered.
type method struct {
	name       string
	registrar  *Registrar
	pool       *arena.Pool
	heap       bool
	perMessage bool
	owner      *untyped.Owner
	counters   counters
}

func (r *Registrar) method(service, name string) *method {
	full := "/" + service + "/" + name
	o, ok := r.options.Methods[full]
	if !ok {
		o.Policy, o.Heap = r.options.Policy, r.options.Heap
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	pool := r.pools[o.Policy]
	if pool == nil {
		pool = &arena.Pool{Policy: o.Policy, MaxKept: r.options.MaxKept, AuditEvery: r.options.AuditEvery}
		r.pools[o.Policy] = pool
	}
	if grpc.EnableTracing && o.Policy != arena.Safe && !o.Heap {
		panic("arenagrpc: grpc.EnableTracing is on, and shows messages after they are freed: turn it off, or choose the policy Safe")
	}
	m := &method{name: full, registrar: r, pool: pool, heap: o.Heap, perMessage: o.PerMessage, owner: untyped.NewOwner(full)}
	r.methods = append(r.methods, m)
	return m
}

// UseHeap turns the arenas of all methods off, or on again, for the RPCs that begin
// after it: the way back while a server runs. By many goroutines.
func (r *Registrar) UseHeap(on bool) { r.heap.Store(on) }

// isHeap reports whether the method has no arenas now.
func (m *method) isHeap() bool { return m.heap || m.registrar.heap.Load() }

// open returns an arena of the method, or nil, which is the heap. It is at, unless this is a
// checked build.
func (m *method) open(at *arena.Arena) *arena.Arena {
	if m.isHeap() {
		return nil
	}
	a := as[arena.Arena](untyped.Open(pointerTo(m.pool), pointerTo(at)))
	if a != nil {
		m.owner.Own(pointerTo(a))
		m.counters.live.Add(1)
	}
	return a
}

// free ends the life of an arena that open returned.
func (m *method) free(a *arena.Arena) {
	if a != nil {
		m.counters.live.Add(-1)
		a.Free()
	}
}

// A call is the context of a unary RPC's handler, and what else somebody may have after the
// RPC: each has its own.
type call struct {
	context.Context
	method *method
	arena  *arena.Arena // nil if messages are on the heap
	memory arena.Arena  // which is that, but in checked builds

	handler  grpc.UnaryHandler // if there is an interceptor, which may call it as often as it likes, at any time
	running  atomic.Int32      // calls of it that have not returned; negative when it cannot be called any more
	called   atomic.Bool
	panicked atomic.Bool // which an interceptor may have recovered from

	encoded // the reply
}

// over is in call.running, when the memory of the RPC is not the handler's any more.
const over = -1 << 30

// close reports whether no handler uses the memory of the RPC, or will: none runs, and one that is
// called from now on is refused. If none was called the interceptor may be about to.
func (c *call) close() bool {
	return c.handler == nil || c.called.Load() && c.running.CompareAndSwap(0, over)
}

// errLate is returned to an interceptor that calls the handler again when the RPC has ended.
var errLate = status.Error(codes.Canceled, "arenagrpc: the handler is called again after the RPC has ended, and its request is gone")

// Value returns the arena, as the value of [arena.NewContext] would, which is one
// more allocation.
func (c *call) Value(key any) any {
	if key == untyped.ContextKey {
		return c.arena
	}
	return c.Context.Value(key)
}

// handle calls the handler, and notes what becomes of it.
func (c *call) handle(ctx context.Context, in any) (any, error) {
	if c.running.Add(1) < 0 {
		return nil, errLate
	}
	c.called.Store(true)
	done := false
	defer func() {
		if !done {
			c.panicked.Store(true)
		}
		c.running.Add(-1)
	}()
	c.arena.Adopt() // it may be another goroutine than that of the RPC
	if checked.Strict {
		defer explainFault(c.method)()
	}
	out, err := c.handler(ctx, in)
	done = true
	return out, err
}

// An rpc is the rest of a unary RPC. It is used again.
type rpc struct {
	call  *call
	freed atomic.Bool

	request proto.Message
	in, out waiting

	dec         func(any) error
	interceptor grpc.UnaryServerInterceptor

	// The methods of these names, as values, which would be an allocation each.
	decodeValue    func(any) error
	interceptValue grpc.UnaryServerInterceptor
}

var rpcs = sync.Pool{New: func() any {
	r := new(rpc)
	r.decodeValue, r.interceptValue = r.decode, r.intercept
	return r
}}

// reuse leaves r to another RPC.
func (r *rpc) reuse() {
	r.call, r.request, r.dec, r.interceptor = nil, nil, nil, nil
	r.in, r.out = waiting{}, waiting{}
	r.freed.Store(false)
	rpcs.Put(r)
}

// free ends the life of the RPC's messages, the first time.
func (r *rpc) free() {
	if !r.freed.Swap(true) {
		r.call.method.free(r.call.arena)
	}
}

// encoded is called when the reply has been encoded.
func (r *rpc) encoded() {
	if !r.call.method.registrar.options.FreeAtEnd {
		r.free()
		r.reuse()
	}
}

// decode decodes the request; the generated code calls it.
func (r *rpc) decode(v any) error {
	m, ok := v.(proto.Message)
	p := key(v)
	if !ok || p == nil {
		return r.dec(v)
	}
	r.request = m
	r.in.arena = r.call.arena
	requests.add(p, &r.in)
	defer requests.remove(p)
	return r.dec(v)
}

// intercept calls the server's interceptors, whose last one is to call handle.
func (r *rpc) intercept(ctx context.Context, in any, info *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
	r.call.handler = h
	return r.interceptor(ctx, in, info, r.call.handle)
}

// unary wraps the handler of a unary method, as generated code has it: it decodes
// the request and calls the interceptors.
func (m *method) unary(h grpc.MethodHandler) grpc.MethodHandler {
	atEnd := m.registrar.options.FreeAtEnd
	return func(srv any, ctx context.Context, dec func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
		if m.isHeap() {
			return h(srv, ctx, dec, interceptor)
		}
		var holder *holder
		if atEnd {
			if holder = holderOf(ctx); holder == nil {
				return nil, errNoHandler
			}
		}
		c := &call{Context: ctx, method: m}
		a := m.open(&c.memory)
		if a == nil { // as the environment says
			return h(srv, ctx, dec, interceptor)
		}
		c.arena = a
		if grpc.EnableTracing { // turned on after the service was registered
			a.Keep()
		}
		var leave func()
		if checked.Strict {
			leave = untyped.Leave(pointerTo(a))
			defer explainFault(m)() // interceptors may use what they have kept
		}
		r := rpcs.Get().(*rpc)
		r.call, r.dec = c, dec
		if interceptor != nil {
			r.interceptor, interceptor = interceptor, r.interceptValue
		}
		done := false
		defer func() {
			if !done { // a panic: whoever recovers may look at anything
				a.Keep()
				r.free()
			}
		}()
		if holder != nil {
			holder.rpc = r
		}
		out, err := h(srv, c, r.decodeValue, interceptor)
		done = true
		if !c.close() { // an interceptor did not wait: the arena is the handler's, and then the collector's
			r.freed.Store(true)
			m.counters.live.Add(-1)
			m.counters.left(r.request, &r.in, err)
			if checked.Strict {
				leave()
			}
			return out, m.own(err)
		}
		if c.panicked.Load() {
			a.Keep()
		}
		a.Adopt()
		m.counters.add(r.request, &r.in, err)
		msg, ok := out.(proto.Message)
		if err == nil && ok && r.in.decoded {
			if p := key(msg); p != nil {
				r.out.rpc = r
				replies.add(p, &r.out)
				return out, nil // r may be another RPC's by now
			}
		}
		if !r.in.decoded { // the server has another codec, which will not free what it encodes
			a.Keep()
		}
		err = m.own(err)
		r.free()
		if !atEnd {
			r.reuse()
		}
		return out, err
	}
}

// errNoHandler is for the one who sets up a server: nothing would ever be freed.
var errNoHandler = status.Error(codes.Internal, "arenagrpc: Options.FreeAtEnd needs the server option arenagrpc.StatsHandler()")

// own returns err as it may be used when the memory of the RPC is gone.
func (m *method) own(err error) error {
	if err == nil || m.pool.Policy == arena.Safe && m.pool.AuditEvery == 0 && !auditAll && !checked.Enabled {
		return err
	}
	return ownError(err)
}

// ownError returns the status that gRPC would make of err, in memory of its own.
func ownError(err error) error {
	s, ok := status.FromError(err)
	if !ok {
		s = status.FromContextError(err)
	}
	p := s.Proto() // a copy, but not of its strings
	if b, err := proto.Marshal(p); err == nil {
		proto.Reset(p)
		if proto.Unmarshal(b, p) == nil {
			return status.ErrorProto(p)
		}
	}
	return status.Error(s.Code(), strings.Clone(strings.ToValidUTF8(s.Message(), "\uFFFD")))
}

// stream wraps the handler of a stream.
func (m *method) stream(h grpc.StreamHandler) grpc.StreamHandler {
	return func(srv any, stream grpc.ServerStream) error {
		s := &serverStream{ServerStream: stream, method: m}
		s.ctx = streamContext{stream.Context(), s}
		done := false
		defer func() {
			if !done { // a panic: whoever recovers may look at anything
				s.in.arena.Keep()
				s.own().Keep()
				s.over()
			}
		}()
		err := m.serve(h, srv, s)
		done = true
		if m.perMessage || s.own() != nil {
			err = m.own(err)
		}
		s.over()
		return err
	}
}

// serve calls the handler of a stream.
func (m *method) serve(h grpc.StreamHandler, srv any, s *serverStream) error {
	if checked.Strict {
		defer explainFault(m)()
	}
	return h(srv, s)
}

// explainFault returns what a handler of the checked build defers. If it has used memory of an
// arena that was freed, such as that of a request before, it panics with the name of that RPC.
func explainFault(m *method) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		p := recover()
		if p == nil {
			return
		}
		if text := untyped.Fault(p); text != "" {
			p = "arenagrpc: " + m.name + " uses freed memory: " + text
		}
		panic(p)
	}
}

// A serverStream decodes received messages into arenas.
type serverStream struct {
	grpc.ServerStream
	method *method
	in     waiting     // of the message that is received now, or was last
	memory arena.Arena // which that has, but in checked builds: the handler never has it
	ctx    streamContext

	mu    sync.Mutex
	arena *arena.Arena // what the handler gets from its context, from when it asked
	ended bool
}

// A streamContext is the context of a stream's handler.
type streamContext struct {
	context.Context
	s *serverStream
}

// Value returns the arena of the stream, which is opened for the first that asks.
func (c *streamContext) Value(key any) any {
	if key != untyped.ContextKey {
		return c.Context.Value(key)
	}
	s := c.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.arena == nil && !s.ended {
		s.arena = s.method.open(new(arena.Arena))
	}
	return s.arena
}

func (s *serverStream) Context() context.Context { return &s.ctx }

// own returns the arena of the stream, nil if the handler has not asked for it.
func (s *serverStream) own() *arena.Arena {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arena
}

// over frees what the stream has. A handler's goroutine that is left gets no arena afterwards.
func (s *serverStream) over() {
	s.end()
	s.mu.Lock()
	a := s.arena
	s.ended = true
	s.mu.Unlock()
	s.method.free(a)
}

// auditAll reports whether audits look at arenas of package arena that belong to no pool.
var auditAll = os.Getenv("LESSGC_ARENA") == "audit"

// end frees the last message that was received, with PerMessage; others are left to the
// collector. A stream that waits holds no arena: the codec opens one when a message has come.
func (s *serverStream) end() {
	switch {
	case s.method.perMessage:
		s.method.free(s.in.arena)
	case auditAll: // the handler has the message still, and may keep it
		s.in.arena.Keep()
		fallthrough
	default:
		s.in.arena.Free()
	}
	s.in = waiting{stream: s}
}

func (s *serverStream) RecvMsg(v any) error {
	m, ok := v.(proto.Message)
	p := key(v)
	if !ok || p == nil {
		return s.ServerStream.RecvMsg(v)
	}
	s.end()
	requests.add(p, &s.in)
	err := s.receive(p, v)
	if (err == nil || s.in.decoded) && !s.method.isHeap() {
		s.method.counters.add(m, &s.in, err)
	}
	if !s.method.perMessage && s.in.arena != nil {
		s.end()
	}
	return err
}

func (s *serverStream) receive(p pointer, v any) error {
	defer requests.remove(p)
	return s.ServerStream.RecvMsg(v)
}

// open returns the arena of a message that has come, or nil.
func (s *serverStream) open() *arena.Arena {
	switch {
	case s.method.perMessage:
		return s.method.open(&s.memory)
	case s.method.isHeap():
		return nil
	}
	return as[arena.Arena](untyped.Open(nil, pointerTo(&s.memory)))
}
