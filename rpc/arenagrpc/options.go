package arenagrpc

import "lessgc/arena"

// Options configures the arenas of a server's RPCs. The zero Options are right for every
// server: messages that a handler or an interceptor keeps stay valid.
type Options struct {
	// Policy decides what becomes of requests and replies after the RPC. To recycle
	// them is faster, and wants a server that keeps none of them.
	Policy arena.Policy

	// Heap turns arenas off: messages are where gRPC's own codec has them.
	Heap bool

	// Methods has options for methods by their full names, such as
	// "/users.Users/Get". They replace those above: without a Policy it is Safe.
	Methods map[string]MethodOptions

	// MaxKept bounds the memory that idle arenas keep, in bytes, and
	// AuditEvery has one arena in so many audited; see [arena.Pool].
	MaxKept    int
	AuditEvery int

	// FreeAtEnd frees at stats.End, not as soon as the reply is encoded: for
	// servers with a stats handler or an interceptor of streams that looks at
	// the messages that were sent. It needs the option [StatsHandler] of the server,
	// and all RPCs fail without.
	FreeAtEnd bool
}

// MethodOptions configures the RPCs of one method.
type MethodOptions struct {
	// Policy and Heap are as in [Options].
	Policy arena.Policy
	Heap   bool

	// PerMessage recycles each message that a stream receives when the next
	// one is received, with the policy. Without it they are left to the
	// collector. It does nothing for unary methods.
	PerMessage bool
}
