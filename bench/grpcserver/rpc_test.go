package grpcserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/bench/protobuf/benchpb"
	"lessgc/rpc/arenagrpc"
)

// serverMode names the environment variable that makes the test binary a server, of that mode.
const serverMode = "LESSGC_BENCH_SERVER"

// modes holds the options of a server by the mode of its messages: "heap" is gRPC's own codec, the others
// use arenas. Messages of streams are recycled one by one.
var modes = map[string]arenagrpc.MethodOptions{
	"heap":    {},
	"safe":    {Policy: arena.Safe},
	"typed":   {Policy: arena.RecycleTyped, PerMessage: true},
	"recycle": {Policy: arena.RecycleAll, PerMessage: true},
}

// serve is the server, which ends with its parent.
func serve(mode string) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	o := modes[mode]
	options := arenagrpc.Options{Policy: o.Policy, Methods: map[string]arenagrpc.MethodOptions{}}
	for _, s := range service.Streams {
		options.Methods["/"+service.ServiceName+"/"+s.StreamName] = o
	}
	var g *grpc.Server
	if mode == "heap" {
		g = grpc.NewServer(grpc.ForceServerCodecV2(own{}))
		g.RegisterService(&service, nil)
	} else {
		g = grpc.NewServer()
		arenagrpc.Register(g, options).RegisterService(&service, nil)
	}
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	panic(g.Serve(listener))
}

// service has unary methods and streams in which each message is answered, but for Spans, of which all are.
var service = grpc.ServiceDesc{
	ServiceName: "bench.Bench",
	HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{
		unary("Small", func(_ context.Context, in *benchpb.Small) (proto.Message, error) {
			return &benchpb.Small{Id: in.Id}, nil
		}),
		unary("Export", func(_ context.Context, in *benchpb.Trace) (proto.Message, error) {
			return &benchpb.Small{Id: attributes(in)}, nil
		}),
		unary("Write", func(_ context.Context, in *benchpb.WriteRequest) (proto.Message, error) {
			n := 0
			for _, s := range in.Timeseries {
				n += len(s.Labels)
			}
			return &benchpb.Small{Id: int64(n)}, nil
		}),
		unary("Stats", func(context.Context, *benchpb.Small) (proto.Message, error) {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return &benchpb.Stack{Value: []int64{int64(m.Mallocs), int64(m.TotalAlloc), int64(m.NumGC)}}, nil
		}),
	},
	Streams: []grpc.StreamDesc{
		stream("Chat", func(_ grpc.ServerStream, in *benchpb.Small) proto.Message { return &benchpb.Small{Id: in.Id} }),
		stream("Spans", func(_ grpc.ServerStream, in *benchpb.Trace) proto.Message { attributes(in); return nil }),
		stream("Discover", func(grpc.ServerStream, *benchpb.Small) proto.Message { return resources }),
		stream("Users", func(s grpc.ServerStream, in *benchpb.Small) proto.Message { return newUsers(s.Context(), int(in.Id)) }),
	},
}

// resources is a message that a configuration server sends again and again.
var resources = &benchpb.WriteRequest{Timeseries: func() (all []*benchpb.TimeSeries) {
	for i := range 100 {
		s := &benchpb.TimeSeries{Samples: []*benchpb.Sample{{Value: 1.5, Timestamp: int64(i)}}}
		for k := range 5 {
			s.Labels = append(s.Labels, &benchpb.Label{Name: fmt.Sprint("name_of_label_", k), Value: fmt.Sprintf("value_%d_%d", i, k)})
		}
		all = append(all, s)
	}
	return all
}()}

// newUsers makes a reply in the arena of a stream, which is reset when the next one is made.
func newUsers(ctx context.Context, n int) proto.Message {
	a := arena.FromContext(ctx)
	a.Reset()
	m := arena.New[benchpb.Users](a)
	m.Users = arena.MakeSlice[*benchpb.User](a, n, n)
	for i := range m.Users {
		u := arena.New[benchpb.User](a)
		u.Id, u.Name, u.Active = int64(i), "the name of a user", true
		m.Users[i] = u
	}
	return m
}

func attributes(in *benchpb.Trace) (n int64) {
	for _, r := range in.ResourceSpans {
		for _, s := range r.ScopeSpans {
			for _, span := range s.Spans {
				n += int64(len(span.Attributes))
			}
		}
	}
	return n
}

func unary[In any, P interface {
	*In
	proto.Message
}](name string, f func(context.Context, P) (proto.Message, error)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(_ any, ctx context.Context, dec func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
		in := P(new(In))
		if err := dec(in); err != nil {
			return nil, err
		}
		return f(ctx, in)
	}}
}

func stream[In any, P interface {
	*In
	proto.Message
}](name string, f func(grpc.ServerStream, P) proto.Message) grpc.StreamDesc {
	return grpc.StreamDesc{StreamName: name, ServerStreams: true, ClientStreams: true, Handler: func(_ any, s grpc.ServerStream) error {
		for {
			in := P(new(In))
			switch err := s.RecvMsg(in); {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			}
			if out := f(s, in); out != nil {
				if err := s.SendMsg(out); err != nil {
					return err
				}
			}
		}
	}}
}

