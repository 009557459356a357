// Package intercept has the interceptors of a server that recycles requests.
package intercept

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"
	"google.golang.org/protobuf/proto"

	"cases/pb"

	"lessgc/arena"
	"lessgc/arena/deep"
	"lessgc/rpc/arenagrpc"
)

type server struct{ pb.UnimplementedUsersServer }

func newServer(a *auditor) *grpc.Server {
	s := grpc.NewServer(grpc.ChainUnaryInterceptor(badGlobal, a.BadField, badCaptured(10)), grpc.StatsHandler(&payloads{}))
	pb.RegisterUsersServer(arenagrpc.Register(s, arenagrpc.Options{Policy: arena.RecycleTyped}), &server{})
	return s
}

// A call is what is known of an RPC.
type call struct {
	method string
	req    any
	at     time.Time
}

type auditor struct {
	mu     sync.Mutex
	last   any
	user   *pb.User
	name   string
	text   string
	calls  []call
	queue  chan call
	texts  chan string
	ids    map[string]int64
	users  map[string]*pb.User
	names  []string
	recent atomic.Value
	wg     sync.WaitGroup
	sizes  []int
	logger *slog.Logger
}

func (a *auditor) log(req any)         { log.Printf("%v", req) }
func (a *auditor) logText(text string) { log.Print(text) }

var (
	lastRequest any
	lastMethod  string
)

func badGlobal(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	lastRequest = req // want "outlives the RPC"
	return handler(ctx, req)
}

func goodGlobal(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	lastMethod = info.FullMethod
	return handler(ctx, req)
}

func (a *auditor) BadField(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	a.mu.Lock()
	a.last = req // want "outlives the RPC"
	a.mu.Unlock()
	return handler(ctx, req)
}

func (a *auditor) GoodField(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	if m, ok := req.(proto.Message); ok {
		a.last = proto.Clone(m)
	}
	return handler(ctx, req)
}

func (a *auditor) GoodDeepClone(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	a.last = deep.Clone(req)
	return handler(ctx, req)
}

func (a *auditor) GoodDetach(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	resp, err = handler(ctx, req)
	a.last = deep.Detach(arena.FromContext(ctx), req)
	return resp, err
}

func (a *auditor) GoodKept(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	arena.FromContext(ctx).Keep()
	a.last = req
	return handler(ctx, req)
}

func (a *auditor) BadAfter(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	start := time.Now()
	resp, err = handler(ctx, req)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls = append(a.calls, call{method: info.FullMethod, req: req, at: start}) // want "outlives the RPC"
	return resp, err
}

func (a *auditor) GoodAfter(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	start := time.Now()
	resp, err = handler(ctx, req)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls = append(a.calls, call{method: info.FullMethod, req: fmt.Sprint(req), at: start})
	return resp, err
}

func (a *auditor) BadAsserted(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	if in, ok := req.(*pb.PutRequest); ok {
		a.users[in.GetName()] = in.GetOwner() // want "outlives the RPC"
	}
	return handler(ctx, req)
}

func (a *auditor) GoodAsserted(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	if in, ok := req.(*pb.PutRequest); ok {
		a.ids[in.GetName()] = in.GetOwner().GetId()
	}
	return handler(ctx, req)
}

// An owned is a request with an owner.
type owned interface{ GetOwner() *pb.User }

func (a *auditor) BadSwitch(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	switch m := req.(type) {
	case *pb.PutRequest:
		a.names = append(a.names, m.Name)
	case owned:
		a.user = m.GetOwner() // want "outlives the RPC"
	}
	return handler(ctx, req)
}

func (a *auditor) GoodSwitch(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	switch m := req.(type) {
	case *pb.PutRequest:
		a.name = m.Name
	case owned:
		a.name = m.GetOwner().GetName()
	case fmt.Stringer:
		a.text = m.String()
	}
	return handler(ctx, req)
}

func (a *auditor) BadQueue(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	select {
	case a.queue <- call{method: info.FullMethod, req: req}: // want "outlives the RPC"
	default:
	}
	return handler(ctx, req)
}

func (a *auditor) GoodQueue(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	select {
	case a.texts <- fmt.Sprintf("%s %v", info.FullMethod, req):
	default:
	}
	return handler(ctx, req)
}

func (a *auditor) BadGo(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	go a.log(req) // want "outlives the RPC"
	return handler(ctx, req)
}

func (a *auditor) GoodGo(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	go a.logText(fmt.Sprint(req))
	return handler(ctx, req)
}

func (a *auditor) BadGoClosure(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	go func() { // want "outlives the RPC"
		time.Sleep(time.Second)
		a.log(req)
	}()
	return handler(ctx, req)
}

func (a *auditor) GoodGoWaited(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
	var wg sync.WaitGroup
	wg.Go(func() { a.log(req) })
	defer wg.Wait()
	return handler(ctx, req)
}

