package arenagrpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/arena/audit"
	"lessgc/internal/panictest"
	"lessgc/rpc/internal/testpb"
)

// TestRecovered checks that what a handler had stays as it was if it panics and an
// interceptor recovers.
func TestRecovered(t *testing.T) {
	f := startSequential(t, Options{Policy: arena.RecycleAll}, true)
	const n = 20
	for i := range n {
		if _, err := f.get(context.Background(), "keep, then panic", strings.Repeat(fmt.Sprint(i%10), 100), 1); status.Code(err) != codes.Internal {
			t.Fatal(err)
		}
		if _, err := f.get(context.Background(), "hello", strings.Repeat("lost", 100), 10); err != nil {
			t.Fatal(err)
		}
	}
	for i, m := range f.service.kept {
		if m.Name != "keep, then panic" || m.Token != strings.Repeat(fmt.Sprint(i%10), 100) {
			t.Errorf("what handler %d had is now %v", i, m)
		}
	}
	if s := f.registrar.Stats()[0]; installedArenas() && s.Kept != n {
		t.Errorf("%d RPCs were kept, want %d", s.Kept, n)
	}
	verify(t, f, n+2)
}

// installedArenas reports whether arenas are not the heap.
func installedArenas() bool { return (&arena.Pool{}).Get() != nil }

// A picky codec knows the messages of this package only, by their Go types: as generated
// codecs and those of vtprotobuf do, to which nothing that stands for a message is one.
type picky struct {
	name string
	seen *sync.Map
}

func (c picky) Name() string { return c.name }

func (c picky) check(v any) (proto.Message, error) {
	c.seen.Store(reflect.TypeOf(v).String(), true)
	switch m := v.(type) {
	case *testpb.Small:
		return m, nil
	case *testpb.Users:
		return m, nil
	}
	return nil, fmt.Errorf("the codec does not know %T", v)
}

func (c picky) Marshal(v any) (mem.BufferSlice, error) {
	m, err := c.check(v)
	if err != nil {
		return nil, err
	}
	b, err := protojson.Marshal(m)
	return mem.BufferSlice{mem.SliceBuffer(b)}, err
}

func (c picky) Unmarshal(data mem.BufferSlice, v any) error {
	m, err := c.check(v)
	if err != nil {
		return err
	}
	return protojson.Unmarshal(data.Materialize(), m)
}

// TestOtherCodecs checks that a server with other codecs, for content-subtypes or for all, uses
// them, and that what they decode is kept.
func TestOtherCodecs(t *testing.T) {
	json := picky{"json", new(sync.Map)}
	encoding.RegisterCodecV2(json)
	forced := picky{"proto", new(sync.Map)}
	for _, policy := range recycled {
		f := startSequential(t, Options{Policy: policy}, true)
		for i := range 10 {
			token := strings.Repeat("x", i)
			out, err := f.get(context.Background(), "hello", token, int64(i), grpc.CallContentSubtype("json"))
			if err != nil {
				t.Fatal(err)
			}
			checkUsers(t, out, "hello", token, i)
			if out, err = f.get(context.Background(), "hello", token, int64(i)); err != nil {
				t.Fatal(err)
			}
			checkUsers(t, out, "hello", token, i)
		}
		verify(t, f, 20)

		f = startSequential(t, Options{Policy: policy}, true, grpc.ForceServerCodecV2(forced))
		for i := range 10 {
			out, err := f.get(context.Background(), "hello", "x", int64(i), grpc.ForceCodecV2(forced))
			if err != nil {
				t.Fatal(err)
			}
			checkUsers(t, out, "hello", "x", i)
		}
		verify(t, f, 20)
	}
	if requests.n.Load() != 0 || replies.n.Load() != 0 {
		t.Errorf("%d requests and %d replies still wait for a codec", requests.n.Load(), replies.n.Load())
	}
}

