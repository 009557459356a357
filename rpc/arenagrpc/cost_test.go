package arenagrpc

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"lessgc/internal/checked"
	"lessgc/rpc/internal/testpb"
)

// TestAllocs checks that an RPC with an arena has no more allocations than one without, from the
// request's bytes to those of the reply, whatever the policy, with and without interceptors.
func TestAllocs(t *testing.T) {
	needArenas(t)
	if checked.Enabled || !plain {
		t.Skip("checked builds allocate more")
	}
	handler := unaryDesc("Get", func(_ *service, _ context.Context, in *testpb.Small) (*testpb.Small, error) {
		return &testpb.Small{Id: in.Id, Token: in.Token}, nil
	}).Handler
	next := func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
		return h(ctx, in)
	}
	for name, interceptor := range map[string]grpc.UnaryServerInterceptor{"without interceptors": nil, "with one": next} {
		for _, size := range []int{20, 50, 150, 300, 500, 1000} {
			in, err := proto.Marshal(&testpb.Small{Id: 1, Token: strings.Repeat("x", size)})
			if err != nil {
				t.Fatal(err)
			}
			data := mem.BufferSlice{mem.SliceBuffer(in)}
			rpc := func(h grpc.MethodHandler, c encoding.CodecV2) func() {
				return func() {
					out, err := h(new(service), context.Background(), func(v any) error { return c.Unmarshal(data, v) }, interceptor)
					if err != nil {
						t.Fatal(err)
					}
					b, err := c.Marshal(out)
					if err != nil || b.Len() == 0 {
						t.Fatal(b, err)
					}
					b.Free()
				}
			}
			want := testing.AllocsPerRun(200, rpc(handler, base))
			for _, policy := range recycled {
				m := Register(nil, Options{Policy: policy}).method("test.Users", "Get")
				if got := testing.AllocsPerRun(200, rpc(m.unary(handler), installedCodec())); got > want {
					t.Errorf("%s, %d bytes, %v: %v allocations, %v without arenas", name, size, policy, got, want)
				}
			}
		}
	}
}

// TestMarshal checks that replies of all sizes are encoded as gRPC's codec does, errors included.
func TestMarshal(t *testing.T) {
	for _, size := range []int{0, 1, 40, 1000, 1020, 1024, 2000, 100_000} {
		m := &testpb.Small{Token: strings.Repeat("x", size)}
		want, err := base.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := new(call).marshal(m)
		if err != nil || string(got.Materialize()) != string(want.Materialize()) {
			t.Errorf("%d bytes: %v", size, err)
		}
		got.Free()
		m.Name = "\xff"
		if _, err := new(call).marshal(m); err == nil {
			t.Errorf("%d bytes: text that is not UTF-8 is encoded", size)
		}
	}
	if _, err := new(call).marshal("no message"); err == nil {
		t.Error("no error for what is not a message")
	}
}
