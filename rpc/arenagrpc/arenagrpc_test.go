package arenagrpc

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/arena/audit"
	"lessgc/internal/checked"
	"lessgc/rpc/internal/testpb"
)

// verify checks that nothing was used after Free, nothing is kept and all arenas
// were freed: in the checked build all of it, and otherwise that the server needed
// no more arenas than there were RPCs at a time.
func verify(t *testing.T, f *fixture, most int64) {
	t.Helper()
	if err := audit.Verify(); err != nil {
		t.Error(err)
	}
	for policy, pool := range f.registrar.pools {
		if r := audit.Of(pool); len(r.Escapes) > 0 {
			t.Errorf("policy %v: %v", policy, r)
		}
		if made := pool.Stats().Made; made > most && !checked.Enabled && os.Getenv("GOGC") == "" {
			t.Errorf("policy %v: %d arenas were made, want at most %d", policy, made, most)
		}
	}
}

// recycled are the policies that all paths are tested with.
var recycled = []arena.Policy{arena.RecycleTyped, arena.RecycleAll, arena.Safe}

// TestPaths checks each way in which an RPC can end: the answer is the one of a
// server without arenas, and the arena is freed, once.
func TestPaths(t *testing.T) {
	for _, policy := range recycled {
		for _, atEnd := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/atEnd=%v", policy, atEnd), func(t *testing.T) {
				f := start(t, Options{Policy: policy, FreeAtEnd: atEnd}, true, StatsHandler())
				plain := start(t, Options{Heap: true}, false)
				ctx := context.Background()
				for i := range 30 {
					token := strings.Repeat("x", i*i)
					out, err := f.get(ctx, "hello", token, int64(i))
					if err != nil {
						t.Fatal(err)
					}
					checkUsers(t, out, "hello", token, i)
					for _, name := range []string{"error", "status", "panic", "nil"} {
						want, wantErr := plain.get(ctx, name, token, 3)
						got, err := f.get(ctx, name, token, 3)
						if status.Code(err) != status.Code(wantErr) || status.Convert(err).Message() != status.Convert(wantErr).Message() || !proto.Equal(got, want) {
							t.Fatalf("%s: %v, %v, want %v, %v", name, got, err, want, wantErr)
						}
					}
					if _, err := f.get(ctx, "hello", token, int64(i), grpc.UseCompressor(gzip.Name)); err != nil {
						t.Fatalf("compressed: %v", err)
					}
					echo := new(testpb.Users)
					if err := f.conn.Invoke(ctx, "/test.Users/Echo", out, echo); err != nil || !proto.Equal(echo, out) {
						t.Fatalf("echo: %v, %v", echo, err)
					}
				}
				verify(t, f, 20) // of 200: collections empty pools, and a status goes out before the arena is back
			})
		}
	}
}

// TestCancel checks RPCs that the client gives up, and deadlines.
func TestCancel(t *testing.T) {
	f := start(t, Options{Policy: arena.RecycleTyped}, true)
	for range 10 {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-f.service.started
			cancel()
		}()
		if _, err := f.get(ctx, "wait", "x", 1); status.Code(err) != codes.Canceled {
			t.Fatal(err)
		}
		ctx, cancel = context.WithTimeout(context.Background(), 10*time.Millisecond)
		if _, err := f.get(ctx, "wait", "x", 1); status.Code(err) != codes.DeadlineExceeded {
			t.Fatal(err)
		}
		cancel()
		select {
		case <-f.service.started:
		default:
		}
	}
	f.server.GracefulStop()
	verify(t, f, 20)
}

// TestStop checks RPCs that are under way when the server is stopped.
func TestStop(t *testing.T) {
	f := start(t, Options{Policy: arena.RecycleTyped}, true)
	done := make(chan error)
	go func() {
		_, err := f.get(context.Background(), "wait", "x", 1)
		done <- err
	}()
	<-f.service.started
	f.server.Stop()
	if err := <-done; status.Code(err) != codes.Unavailable {
		t.Error(err)
	}
	verify(t, f, 1)
}