// A payloads handler notes the types that stats have.
type payloads struct {
	handler
	mu    sync.Mutex
	types map[string]bool
}

func (p *payloads) HandleRPC(_ context.Context, s stats.RPCStats) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch s := s.(type) {
	case *stats.InPayload:
		p.types[fmt.Sprintf("in %T", s.Payload)] = true
	case *stats.OutPayload:
		p.types[fmt.Sprintf("out %T", s.Payload)] = true
	}
}

// TestPayloads checks that stats handlers and interceptors see messages, nothing that stands
// for them.
func TestPayloads(t *testing.T) {
	p := &payloads{types: map[string]bool{}}
	f := start(t, Options{Policy: arena.RecycleTyped}, true, grpc.StatsHandler(p), grpc.ChainStreamInterceptor(
		func(srv any, s grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
			return next(srv, &payloadStream{s, p})
		}))
	if _, err := f.get(context.Background(), "hello", "x", 1); err != nil {
		t.Fatal(err)
	}
	s, err := f.conn.NewStream(context.Background(), &desc.Streams[0], "/test.Users/Chat")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.SendMsg(&testpb.Small{Name: "x"}), s.RecvMsg(new(testpb.Small)), s.CloseSend()); err != nil {
		t.Fatal(err)
	}
	if err := s.RecvMsg(new(testpb.Small)); err != io.EOF {
		t.Error(err)
	}
	f.server.GracefulStop()
	p.mu.Lock()
	defer p.mu.Unlock()
	if want := map[string]bool{"in *testpb.Small": true, "out *testpb.Users": true, "out *testpb.Small": true, "stream *testpb.Small": true}; !reflect.DeepEqual(p.types, want) {
		t.Errorf("seen were %v, want %v", p.types, want)
	}
}

type payloadStream struct {
	grpc.ServerStream
	p *payloads
}

func (s *payloadStream) RecvMsg(m any) error {
	s.p.mu.Lock()
	s.p.types[fmt.Sprintf("stream %T", m)] = true
	s.p.mu.Unlock()
	return s.ServerStream.RecvMsg(m)
}

// TestNames checks that options for methods which do not exist are noticed at the start.
func TestNames(t *testing.T) {
	register := func(name string) func() {
		return func() {
			Register(grpc.NewServer(), Options{Methods: map[string]MethodOptions{name: {}}}).RegisterService(&desc, &service{})
		}
	}
	panictest.Must(t, `arenagrpc: Options.Methods has "/test.Users/Gett", which is not a method of the service`, register("/test.Users/Gett"))
	panictest.Must(t, `arenagrpc: Options.Methods has "test.Users/Get": write it as "/package.Service/Method"`, register("test.Users/Get"))
	panictest.Must(t, `arenagrpc: Options.Methods has "Get": write it as "/package.Service/Method"`, register("Get"))
	register("/test.Users/Chat")()
	r := Register(grpc.NewServer(), Options{Methods: map[string]MethodOptions{"/test.Users/Get": {}, "/test.Uesrs/Get": {}, "/a.B/C": {}}})
	r.RegisterService(&desc, &service{})
	if got := r.Unused(); !reflect.DeepEqual(got, []string{"/a.B/C", "/test.Uesrs/Get"}) {
		t.Errorf("unused are %q", got)
	}
}

// TestSharedReply checks that a reply which many RPCs return at the same time ends each of them.
func TestSharedReply(t *testing.T) {
	m := &testpb.Users{}
	a, b := &waiting{}, &waiting{}
	replies.add(key(m), a)
	replies.add(key(m), b)
	if first, second := replies.remove(key(m)), replies.remove(key(m)); first == second || first == nil || second == nil || replies.remove(key(m)) != nil || replies.n.Load() != 0 {
		t.Errorf("%p and %p, want %p and %p", first, second, a, b)
	}
}

