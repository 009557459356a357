package middleware

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"buf.build/go/protovalidate"
	grpcprom "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/auth"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/logging"
	validate "github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/protovalidate"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/recovery"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/selector"
	"github.com/grpc-ecosystem/go-grpc-middleware/v2/interceptors/validator"
	gateway "github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/arena/audit"
	pb "lessgc/examples/users/userspb"
	"lessgc/internal/checked"
	"lessgc/rpc/arenagrpc"
)

// A server answers with what it was asked.
type server struct {
	pb.UnimplementedUsersServer
	mu   sync.Mutex
	kept []*pb.PutRequest // by requests that panic
}

func (s *server) Get(ctx context.Context, in *pb.GetRequest) (*pb.GetReply, error) {
	a := arena.FromContext(ctx)
	reply := arena.New[pb.GetReply](a)
	for i := range in.Count {
		u := arena.New[pb.User](a)
		u.Id, u.Name = int64(i), a.String(fmt.Sprint(in.Prefix, i))
		reply.Users = arena.Append(a, reply.Users, u)
	}
	return reply, nil
}

func (s *server) Put(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	if in.Users[0].Name == "panic" {
		s.mu.Lock()
		s.kept = append(s.kept, in)
		s.mu.Unlock()
		panic("as it was asked to")
	}
	reply := arena.New[pb.PutReply](arena.FromContext(ctx))
	reply.Count = int32(len(in.Users))
	return reply, nil
}

func (s *server) Chat(stream pb.Users_ChatServer) error {
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = stream.Send(m)
		}
		if err != nil {
			return err
		}
	}
}

// A later is a logger that writes its records when it has time: it keeps the messages that the
// interceptor passes to it.
type later struct {
	mu   sync.Mutex
	kept []proto.Message
}

func (l *later) log(_ context.Context, _ logging.Level, _ string, fields ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range fields {
		if m, ok := f.(proto.Message); ok {
			l.kept = append(l.kept, m)
		}
	}
}

// A now is a logger that writes its records at once.
type now struct {
	mu      sync.Mutex
	written bytes.Buffer
}

func (l *now) log(_ context.Context, _ logging.Level, text string, fields ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintln(&l.written, append([]any{text}, fields...)...)
}

var payloads = logging.WithLogOnEvents(logging.StartCall, logging.FinishCall, logging.PayloadReceived, logging.PayloadSent)

// both are the interceptors of one middleware.
func both(unary grpc.UnaryServerInterceptor, stream grpc.StreamServerInterceptor) []grpc.ServerOption {
	return []grpc.ServerOption{grpc.ChainUnaryInterceptor(unary), grpc.ChainStreamInterceptor(stream)}
}

// recovers comes first, as it should.
func recovers() []grpc.ServerOption {
	o := recovery.WithRecoveryHandler(func(p any) error { return status.Errorf(codes.Internal, "recovered: %v", p) })
	return both(recovery.UnaryServerInterceptor(o), recovery.StreamServerInterceptor(o))
}

// middleware that keeps no message.
func all(t *testing.T) map[string][]grpc.ServerOption {
	v, err := protovalidate.New()
	if err != nil {
		t.Fatal(err)
	}
	metrics := grpcprom.NewServerMetrics(grpcprom.WithServerHandlingTimeHistogram())
	type user struct{}
	authenticate := func(ctx context.Context) (context.Context, error) {
		return context.WithValue(ctx, user{}, "somebody"), nil
	}
	at := new(now)
	unary := logging.UnaryServerInterceptor(logging.LoggerFunc(at.log), payloads)
	return map[string][]grpc.ServerOption{
		"none":          {},
		"recovery":      recovers(),
		"logging":       both(unary, logging.StreamServerInterceptor(logging.LoggerFunc(at.log), payloads)),
		"auth":          both(auth.UnaryServerInterceptor(authenticate), auth.StreamServerInterceptor(authenticate)),
		"validator":     both(validator.UnaryServerInterceptor(), validator.StreamServerInterceptor()),
		"protovalidate": both(validate.UnaryServerInterceptor(v), validate.StreamServerInterceptor(v)),
		"prometheus":    both(metrics.UnaryServerInterceptor(), metrics.StreamServerInterceptor()),
		"otelgrpc":      {grpc.StatsHandler(otelgrpc.NewServerHandler(otelgrpc.WithMessageEvents(otelgrpc.ReceivedEvents, otelgrpc.SentEvents)))},
		"selector": {grpc.ChainUnaryInterceptor(selector.UnaryServerInterceptor(unary, selector.MatchFunc(
			func(_ context.Context, c interceptors.CallMeta) bool { return c.Method == "Put" })))},
	}
}

