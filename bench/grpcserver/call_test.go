package grpcserver

import (
	"context"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"lessgc/bench/internal/cputime"
	"lessgc/bench/protobuf/benchpb"
	"lessgc/rpc/arenagrpc"
)

// A registry keeps what is registered.
type registry struct{ desc *grpc.ServiceDesc }

func (r *registry) RegisterService(d *grpc.ServiceDesc, _ any) { r.desc = d }

// BenchmarkCall has what is done for a unary RPC between the bytes of its request and those of its
// reply, without a server around: what arenas add to or take from an RPC, which is lost in the
// noise of the network's part, ten to a hundred times as much.
func BenchmarkCall(b *testing.B) {
	next := func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
		return h(ctx, in)
	}
	handler := service
	handler.Methods = nil
	for _, m := range service.Methods {
		h := m.Handler
		m.Handler = func(srv any, ctx context.Context, dec func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
			if interceptor == nil {
				return h(srv, ctx, dec, nil)
			}
			return interceptor(ctx, nil, nil, func(ctx context.Context, _ any) (any, error) { return h(srv, ctx, dec, nil) })
		}
		handler.Methods = append(handler.Methods, m)
	}
	for _, request := range []struct {
		name, method string
		message      proto.Message
		interceptor  grpc.UnaryServerInterceptor
	}{
		{"small", "Small", &benchpb.Small{Id: 12345, Name: "the name", Token: "sixteen letters."}, nil},
		{"small-intercepted", "Small", &benchpb.Small{Id: 12345, Name: "the name", Token: "sixteen letters."}, next},
		{"span", "Export", trace(1), nil},
	} {
		in, err := proto.Marshal(request.message)
		if err != nil {
			b.Fatal(err)
		}
		data := mem.BufferSlice{mem.SliceBuffer(in)}
		for _, mode := range []string{"heap", "safe", "typed", "recycle"} {
			r := new(registry)
			c := encoding.GetCodecV2("proto")
			if mode == "heap" {
				c = own{}
				r.RegisterService(&handler, nil)
			} else {
				arenagrpc.Register(r, arenagrpc.Options{Policy: modes[mode].Policy}).RegisterService(&handler, nil)
			}
			dec := func(v any) error { return c.Unmarshal(data, v) }
			var h grpc.MethodHandler
			for _, m := range r.desc.Methods {
				if m.MethodName == request.method {
					h = m.Handler
				}
			}
			b.Run("request="+request.name+"/arena="+mode, func(b *testing.B) {
				b.ReportAllocs()
				start := cputime.Now()
				for b.Loop() {
					out, err := h(nil, context.Background(), dec, request.interceptor)
					if err != nil {
						b.Fatal(err)
					}
					reply, err := c.Marshal(out)
					if err != nil {
						b.Fatal(err)
					}
					reply.Free()
				}
				b.ReportMetric(float64(cputime.Now()-start)/float64(b.N), "loop-cpu-ns/op")
			})
		}
	}
}
