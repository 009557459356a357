package arenagrpc

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/internal/untyped"
)

// A Registrar registers services whose RPCs have arenas; see [Register].
type Registrar struct {
	to      grpc.ServiceRegistrar
	options Options

	mu      sync.Mutex
	pools   map[arena.Policy]*arena.Pool
	methods []*method
}

// Register returns what services are registered with instead of s, whose RPCs
// then have arenas. It has to be used before the server is started. RegisterService
// panics if grpc.EnableTracing is on and a policy recycles: traces show messages
// after they were freed. If it is turned on later, nothing is recycled any more.
func Register(s grpc.ServiceRegistrar, o Options) *Registrar {
	return &Registrar{to: s, options: o, pools: map[arena.Policy]*arena.Pool{}}
}

// RegisterService registers a service, as generated code asks for.
func (r *Registrar) RegisterService(desc *grpc.ServiceDesc, impl any) {
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
	r.to.RegisterService(&d, impl)
}

// A method is one that was registered.
type method struct {
	name       string
	registrar  *Registrar
	pool       *arena.Pool
	perMessage bool
	counters   counters
}

func (r *Registrar) method(service, name string) *method {
	full := "/" + service + "/" + name
	o, ok := r.options.Methods[full]
	if !ok {
		o.Policy = r.options.Policy
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	pool := r.pools[o.Policy]
	if pool == nil {
		pool = &arena.Pool{Policy: o.Policy, MaxKept: r.options.MaxKept, AuditEvery: r.options.AuditEvery}
		r.pools[o.Policy] = pool
	}
	if grpc.EnableTracing && o.Policy != arena.Safe && o.Policy != arena.Heap {
		panic("arenagrpc: grpc.EnableTracing is on, and shows messages after they are freed: turn it off, or choose the policy Safe")
	}
	m := &method{name: full, registrar: r, pool: pool, perMessage: o.PerMessage}
	r.methods = append(r.methods, m)
	return m
}

// A call is one RPC, all of it that is on the heap, and the context of its handler.
type call struct {
	context.Context
	method *method
	arena  *arena.Arena
	freed  atomic.Bool
	in     request
	out    reply
	dec    func(any) error
}

// Value returns the arena, as the value of [arena.NewContext] would, which is one
// more allocation.
func (c *call) Value(key any) any {
	if key == untyped.ContextKey {
		return c.arena
	}
	return c.Context.Value(key)
}

// free ends the life of the RPC's messages, the first time.
func (c *call) free() {
	if !c.freed.Swap(true) {
		c.arena.Free()
	}
}

// decode is what the handler decodes its request with.
func (c *call) decode(v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return c.dec(v)
	}
	c.in.Message = m
	return c.dec(&c.in)
}

// unary wraps the handler of a unary method, as generated code has it: it decodes
// the request and calls the interceptors.
func (m *method) unary(h grpc.MethodHandler) grpc.MethodHandler {
	return func(srv any, ctx context.Context, dec func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
		a := m.pool.Get()
		if a == nil {
			return h(srv, ctx, dec, interceptor)
		}
		if grpc.EnableTracing { // turned on after the service was registered
			a.KeepAll()
		}
		holder := holderOf(ctx)
		if holder == nil && m.registrar.options.FreeAtEnd {
			a.Free()
			return nil, errNoHandler
		}
		c := &call{Context: ctx, method: m, arena: a, dec: dec, in: request{arena: a}}
		done := false
		defer func() {
			if !done { // a panic: whoever recovers may look at anything
				a.KeepAll()
				c.free()
			}
		}()
		if holder != nil {
			holder.call = c
		}
		out, err := h(srv, c, c.decode, interceptor)
		done = true
		m.counters.add(&c.in, a, err)
		msg, ok := out.(proto.Message)
		if err == nil && ok && c.in.decoded {
			c.out = reply{msg, c}
			return &c.out, nil
		}
		if !c.in.decoded { // the server has another codec, which will not free what it encodes
			a.KeepAll()
		}
		if err != nil {
			err = ownError(err)
		}
		c.free()
		return out, err
	}
}

// errNoHandler is for the one who sets up a server: nothing would ever be freed.
var errNoHandler = status.Error(codes.Internal, "arenagrpc: Options.FreeAtEnd needs the server option arenagrpc.StatsHandler()")

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
		if !m.perMessage {
			return h(srv, s)
		}
		done := false
		defer func() {
			if !done {
				s.arena.KeepAll()
				s.arena.Free()
			}
		}()
		err := h(srv, s)
		done = true
		if err != nil {
			err = ownError(err)
		}
		s.arena.Free()
		s.arena = nil
		return err
	}
}

// A serverStream decodes what it receives into arenas.
type serverStream struct {
	grpc.ServerStream
	method *method
	arena  *arena.Arena // with PerMessage: of the last message
}

func (s *serverStream) RecvMsg(m any) error {
	msg, ok := m.(proto.Message)
	if !ok {
		return s.ServerStream.RecvMsg(m)
	}
	var a *arena.Arena
	if s.method.perMessage {
		s.arena.Free()
		s.arena = s.method.pool.Get()
		a = s.arena
	} else if a = arena.NewArena(); a != nil {
		defer a.Free() // which leaves it to the collector
	}
	e := request{Message: msg, arena: a}
	err := s.ServerStream.RecvMsg(&e)
	if err == nil || e.decoded {
		s.method.counters.add(&e, a, err)
	}
	return err
}