// start starts a server, and returns a client of it.
func start(t *testing.T, s *server, o arenagrpc.Options, options ...grpc.ServerOption) (*grpc.Server, *grpc.ClientConn) {
	t.Helper()
	g := grpc.NewServer(options...)
	pb.RegisterUsersServer(arenagrpc.Register(g, o), s)
	listener := bufconn.Listen(1 << 20)
	go g.Serve(listener)
	conn, err := grpc.NewClient("passthrough:///test", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		g.Stop()
	})
	return g, conn
}

func put(i int, name string) *pb.PutRequest {
	m := new(pb.PutRequest)
	for k := range 1 + i%5 {
		m.Users = append(m.Users, &pb.User{Id: int64(i), Name: name, Email: fmt.Sprintf("%d-%d@example.com", i, k), Tags: []string{"a", strings.Repeat("b", i%40)}})
	}
	return m
}

// use has some RPCs at a time, of each kind, and checks what is answered.
func use(t *testing.T, conn *grpc.ClientConn, panics bool) {
	t.Helper()
	users, ctx := pb.NewUsersClient(conn), context.Background()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 25 {
				prefix := fmt.Sprint(g, " ", i, " ")
				reply, err := users.Get(ctx, &pb.GetRequest{Count: int32(i), Prefix: prefix})
				if err != nil || len(reply.Users) != i || i > 0 && reply.Users[i-1].Name != fmt.Sprint(prefix, i-1) {
					t.Errorf("%v, %v", reply, err)
				}
				if reply, err := users.Put(ctx, put(i, prefix)); err != nil || int(reply.Count) != 1+i%5 {
					t.Errorf("%v, %v", reply, err)
				}
				if panics && i%5 == 0 {
					if _, err := users.Put(ctx, put(i, "panic")); status.Code(err) != codes.Internal {
						t.Error(err)
					}
				}
			}
			chat, err := users.Chat(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 20 {
				want := &pb.ChatMessage{Room: fmt.Sprint(g), Text: strings.Repeat("x", i)}
				if err := chat.Send(want); err != nil {
					t.Error(err)
				}
				if got, err := chat.Recv(); err != nil || !proto.Equal(got, want) {
					t.Errorf("%v, %v", got, err)
				}
			}
			chat.CloseSend()
			if _, err := chat.Recv(); err != io.EOF {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

var policies = []arena.Policy{arena.Safe, arena.RecycleTyped, arena.RecycleAll}

// TestEach has a server with each middleware that keeps no message, with each policy.
func TestEach(t *testing.T) {
	for name, options := range all(t) {
		for _, policy := range policies {
			t.Run(fmt.Sprintf("%s/%v", name, policy), func(t *testing.T) {
				s := new(server)
				g, conn := start(t, s, arenagrpc.Options{Policy: policy}, options...)
				use(t, conn, name == "recovery")
				g.GracefulStop()
				checkKept(t, s)
				verify(t)
			})
		}
	}
}

// TestTogether has all of them in one server.
func TestTogether(t *testing.T) {
	options := recovers()
	for name, o := range all(t) {
		if name != "recovery" {
			options = append(options, o...)
		}
	}
	for _, policy := range policies {
		s := new(server)
		g, conn := start(t, s, arenagrpc.Options{Policy: policy}, options...)
		use(t, conn, true)
		g.GracefulStop()
		checkKept(t, s)
		verify(t)
	}
}

// checkKept checks that requests are as they were whose handlers panicked.
func checkKept(t *testing.T, s *server) {
	t.Helper()
	for _, m := range s.kept {
		if i := int(m.Users[0].Id); !proto.Equal(m, put(i, "panic")) {
			t.Errorf("request %d is now %v", i, m)
		}
	}
}

func verify(t *testing.T) {
	t.Helper()
	if err := audit.Verify(); err != nil {
		t.Error(err)
	}
}

// TestLater has a logger that keeps messages until after their RPCs, with the default options: its
// records are right.
func TestLater(t *testing.T) {
	l := new(later)
	g, conn := start(t, new(server), arenagrpc.Options{}, both(logging.UnaryServerInterceptor(logging.LoggerFunc(l.log), payloads),
		logging.StreamServerInterceptor(logging.LoggerFunc(l.log), payloads))...)
	users, ctx := pb.NewUsersClient(conn), context.Background()
	const n = 200
	for i := range n {
		if _, err := users.Put(ctx, put(i, fmt.Sprint("name ", i))); err != nil {
			t.Fatal(err)
		}
	}
	g.GracefulStop()
	requests := 0
	for _, m := range l.kept {
		if m, ok := m.(*pb.PutRequest); ok {
			i := requests
			requests++
			if !proto.Equal(m, put(i, fmt.Sprint("name ", i))) {
				t.Errorf("record %d is now %v", i, m)
			}
		}
	}
	if requests != n {
		t.Errorf("%d requests were logged, want %d: the interceptor does not know what it sees", requests, n)
	}
	verify(t)
}

// TestLaterAudited checks that the audit of a server that recycles finds such a logger.
func TestLaterAudited(t *testing.T) {
	if checked.Enabled || (&arena.Pool{}).Get() == nil {
		t.Skip("a use of what is kept would end the test, or there are no arenas")
	}
	l := new(later)
	g, conn := start(t, new(server), arenagrpc.Options{Policy: arena.RecycleTyped, AuditEvery: 1}, both(
		logging.UnaryServerInterceptor(logging.LoggerFunc(l.log), payloads), logging.StreamServerInterceptor(logging.LoggerFunc(l.log), payloads))...)
	for i := range 20 {
		if _, err := pb.NewUsersClient(conn).Put(context.Background(), put(i, "name")); err != nil {
			t.Fatal(err)
		}
	}
	g.GracefulStop()
	audit.Verify()
	if r := audit.All(); len(r.Escapes) == 0 {
		t.Errorf("the audit found nothing: %v", r)
	}
	if len(l.kept) == 0 {
		t.Error("nothing was logged")
	}
}

// TestGateway has a gateway in front of a server.
func TestGateway(t *testing.T) {
	_, conn := start(t, new(server), arenagrpc.Options{Policy: arena.RecycleAll})
	users := pb.NewUsersClient(conn)
	mux := gateway.NewServeMux()
	err := mux.HandlePath("POST", "/v1/users", func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		in, out := gateway.MarshalerForRequest(mux, r)
		var m pb.GetRequest
		if err := in.NewDecoder(r.Body).Decode(&m); err != nil {
			gateway.HTTPError(r.Context(), mux, out, w, r, err)
			return
		}
		reply, err := users.Get(r.Context(), &m)
		if err != nil {
			gateway.HTTPError(r.Context(), mux, out, w, r, err)
			return
		}
		gateway.ForwardResponseMessage(r.Context(), mux, out, w, r, reply)
	})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(mux)
	defer web.Close()
	for i := range 30 {
		r, err := http.Post(web.URL+"/v1/users", "application/json", strings.NewReader(fmt.Sprintf(`{"count": %d, "prefix": "x"}`, i)))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Users []struct{ Name string } }
		err = json.NewDecoder(r.Body).Decode(&got)
		r.Body.Close()
		if err != nil || len(got.Users) != i || i > 0 && got.Users[i-1].Name != fmt.Sprint("x", i-1) {
			t.Errorf("%v, %v", got, err)
		}
	}
	verify(t)
}