// TestTwoMessages checks a client that sends two messages to a unary method.
func TestTwoMessages(t *testing.T) {
	f := startSequential(t, Options{Policy: arena.RecycleTyped}, true)
	for range 5 {
		s, err := f.conn.NewStream(context.Background(), &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, "/test.Users/Get")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"first", "second"} {
			if err := s.SendMsg(&testpb.Small{Id: 3, Name: name, Token: strings.Repeat(name, 100)}); err != nil {
				t.Fatal(err)
			}
		}
		s.CloseSend()
		if err := s.RecvMsg(new(testpb.Users)); err == nil {
			t.Error("two messages are accepted")
		}
		<-f.over
	}
	// The same to the codec itself: the second message is decoded as the only one.
	a := f.registrar.pools[arena.RecycleTyped].Get()
	m := new(testpb.Small)
	requests.add(key(m), &waiting{arena: a})
	for _, name := range []string{"first", "second"} {
		b, err := base.Marshal(&testpb.Small{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		if err := installedCodec().Unmarshal(b, m); err != nil {
			t.Fatal(err)
		}
	}
	requests.remove(key(m))
	if m.Name != "second" {
		t.Error(m)
	}
	a.Free()
	verify(t, f, 2)
}

// TestPanic checks that a panic which nobody recovers passes, and that what the
// handler had stays as it was.
func TestPanic(t *testing.T) {
	f := startSequential(t, Options{Policy: arena.RecycleAll}, true)
	m := f.registrar.methods[0]
	var in *testpb.Small
	handler := m.unary(func(srv any, ctx context.Context, dec func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		in = new(testpb.Small)
		if err := dec(in); err != nil {
			return nil, err
		}
		panic("nobody recovers")
	})
	b, err := base.Marshal(&testpb.Small{Name: "kept", Token: strings.Repeat("kept", 100)})
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if p := recover(); p != "nobody recovers" {
				t.Errorf("recovered %v", p)
			}
		}()
		handler(f.service, context.Background(), func(v any) error { return installedCodec().Unmarshal(b, v) }, nil)
	}()
	if _, err := f.get(context.Background(), "hello", strings.Repeat("lost", 100), 10); err != nil {
		t.Fatal(err)
	}
	if in.Name != "kept" || in.Token != strings.Repeat("kept", 100) {
		t.Errorf("what the handler had is now %v", in)
	}
	verify(t, f, 2)
}

// TestKept checks what handlers may keep.
func TestKept(t *testing.T) {
	f := startSequential(t, Options{Policy: arena.RecycleTyped}, true)
	var want []string
	for i := range 50 {
		name := []string{"keep", "detach", "string", "hello"}[i%4]
		token := fmt.Sprintf("token %d", i)
		if _, err := f.get(context.Background(), name, token, 5); err != nil {
			t.Fatal(err)
		}
		if name != "hello" {
			want = append(want, token)
		}
	}
	f.server.GracefulStop()
	got := map[string]bool{}
	for _, m := range f.service.kept {
		got[m.Token] = true
	}
	for _, s := range f.service.strings {
		got[s] = true
	}
	for _, token := range want {
		if !got[token] {
			t.Errorf("%q was not kept: %v", token, got)
		}
	}
	s := f.registrar.Stats()[0]
	if bits.UintSize == 32 { // package proto decodes
		s.Fallback = ""
	}
	if arena.NewArena() == nil {
		t.Skip("arenas are the heap")
	}
	if s.Method != "/test.Users/Get" || s.Messages != 50 || s.Kept != 13 || s.Errors != 0 || s.Bytes < 50*10 || s.Memory < s.Bytes || s.Objects < 50*5 || s.Fallback != "" {
		t.Errorf("%+v", s)
	}
	verify(t, f, 2)
}