// GoodTimeout does not wait for the handler: the package leaves such a request to the collector.
func (a *auditor) GoodTimeout(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	var (
		resp any
		err  error
		done = make(chan struct{})
	)
	go func() {
		defer close(done)
		resp, err = handler(ctx, req)
	}()
	select {
	case <-done:
		return resp, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (a *auditor) BadAtomic(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	a.recent.Store(req) // want "outlives the RPC"
	return handler(ctx, req)
}

func (a *auditor) GoodLogger(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	log.Printf("%s: %v", info.FullMethod, req)
	a.logger.InfoContext(ctx, "call", "method", info.FullMethod, "req", req)
	slog.Info("call", slog.Any("req", req))
	return handler(ctx, req)
}

// A payloadLogger comes from another module: its use of a request is unknown.
type payloadLogger interface {
	Log(ctx context.Context, msg string, fields ...any)
}

func goodOthersLogger(l payloadLogger) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		l.Log(ctx, "call", "req", req)
		return handler(ctx, req)
	}
}

type ctxKey struct{}

func goodContext(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	return handler(context.WithValue(ctx, ctxKey{}, req), req)
}

func badCaptured(n int) grpc.UnaryServerInterceptor {
	recent := make([]any, n)
	next := 0
	var mu sync.Mutex
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		mu.Lock()
		recent[next%n] = req // want "outlives the RPC"
		next++
		mu.Unlock()
		return handler(ctx, req)
	}
}

func goodCaptured(n int) grpc.UnaryServerInterceptor {
	recent := make([]string, n)
	next := 0
	var mu sync.Mutex
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		mu.Lock()
		recent[next%n] = fmt.Sprint(req)
		next++
		mu.Unlock()
		return handler(ctx, req)
	}
}

func badVariable() (grpc.UnaryServerInterceptor, func() any) {
	var last any
	get := func() any { return last }
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		last = req // want "outlives the RPC"
		return handler(ctx, req)
	}, get
}

func goodVariable() (grpc.UnaryServerInterceptor, func() string) {
	var last string
	get := func() string { return last }
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		if s, ok := req.(fmt.Stringer); ok {
			last = s.String()
		}
		return handler(ctx, req)
	}, get
}

func badMap(seen map[string]any) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		seen[info.FullMethod] = req // want "outlives the RPC"
		return handler(ctx, req)
	}
}

// goodInFlight takes it out again.
func goodInFlight(seen map[string]any) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		seen[info.FullMethod] = req
		defer delete(seen, info.FullMethod)
		return handler(ctx, req)
	}
}

func badTwo(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	lastRequest = req // want "outlives the RPC"
	go log.Print(req) // want "outlives the RPC"
	return handler(ctx, req)
}

func goodValidator(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if v, ok := req.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("%s: %w", info.FullMethod, err)
		}
	}
	return handler(ctx, req)
}

func goodRename(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if in, ok := req.(*pb.PutRequest); ok {
		in.Name = strings.ToLower(in.Name)
		in.Owner = in.GetOwner().GetFriend()
	}
	return handler(ctx, req)
}

// goodOther has another signature: it is not an interceptor of servers.
func goodOther(ctx context.Context, req any, method string) error {
	lastRequest = req
	return nil
}

// goodTypes keeps what it is, not the request.
func goodTypes(counts map[reflect.Type]int) grpc.UnaryServerInterceptor {
	var kind atomic.Value
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		counts[reflect.TypeOf(req)]++
		kind.Store(reflect.TypeOf(req))
		lastMethod = fmt.Sprintf("%T", req)
		return handler(ctx, req)
	}
}

// goodShared lets calls of the same request share a handler.
func goodShared(shared interface {
	Do(key string, f func() (any, error)) (any, error)
}) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		return shared.Do(fmt.Sprint(req), func() (any, error) { return handler(ctx, req) })
	}
}

// goodScratch puts the request into something that it clears again.
func goodScratch(pool *sync.Pool) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
		c := pool.Get().(*call)
		c.req = req
		log.Print(c.req)
		c.req = nil
		pool.Put(c)
		return handler(ctx, req)
	}
}

// payloads is a stats handler.
type payloads struct {
	last  any
	in    *stats.InPayload
	at    time.Time
	bytes int
	end   *stats.End
	queue chan any
}

func (p *payloads) HandleRPC(ctx context.Context, s stats.RPCStats) {
	switch s := s.(type) {
	case *stats.InPayload:
		p.at = s.RecvTime
		p.bytes += s.Length
		p.last = s.Payload // want "outlives the RPC"
		p.in = s           // want "outlives the RPC"
	case *stats.End:
		p.end = s
	}
}

// texts is a stats handler, too.
type texts struct {
	payloads
	text string
	size int
}

func (t *texts) HandleRPC(ctx context.Context, s stats.RPCStats) {
	if in, ok := s.(*stats.InPayload); ok {
		if m, ok := in.Payload.(proto.Message); ok {
			t.last = proto.Clone(m)
		}
		t.text = fmt.Sprint(in.Payload)
		t.size = in.Length
	}
}

// ids is a stats handler that looks into messages.
type ids struct{ users map[string]*pb.User }

func (t *ids) HandleRPC(ctx context.Context, s stats.RPCStats) {
	in, ok := s.(*stats.InPayload)
	if !ok {
		return
	}
	if m, ok := in.Payload.(*pb.PutRequest); ok {
		t.users[m.Name] = m.Owner // want "outlives the RPC"
	}
}
