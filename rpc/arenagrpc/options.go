package arenagrpc

import (
	"google.golang.org/grpc"

	"lessgc/arena"
)

// Options configures the arenas of a server's RPCs. The zero Options are what most
// servers want.
type Options struct {
	// Policy is what becomes of requests and replies after the RPC. Default
	// stands for arena.RecycleTyped; arena.Heap turns arenas off.
	Policy arena.Policy

	// Methods has options for methods by their full names, such as
	// "/users.Users/Get". They replace those above.
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
	// Policy is as in [Options].
	Policy arena.Policy

	// PerMessage recycles each message that a stream receives when the next
	// one is received, with the policy. Without it they are left to the
	// collector. It does nothing for unary methods.
	PerMessage bool
}

// ServerCodec is the option of a server that decodes into arenas what was
// registered by [Register]; all else is as with gRPC's own codec. Without it
// messages are on the heap.
func ServerCodec() grpc.ServerOption { return grpc.ForceServerCodecV2(codec{}) }