// TestStreams checks messages of streams, in both lifetimes.
func TestStreams(t *testing.T) {
	for _, perMessage := range []bool{false, true} {
		for _, policy := range recycled {
			f := startSequential(t, Options{Methods: map[string]MethodOptions{"/test.Users/Chat": {Policy: policy, PerMessage: perMessage}}}, true)
			for _, last := range []string{"end", "error", "cancel"} {
				ctx, cancel := context.WithCancel(context.Background())
				s, err := f.conn.NewStream(ctx, &desc.Streams[0], "/test.Users/Chat")
				if err != nil {
					t.Fatal(err)
				}
				var names []string
				for i := range 20 {
					in := &testpb.Small{Name: fmt.Sprint("m", i), Token: strings.Repeat("t", i)}
					if !perMessage && i%5 == 0 {
						in.Name = "keep"
					}
					names = append(names, in.Name)
					out := new(testpb.Small)
					if err := s.SendMsg(in); err != nil {
						t.Fatal(err)
					}
					if err := s.RecvMsg(out); err != nil || out.Name != strings.Join(names, " ") || out.Token != in.Token {
						t.Fatalf("%v, %v", out, err)
					}
				}
				switch last {
				case "end":
					s.CloseSend()
					if err := s.RecvMsg(new(testpb.Small)); err != io.EOF {
						t.Error(err)
					}
				case "error":
					s.SendMsg(&testpb.Small{Name: "error", Token: "odd"})
					if err := s.RecvMsg(new(testpb.Small)); status.Convert(err).Message() != "odd" {
						t.Error(err)
					}
				}
				cancel()
				<-f.over
			}
			f.server.GracefulStop()
			for i, m := range f.service.kept {
				if m.Name != "keep" || m.Token != strings.Repeat("t", i*5%20) {
					t.Errorf("kept %d: %v", i, m)
				}
			}
			verify(t, f, 2)
		}
	}
}

// TestWithoutCodec checks that a server without the codec works, on the heap.
func TestWithoutCodec(t *testing.T) {
	f := start(t, Options{Policy: arena.RecycleTyped}, false)
	for i := range 10 {
		out, err := f.get(context.Background(), "hello", "x", int64(i))
		if err != nil {
			t.Fatal(err)
		}
		checkUsers(t, out, "hello", "x", i)
	}
	verify(t, f, 20)
}

// TestOff checks the switch, while RPCs are under way.
func TestOff(t *testing.T) {
	f := startSequential(t, Options{Policy: arena.RecycleTyped}, true)
	for i := range 40 {
		f.registrar.UseHeap(i%8 >= 4)
		out, err := f.get(context.Background(), "hello", "x", int64(i))
		if err != nil {
			t.Fatal(err)
		}
		checkUsers(t, out, "hello", "x", i)
	}
	if s := f.registrar.Stats()[0]; s.Messages != 20 && f.registrar.pools[arena.RecycleTyped].Stats().Made > 0 {
		t.Errorf("%+v", s)
	}
	f.registrar.UseHeap(false)
	verify(t, f, 2)
}

// TestOffStreams checks that streams have no arenas where they are turned off.
func TestOffStreams(t *testing.T) {
	for _, o := range []MethodOptions{{}, {PerMessage: true, Policy: arena.RecycleTyped}, {Heap: true}, {Heap: true, PerMessage: true}} {
		f := startSequential(t, Options{Methods: map[string]MethodOptions{"/test.Users/Chat": o}}, true)
		chat := func() MethodStats {
			before := f.registrar.Stats()[2]
			s, err := f.conn.NewStream(context.Background(), &desc.Streams[0], "/test.Users/Chat")
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if err := s.SendMsg(&testpb.Small{Name: "x", Token: strings.Repeat("x", 2000)}); err != nil {
					t.Fatal(err)
				}
				if err := s.RecvMsg(new(testpb.Small)); err != nil {
					t.Fatal(err)
				}
			}
			s.CloseSend()
			<-f.over
			after := f.registrar.Stats()[2]
			after.Messages -= before.Messages
			after.Memory -= before.Memory
			return after
		}
		f.registrar.UseHeap(true)
		if s := chat(); s.Messages != 0 || s.Memory != 0 {
			t.Errorf("%+v, UseHeap: %+v", o, s)
		}
		f.registrar.UseHeap(false)
		if s := chat(); installedArenas() && o.Heap != (s.Messages == 0) || o.Heap && s.Memory != 0 {
			t.Errorf("%+v: %+v", o, s)
		}
	}
}

// TestConcurrent has many RPCs at a time.
func TestConcurrent(t *testing.T) {
	f := start(t, Options{Policy: arena.RecycleTyped}, true)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 100 {
				token := fmt.Sprint(g, " ", i)
				out, err := f.get(context.Background(), "hello", token, int64(i))
				if err != nil {
					t.Error(err)
					return
				}
				checkUsers(t, out, "hello", token, i)
			}
		})
	}
	wg.Wait()
	verify(t, f, 24)
}

