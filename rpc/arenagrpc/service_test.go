package arenagrpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/arena/deep"
	"lessgc/rpc/internal/testpb"
)

// A service does what the name in a request says.
type service struct {
	mu      sync.Mutex
	kept    []*testpb.Small // by "keep"
	strings []string        // by "string"
	users   []*testpb.User  // by echo and chat of a user "keep"
	started chan bool       // by "wait" and "left"
	release chan bool       // what "left" waits for
}

// An odd error has its text in the request.
type oddError struct{ text string }

func (e oddError) Error() string { return e.text }

func (s *service) get(ctx context.Context, in *testpb.Small) (*testpb.Users, error) {
	a := arena.FromContext(ctx)
	switch in.Name {
	case "error":
		return nil, oddError{in.Token}
	case "status":
		return nil, status.Error(codes.NotFound, in.Token)
	case "panic":
		panic("the handler panics: " + in.Token)
	case "keep, then panic":
		s.mu.Lock()
		s.kept = append(s.kept, in)
		s.mu.Unlock()
		panic("the handler panics: " + in.Token)
	case "wait":
		s.started <- true
		<-ctx.Done()
		return nil, ctx.Err()
	case "left":
		s.started <- true
		<-s.release
	case "keep":
		a.Keep()
		s.mu.Lock()
		s.kept = append(s.kept, in)
		s.mu.Unlock()
	case "detach":
		s.mu.Lock()
		s.kept = append(s.kept, deep.Detach(a, in))
		s.mu.Unlock()
	case "string":
		s.mu.Lock()
		s.strings = append(s.strings, in.Token)
		s.mu.Unlock()
	case "nil":
		return nil, nil
	case "share, then panic":
		a.Share()
		panic("the handler panics: " + in.Token)
	case "share":
		a.Share()
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { arena.New[testpb.User](a) })
		}
		all.Wait()
	}
	out := arena.New[testpb.Users](a)
	for i := range in.Id {
		u := arena.New[testpb.User](a)
		u.Id, u.Name = i, a.String(in.Name+" "+in.Token)
		u.Tags = arena.Append(a, u.Tags, in.Token)
		out.Users = arena.Append(a, out.Users, u)
	}
	return out, nil
}

func (s *service) echo(_ context.Context, in *testpb.Users) (*testpb.Users, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range in.Users {
		switch u.Name {
		case "keep":
			s.users = append(s.users, u)
		case "use":
			u.Name = strings.ToUpper(s.users[0].Name) // what was kept
		}
	}
	return in, nil
}

// unaryDesc returns a unary method's descriptor, as generated code has it.
func unaryDesc[In any, P interface {
	*In
	proto.Message
}, Out any](name string, f func(*service, context.Context, P) (Out, error)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(srv any, ctx context.Context, dec func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
		in := P(new(In))
		if err := dec(in); err != nil {
			return nil, err
		}
		handle := func(ctx context.Context, in any) (any, error) { return f(srv.(*service), ctx, in.(P)) }
		if interceptor == nil {
			return handle(ctx, in)
		}
		return interceptor(ctx, in, &grpc.UnaryServerInfo{Server: srv, FullMethod: "/test.Users/" + name}, handle)
	}}
}

// chat answers each message of a stream with what it got so far.
func (s *service) chat(stream grpc.ServerStream) error {
	var names []string
	for {
		in := new(testpb.Small)
		if err := stream.RecvMsg(in); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch in.Name {
		case "error":
			return oddError{in.Token}
		case "keep":
			s.kept = append(s.kept, in)
		}
		names = append(names, strings.Clone(in.Name))
		if err := stream.SendMsg(&testpb.Small{Name: strings.Join(names, " "), Token: in.Token}); err != nil {
			return err
		}
	}
}

var desc = grpc.ServiceDesc{
	ServiceName: "test.Users",
	HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{
		unaryDesc("Get", (*service).get),
		unaryDesc("Echo", (*service).echo),
	},
	Streams: []grpc.StreamDesc{{
		StreamName: "Chat", ServerStreams: true, ClientStreams: true,
		Handler: func(srv any, stream grpc.ServerStream) error { return srv.(*service).chat(stream) },
	}},
}

// A fixture is a server, with arenas as options say, and a client.
type fixture struct {
	service   *service
	registrar *Registrar
	server    *grpc.Server
	conn      *grpc.ClientConn
	over      rpcEnds // of startSequential
}

// rpcEnds receives when the server is done with an RPC.
type rpcEnds chan struct{}

func (rpcEnds) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (rpcEnds) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (rpcEnds) HandleConn(context.Context, stats.ConnStats)                       {}

func (ends rpcEnds) HandleRPC(_ context.Context, s stats.RPCStats) {
	if _, ok := s.(*stats.End); ok {
		ends <- struct{}{}
	}
}

// startSequential is start for a test with one RPC at a time that counts arenas. A client
// has its answer before the server has freed the arena, and a pool has a slot for each
// processor: so there is one, and who does not use get receives from over after each RPC.
func startSequential(t testing.TB, o Options, codec bool, more ...grpc.ServerOption) *fixture {
	t.Helper()
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	over := make(rpcEnds, 1)
	f := start(t, o, codec, append(more, grpc.StatsHandler(over))...)
	f.over = over
	return f
}

// start starts a server, with gRPC's own codec unless codec. Its last interceptor turns panics
// into errors.
func start(t testing.TB, o Options, codec bool, more ...grpc.ServerOption) *fixture {
	t.Helper()
	recovers := func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (out any, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = status.Error(codes.Internal, fmt.Sprint(p))
			}
		}()
		return next(ctx, in)
	}
	options := append([]grpc.ServerOption{grpc.ChainUnaryInterceptor(recovers)}, more...)
	if !codec {
		options = append(options, grpc.ForceServerCodecV2(base))
	}
	f := &fixture{service: &service{started: make(chan bool, 1), release: make(chan bool)}, server: grpc.NewServer(options...)}
	f.registrar = Register(f.server, o)
	f.registrar.RegisterService(&desc, f.service)
	f.conn = serve(t, f.server)
	return f
}

// serve starts a server, and returns a client.
func serve(t testing.TB, s *grpc.Server) *grpc.ClientConn {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	go s.Serve(listener)
	conn, err := grpc.NewClient("passthrough:///test", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		s.Stop()
	})
	return conn
}

func (f *fixture) get(ctx context.Context, name, token string, n int64, opts ...grpc.CallOption) (*testpb.Users, error) {
	out := new(testpb.Users)
	err := f.conn.Invoke(ctx, "/test.Users/Get", &testpb.Small{Id: n, Name: name, Token: token}, out, opts...)
	if f.over != nil {
		<-f.over
	}
	return out, err
}

// checkUsers checks what get returned.
func checkUsers(t testing.TB, out *testpb.Users, name, token string, n int) {
	t.Helper()
	if len(out.GetUsers()) != n {
		t.Fatalf("%d users, want %d", len(out.GetUsers()), n)
	}
	for i, u := range out.Users {
		if u.Id != int64(i) || u.Name != name+" "+token || len(u.Tags) != 1 || u.Tags[0] != token {
			t.Fatalf("user %d is %v", i, u)
		}
	}
}