// TestClientStream checks that all messages of a stream are decoded into the caller's arena.
func TestClientStream(t *testing.T) {
	skipOnHeap(t)
	if bits.UintSize == 32 {
		t.Skip("package proto decodes")
	}
	f := start(t, Options{}, true)
	a := (&arena.Pool{Policy: arena.RecycleTyped}).Get()
	defer a.Free()
	s, err := f.conn.NewStream(context.Background(), &desc.Streams[0], "/test.Users/Chat", In(a))
	if err != nil {
		t.Fatal(err)
	}
	var got []*testpb.Small
	for i := range 10 {
		m := arena.New[testpb.Small](a)
		before := a.Len()
		if err := errors.Join(s.SendMsg(&testpb.Small{Name: fmt.Sprint(i), Token: strings.Repeat("t", 100)}), s.RecvMsg(m)); err != nil {
			t.Fatal(err)
		}
		if a.Len() < before+100 {
			t.Error("a reply is not in the arena")
		}
		got = append(got, m)
	}
	for i, m := range got {
		if !strings.HasSuffix(m.Name, fmt.Sprint(i)) || m.Token != strings.Repeat("t", 100) {
			t.Errorf("reply %d is now %v", i, m)
		}
	}
}

// TestStorm has RPCs that end in each way there is, all at a time, until the server stops: no arena
// stays open, and nothing waits for the codec.
func TestStorm(t *testing.T) {
	skipOnHeap(t)
	for _, policy := range recycled {
		for _, perMessage := range []bool{false, true} {
			o := MethodOptions{Policy: policy, PerMessage: perMessage}
			f := start(t, Options{Policy: policy, Methods: map[string]MethodOptions{"/test.Users/Chat": o}}, true)
			go func() {
				for range f.service.started {
				}
			}()
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() {
					for i := range 60 {
						ctx, cancel := context.WithTimeout(context.Background(), time.Duration(1+i%20)*time.Millisecond)
						switch name := []string{"hello", "error", "status", "panic", "nil", "wait", "keep", "stream", "stream"}[(g+i)%9]; name {
						case "stream":
							if s, err := f.conn.NewStream(ctx, &desc.Streams[0], "/test.Users/Chat"); err == nil {
								for k := range i % 5 {
									last := []string{"x", "error"}[k/3]
									if s.SendMsg(&testpb.Small{Name: last, Token: strings.Repeat("t", i*100)}) != nil || s.RecvMsg(new(testpb.Small)) != nil {
										break
									}
								}
							}
						default:
							f.get(ctx, name, strings.Repeat("x", i*50), int64(i))
						}
						if i%2 == 0 {
							cancel()
						}
						defer cancel()
					}
				})
			}
			wg.Wait()
			if policy == arena.RecycleAll {
				f.server.Stop()
			}
			f.server.GracefulStop()
			for _, s := range f.registrar.Stats() {
				if s.Live != 0 {
					t.Errorf("%+v: %d arenas of %s are open", o, s.Live, s.Method)
				}
			}
			if requests.n.Load() != 0 || replies.n.Load() != 0 {
				t.Errorf("%+v: %d requests and %d replies wait for the codec", o, requests.n.Load(), replies.n.Load())
			}
			verify(t, f, 10_000)
			close(f.service.started)
		}
	}
}

