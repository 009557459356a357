package arenagrpc

import (
	"context"
	"sync/atomic"
	"unsafe"

	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"

	"lessgc/arena"
	"lessgc/internal/untyped"
	"lessgc/rpc/arenapb"
)

// MethodStats is what the RPCs of a method did so far.
type MethodStats struct {
	Method   string // full name, such as "/users.Users/Get"
	Messages int64  // decoded into arenas
	Bytes    int64  // of their encodings
	Memory   int64  // bytes that RPCs had in their arenas in the end, or messages of streams when they were decoded
	Objects  int64  // in that memory: messages, elements of lists, optional values
	Kept     int64  // RPCs that called KeepAll
	Errors   int64  // RPCs or messages that ended with an error

	// Fallback says why package proto decodes messages of this method; "" if
	// it does not.
	Fallback string
}

type counters struct {
	messages, bytes, memory, objects, kept, errors atomic.Int64

	fallback atomic.Pointer[string]
}

func (c *counters) add(e *request, a *arena.Arena, err error) {
	if e.Message != nil && c.messages.Add(1) == 1 {
		why := arenapb.Fallback(e.Message)
		c.fallback.Store(&why)
	}
	c.bytes.Add(int64(e.bytes))
	if a != nil {
		bytes, objects, kept := untyped.Used(unsafe.Pointer(a))
		c.memory.Add(bytes)
		c.objects.Add(objects)
		if kept {
			c.kept.Add(1)
		}
	}
	if err != nil {
		c.errors.Add(1)
	}
}

// Stats returns what the methods that r registered did so far, in the order in
// which they were registered. It may be called at any time; expvar.Func shows it.
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
		}
		if why := c.fallback.Load(); why != nil {
			s.Fallback = *why
		}
		all = append(all, s)
	}
	return all
}

// StatsHandler is the option of a server that [Options.FreeAtEnd] needs.
func StatsHandler() grpc.ServerOption { return grpc.StatsHandler(handler{}) }

// A holder is put into the context of an RPC before anything is decoded.
type holder struct{ call *call }

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
		if h := holderOf(ctx); h != nil && h.call != nil {
			h.call.free()
		}
	}
}

func (handler) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (handler) HandleConn(context.Context, stats.ConnStats)                       {}
