package arenagrpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
)

// In is an option of a call, made by a connection with [ClientInterceptor]: the
// reply is decoded into a, which the caller owns. The reply lives as long as a,
// and nobody else may use a during the call. With a nil arena the reply is on the
// heap.
func In(a *arena.Arena) grpc.CallOption { return inArena{arena: a} }

type inArena struct {
	grpc.EmptyCallOption
	arena *arena.Arena
}

// ClientInterceptor returns what makes [In] work: grpc.WithUnaryInterceptor, or
// grpc.WithChainUnaryInterceptor with this one as the last.
func ClientInterceptor() grpc.UnaryClientInterceptor {
	return func(ctx context.Context, method string, in, out any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		var a *arena.Arena
		for _, o := range opts {
			if o, ok := o.(inArena); ok {
				a = o.arena
			}
		}
		msg, ok := out.(proto.Message)
		if a == nil || !ok {
			return invoke(ctx, method, in, out, conn, opts...)
		}
		opts = append(opts[:len(opts):len(opts)], grpc.ForceCodecV2(codec{}))
		return invoke(ctx, method, in, &request{Message: msg, arena: a}, conn, opts...)
	}
}