// TestStreamArena checks the arena of a stream's handler: it is one for the stream, freed with it, and
// opened for those who ask.
func TestStreamArena(t *testing.T) {
	skipOnHeap(t)
	for _, policy := range recycled {
		var got []*arena.Arena
		d := grpc.ServiceDesc{ServiceName: "test.Replies", HandlerType: (*any)(nil), Streams: []grpc.StreamDesc{{
			StreamName: "Many", ServerStreams: true,
			Handler: func(_ any, s grpc.ServerStream) error {
				in := new(testpb.Small)
				if err := s.RecvMsg(in); err != nil {
					return err
				}
				if in.Name == "none" {
					return nil
				}
				for i := range in.Id {
					a := arena.FromContext(s.Context())
					if i == 0 {
						got = append(got, a)
					} else if a != got[len(got)-1] {
						return errors.New("another arena")
					}
					reply := arena.New[testpb.Users](a)
					u := arena.New[testpb.User](a)
					u.Id, u.Name = i, a.String(fmt.Sprint(in.Name, i))
					reply.Users = arena.Append(a, reply.Users, u)
					if err := s.SendMsg(reply); err != nil {
						return err
					}
					if in.Token == "reset" {
						a.Reset()
					}
				}
				if in.Token == "panic" {
					panic("as it was asked to")
				}
				return nil
			},
		}}}
		recovers := func(srv any, s grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = status.Error(codes.Internal, fmt.Sprint(p))
				}
			}()
			return next(srv, s)
		}
		g := grpc.NewServer(grpc.ChainStreamInterceptor(recovers))
		r := Register(g, Options{Policy: policy})
		r.RegisterService(&d, nil)
		f := serve(t, g)
		for i := range 30 {
			in := &testpb.Small{Id: int64(i), Name: "user ", Token: []string{"", "reset", "panic"}[i%3]}
			if i%10 == 9 {
				in.Name = "none"
			}
			s, err := f.NewStream(context.Background(), &d.Streams[0], "/test.Replies/Many")
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(s.SendMsg(in), s.CloseSend()); err != nil {
				t.Fatal(err)
			}
			n := 0
			for {
				out := new(testpb.Users)
				err := s.RecvMsg(out)
				if err == io.EOF || in.Token == "panic" && status.Code(err) == codes.Internal {
					break
				}
				if err != nil || len(out.Users) != 1 || out.Users[0].Name != fmt.Sprint("user ", n) {
					t.Fatalf("%v, %v", out, err)
				}
				n++
			}
			if want := int(in.Id); in.Name != "none" && n != want {
				t.Errorf("%d replies, want %d", n, want)
			}
		}
		g.GracefulStop()
		if s := r.Stats()[0]; s.Live != 0 {
			t.Errorf("policy %v: %d arenas are open", policy, s.Live)
		}
		if err := audit.Verify(); err != nil {
			t.Error(err)
		}
	}
}

// TestLeftBehind checks an interceptor that does not wait for the handler: what that has stays its own.
func TestLeftBehind(t *testing.T) {
	skipOnHeap(t)
	var f *fixture
	var handlers sync.WaitGroup
	timeout := func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		m := in.(*testpb.Small)
		if m.Name != "left" {
			return next(ctx, in)
		}
		handlers.Go(func() {
			out, err := next(ctx, in)
			if want := strings.Repeat(fmt.Sprint(m.Id), 50); err != nil || m.Token != want {
				t.Errorf("request %d is now %v, %v", m.Id, m, err)
				return
			}
			checkUsers(t, out.(*testpb.Users), "left", m.Token, int(m.Id))
		})
		<-f.service.started
		return nil, status.Error(codes.DeadlineExceeded, "no time")
	}
	f = start(t, Options{Policy: arena.RecycleAll}, true, grpc.ChainUnaryInterceptor(timeout))
	const n = 20
	for i := range n {
		if _, err := f.get(context.Background(), "left", strings.Repeat(fmt.Sprint(i), 50), int64(i)); status.Code(err) != codes.DeadlineExceeded {
			t.Fatal(err)
		}
		if _, err := f.get(context.Background(), "hello", strings.Repeat("lost", 50), 20); err != nil {
			t.Fatal(err)
		}
	}
	close(f.service.release)
	handlers.Wait()
	f.server.GracefulStop()
	if s := f.registrar.Stats()[0]; s.Live != 0 || s.Kept < n {
		t.Errorf("%+v", s)
	}
	verify(t, f, 4*n)
}