// TestClient checks replies in an arena of the caller.
func TestClient(t *testing.T) {
	f := startSequential(t, Options{Policy: arena.RecycleTyped}, true)
	pool := &arena.Pool{Policy: arena.RecycleTyped}
	for i := range 20 {
		a := pool.Get()
		token := strings.Repeat("x", i)
		out := arena.New[testpb.Users](a)
		if err := f.conn.Invoke(context.Background(), "/test.Users/Get", &testpb.Small{Id: int64(i), Name: "hello", Token: token}, out, In(a)); err != nil {
			t.Fatal(err)
		}
		<-f.over
		checkUsers(t, out, "hello", token, i)
		if a != nil && a.Stats().Bytes == 0 && i > 0 {
			t.Error("nothing is in the arena")
		}
		a.Free()
	}
	if _, err := f.get(context.Background(), "hello", "x", 3, In(nil)); err != nil {
		t.Error(err)
	}
	verify(t, f, 2)
}

// A sentReader is a stats handler that looks at what was sent.
type sentReader struct {
	handler
	mu   sync.Mutex
	sent []string
}

func (r *sentReader) HandleRPC(ctx context.Context, s stats.RPCStats) {
	if out, ok := s.(*stats.OutPayload); ok {
		if users, ok := out.Payload.(*testpb.Users); ok && len(users.Users) > 0 {
			r.mu.Lock()
			r.sent = append(r.sent, strings.Clone(users.Users[0].GetName()))
			r.mu.Unlock()
		}
	}
	r.handler.HandleRPC(ctx, s)
}

// TestFreeAtEnd checks that a stats handler sees replies.
func TestFreeAtEnd(t *testing.T) {
	r := &sentReader{}
	f := startSequential(t, Options{Policy: arena.RecycleAll, FreeAtEnd: true}, true, StatsHandler(), grpc.StatsHandler(r))
	for range 10 {
		if _, err := f.get(context.Background(), "hello", "x", 1); err != nil {
			t.Fatal(err)
		}
	}
	f.server.GracefulStop()
	if len(r.sent) != 10 {
		t.Fatalf("%d replies seen", len(r.sent))
	}
	for _, name := range r.sent {
		if name != "hello x" {
			t.Errorf("it saw %q", name)
		}
	}
	verify(t, f, 3)
}

// TestTracing checks that traces of recycled messages are refused.
func TestTracing(t *testing.T) {
	grpc.EnableTracing = true
	defer func() {
		grpc.EnableTracing = false
		if p := fmt.Sprint(recover()); !strings.Contains(p, "turn it off, or choose the policy Safe") {
			t.Error(p)
		}
	}()
	Register(grpc.NewServer(), Options{Policy: arena.Safe}).RegisterService(&desc, &service{})
	Register(grpc.NewServer(), Options{Policy: arena.RecycleTyped}).RegisterService(&desc, &service{})
}

// TestTracingLater checks that nothing is recycled when tracing is turned on after
// services were registered.
func TestTracingLater(t *testing.T) {
	skipOnHeap(t)
	f := start(t, Options{Policy: arena.RecycleAll}, true)
	get := func() {
		t.Helper()
		if _, err := f.get(context.Background(), "hello", "x", 1); err != nil {
			t.Fatal(err)
		}
	}
	get()
	grpc.EnableTracing = true
	get()
	get()
	f.server.GracefulStop()
	grpc.EnableTracing = false
	for _, s := range f.registrar.Stats() {
		if s.Method == "/test.Users/Get" && (s.Messages != 3 || s.Kept != 2) {
			t.Errorf("of %d requests %d were kept", s.Messages, s.Kept)
		}
	}
}

// TestFreeAtEndAlone checks that a server without the stats handler which would free
// its messages does not seem to work.
func TestFreeAtEndAlone(t *testing.T) {
	skipOnHeap(t)
	f := start(t, Options{Policy: arena.RecycleAll, FreeAtEnd: true}, true)
	_, err := f.get(context.Background(), "hello", "x", 1)
	if status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "needs the server option arenagrpc.StatsHandler()") {
		t.Error(err)
	}
}

// installedCodec is the codec that servers have.
func installedCodec() encoding.CodecV2 { return encoding.GetCodecV2("proto") }

// skipOnHeap is for what only recycled arenas do.
func skipOnHeap(t *testing.T) {
	t.Helper()
	if (&arena.Pool{}).Get() == nil {
		t.Skip("arenas are switched off")
	}
}