// startMode starts a server of its own for each benchmark.
func startMode(b *testing.B, mode string) *server {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	s := &server{cmd: exec.Command(self)}
	s.cmd.Env = append(os.Environ(), serverMode+"="+mode)
	s.cmd.Stderr = os.Stderr
	if _, err := s.cmd.StdinPipe(); err != nil { // the server ends with this process
		b.Fatal(err)
	}
	s.begin(b)
	return s
}

// stats returns what the server's runtime says.
func (s *server) stats(b *testing.B) memory {
	out := new(benchpb.Stack)
	if err := s.conn.Invoke(context.Background(), "/bench.Bench/Stats", new(benchpb.Small), out); err != nil {
		b.Fatal(err)
	}
	return memory{Mallocs: uint64(out.Value[0]), TotalAlloc: uint64(out.Value[1]), NumGC: uint32(out.Value[2])}
}

// stream sends n messages by four streams, and receives as many unless answered is false.
func (s *server) stream(b *testing.B, name string, in []byte, n int, answered bool) {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			st, err := s.conn.NewStream(ctx, &grpc.StreamDesc{StreamName: name, ServerStreams: true, ClientStreams: true}, "/bench.Bench/"+name, grpc.ForceCodecV2(raw{}))
			if err != nil {
				b.Error(err)
				return
			}
			for range (n + i) / 4 {
				if err := st.SendMsg(in); err != nil {
					b.Error(err)
					return
				}
				if !answered {
					continue
				}
				if err := st.RecvMsg(new([]byte)); err != nil {
					b.Error(err)
					return
				}
			}
			st.CloseSend()
			if err := st.RecvMsg(new([]byte)); !errors.Is(err, io.EOF) {
				b.Error(err)
			}
		})
	}
	wg.Wait()
}

func trace(spans int) *benchpb.Trace {
	r := rand.New(rand.NewPCG(1, 2))
	id := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	text := func(k, v string) *benchpb.KeyValue {
		return &benchpb.KeyValue{Key: k, Value: &benchpb.Any{Value: &benchpb.Any_StringValue{StringValue: v}}}
	}
	scope := &benchpb.ScopeSpans{Scope: &benchpb.Scope{Name: "go.example/http", Version: "1.2.3"}}
	for i := range spans {
		scope.Spans = append(scope.Spans, &benchpb.Span{
			TraceId: id(16), SpanId: id(8), ParentSpanId: id(8), Name: "GET /users/{id}", Kind: benchpb.SpanKind_SPAN_KIND_SERVER,
			StartTimeUnixNano: 1700000000000000000 + uint64(i), EndTimeUnixNano: 1700000000000900000 + uint64(i),
			Attributes: []*benchpb.KeyValue{text("http.method", "GET"), text("http.url", "https://example.com/users/123"),
				{Key: "http.status_code", Value: &benchpb.Any{Value: &benchpb.Any_IntValue{IntValue: 200}}}, text("net.peer.ip", "10.1.2.3"), text("user_agent", "Mozilla/5.0")},
			Events: []*benchpb.Event{{TimeUnixNano: 1700000000000100000, Name: "cache.miss", Attributes: []*benchpb.KeyValue{text("key", "user:123")}}},
			Status: &benchpb.Status{Message: "OK", Code: 1},
		})
	}
	return &benchpb.Trace{ResourceSpans: []*benchpb.ResourceSpans{{
		Resource:   &benchpb.Resource{Attributes: []*benchpb.KeyValue{text("service.name", "users"), text("host.name", "node-17")}},
		ScopeSpans: []*benchpb.ScopeSpans{scope},
	}}}
}

// BenchmarkRPC has the same requests for each mode.
func BenchmarkRPC(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("reads /proc")
	}
	for _, request := range []struct {
		name, method       string
		message            proto.Message
		stream, unanswered bool
	}{
		{name: "unary-small", method: "Small", message: &benchpb.Small{Id: 12345, Name: "the name", Token: "sixteen letters."}},
		{name: "unary-span", method: "Export", message: trace(1)},
		{name: "unary-500-spans", method: "Export", message: trace(500)},
		{name: "unary-100-series", method: "Write", message: resources},
		{name: "stream-small", method: "Chat", message: &benchpb.Small{Id: 12345, Name: "the name", Token: "sixteen letters."}, stream: true},
		{name: "stream-50-spans", method: "Spans", message: trace(50), stream: true, unanswered: true},
		{name: "stream-resources", method: "Discover", message: &benchpb.Small{Token: "version 17"}, stream: true},
		{name: "stream-200-users", method: "Users", message: &benchpb.Small{Id: 200}, stream: true},
	} {
		in, err := proto.Marshal(request.message)
		if err != nil {
			b.Fatal(err)
		}
		for _, mode := range []string{"heap", "safe", "typed", "recycle"} {
			b.Run("request="+request.name+"/arena="+mode, func(b *testing.B) {
				s := startMode(b, mode)
				send := func(n int) {
					if request.stream {
						s.stream(b, request.method, in, n, !request.unanswered)
					} else {
						s.send(b, "/bench.Bench/"+request.method, in, n, grpc.ForceCodecV2(raw{}))
					}
				}
				send(500)
				cpu, before := s.cpu(b), s.stats(b)
				b.ResetTimer()
				send(b.N)
				b.StopTimer()
				used, after := s.cpu(b)-cpu, s.stats(b)
				s.report(b, used, before, after)
			})
		}
	}
}