// TestLateHandler checks interceptors that call the handler after they have returned, the first time or once more: it
// has its request as it was, or is not called.
func TestLateHandler(t *testing.T) {
	skipOnHeap(t)
	var f *fixture
	var handlers sync.WaitGroup
	over := make(chan struct{})
	late := func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		m := in.(*testpb.Small)
		id, token := m.Id, strings.Clone(m.Token)
		call := func(refused bool) {
			<-over
			out, err := next(context.WithoutCancel(ctx), in)
			switch {
			case refused && status.Code(err) == codes.Canceled:
			case err != nil || m.Token != token:
				t.Errorf("request %d is now %v, %v", id, m, err)
			default:
				checkUsers(t, out.(*testpb.Users), "late", token, int(id))
			}
		}
		switch m.Name {
		case "late":
			handlers.Go(func() { call(false) })
		case "twice":
			handlers.Go(func() { call(true) })
			return next(ctx, in)
		default:
			return next(ctx, in)
		}
		return nil, status.Error(codes.DeadlineExceeded, "no time")
	}
	f = start(t, Options{Policy: arena.RecycleAll}, true, grpc.ChainUnaryInterceptor(late))
	const n = 20
	for i := range n {
		if _, err := f.get(context.Background(), "late", strings.Repeat(fmt.Sprint(i), 50), int64(i)); status.Code(err) != codes.DeadlineExceeded {
			t.Fatal(err)
		}
		if _, err := f.get(context.Background(), "twice", strings.Repeat(fmt.Sprint(i), 50), int64(i)); err != nil {
			t.Fatal(err)
		}
		if _, err := f.get(context.Background(), "hello", strings.Repeat("lost", 50), 20); err != nil {
			t.Fatal(err)
		}
	}
	close(over)
	handlers.Wait()
	f.server.GracefulStop()
	if s := f.registrar.Stats()[0]; s.Live != 0 || s.Kept < n {
		t.Errorf("%+v", s)
	}
	verify(t, f, 4*n)
}

// TestRejected checks an interceptor that answers without the handler, as one for authentication does: the request's
// arena is left to the collector, and the checked build does not miss its Free.
func TestRejected(t *testing.T) {
	skipOnHeap(t)
	reject := func(context.Context, any, *grpc.UnaryServerInfo, grpc.UnaryHandler) (any, error) {
		return nil, status.Error(codes.Unauthenticated, "who is it?")
	}
	for _, policy := range recycled {
		for _, atEnd := range []bool{false, true} {
			f := start(t, Options{Policy: policy, FreeAtEnd: atEnd}, true, StatsHandler(), grpc.ChainUnaryInterceptor(reject))
			const n = 20
			for range n {
				if _, err := f.get(context.Background(), "hello", strings.Repeat("x", 100), 3); status.Code(err) != codes.Unauthenticated {
					t.Fatal(err)
				}
			}
			f.server.GracefulStop()
			if s := f.registrar.Stats()[0]; s.Live != 0 || s.Kept != n {
				t.Errorf("%v, FreeAtEnd %v: %+v", policy, atEnd, s)
			}
			verify(t, f, n)
		}
	}
}

// TestShared checks a handler that shares its arena between goroutines.
func TestShared(t *testing.T) {
	for _, policy := range recycled {
		for _, panics := range []bool{false, true} {
			name := "share"
			if panics {
				name = "share, then panic"
			}
			f := start(t, Options{Policy: policy}, true)
			for i := range 20 {
				out, err := f.get(context.Background(), name, "x", int64(i))
				if panics != (status.Code(err) == codes.Internal) || !panics && err != nil {
					t.Fatal(err)
				}
				if !panics {
					checkUsers(t, out, name, "x", i)
				}
			}
			f.server.GracefulStop()
			if s := f.registrar.Stats()[0]; s.Live != 0 || !panics && installedArenas() && s.Memory == 0 {
				t.Errorf("%v: %+v", policy, s)
			}
		}
	}
}
