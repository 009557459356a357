package arenagrpc

import (
	"context"
	"reflect"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"
	"google.golang.org/protobuf/proto"

	"lessgc/internal/methods"
	"lessgc/internal/untyped"
	"lessgc/rpc/internal/lent"
)

// MethodStats sums up the RPCs of a method so far.
type MethodStats struct {
	Method   string // full name, such as "/users.Users/Get"
	Messages int64  // decoded into arenas
	Bytes    int64  // of their encodings
	Memory   int64  // bytes that RPCs had in their arenas in the end, or messages of streams when they were decoded
	Objects  int64  // in that memory: messages, elements of lists, optional values
	Kept     int64  // RPCs whose arena was kept, by Keep, because of a panic or for a handler that may be late
	Errors   int64  // RPCs or messages that ended with an error
	Live     int64  // arenas that are open now
	Audited  int64  // arenas that were audited
	Escapes  int64  // objects, slices and strings of these that were kept: audit.All says which, by owner

	// Fallback says why package proto decodes messages of this method, or parts of them; "" if
	// it has decoded none.
	Fallback string
}

type counters struct {
	messages, bytes, memory, objects, kept, errors, live atomic.Int64

	request atomic.Value // the first message's reflect.Type
}

// add counts an RPC whose request is m, or a message of a stream; m is nil if there is none.
func (c *counters) add(m proto.Message, w *waiting, err error) {
	c.count(m, w, err)
	if w.arena != nil {
		bytes, objects, kept := untyped.Used(pointerTo(w.arena))
		c.memory.Add(bytes)
		c.objects.Add(objects)
		if kept {
			c.kept.Add(1)
		}
	}
}

// left is add for an RPC whose arena is still in use.
func (c *counters) left(m proto.Message, w *waiting, err error) {
	c.count(m, w, err)
	c.kept.Add(1)
}

func (c *counters) count(m proto.Message, w *waiting, err error) {
	if m != nil && c.messages.Add(1) == 1 {
		c.request.Store(reflect.TypeOf(m))
	}
	c.bytes.Add(int64(w.bytes))
	if err != nil {
		c.errors.Add(1)
	}
}

// fallback returns what MethodStats.Fallback is to be.
func (c *counters) fallback() string {
	typ, ok := c.request.Load().(reflect.Type)
	switch {
	case !ok:
		return ""
	case !installed():
		return "another codec was registered as proto after that of arenagrpc"
	}
	return lent.Fallback(reflect.Zero(typ).Interface().(proto.Message))
}

// published returns the same as Stats, and nothing for a Registrar that is gone.
func (r *Registrar) published() (all []methods.Method) {
	if r != nil {
		for _, s := range r.Stats() {
			all = append(all, methods.Method(s))
		}
	}
	return all
}

// Stats returns the statistics of the methods that r registered, in the order in
// which they were registered. It may be called at any time. Package live serves it, and
// lessgc watch shows it; for expvar it is
//
//	expvar.Publish("arenagrpc", expvar.Func(func() any { return registrar.Stats() }))
func (r *Registrar) Stats() []MethodStats {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []MethodStats
	for _, m := range r.methods {
		c := &m.counters
		s := MethodStats{
			Method:   m.name,
			Messages: c.messages.Load(),
			Bytes:    c.bytes.Load(),
			Memory:   c.memory.Load(),
			Objects:  c.objects.Load(),
			Kept:     c.kept.Load(),
			Errors:   c.errors.Load(),
			Live:     c.live.Load(),
		}
		found := m.owner.Audit()
		s.Audited = found.Arenas
		for _, e := range found.Escapes {
			s.Escapes += e.Count
		}
		s.Fallback = c.fallback()
		all = append(all, s)
	}
	return all
}

// StatsHandler is the option of a server that [Options.FreeAtEnd] needs.
func StatsHandler() grpc.ServerOption { return grpc.StatsHandler(handler{}) }

// A holder is put into the context of an RPC before anything is decoded.
type holder struct{ rpc *rpc }

type holderKey struct{}

func holderOf(ctx context.Context) *holder {
	h, _ := ctx.Value(holderKey{}).(*holder)
	return h
}

type handler struct{}

func (handler) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, holderKey{}, new(holder))
}

func (handler) HandleRPC(ctx context.Context, s stats.RPCStats) {
	if _, ok := s.(*stats.End); ok {
		if h := holderOf(ctx); h != nil && h.rpc != nil {
			h.rpc.free()
		}
	}
}

func (handler) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (handler) HandleConn(context.Context, stats.ConnStats)                       {}
