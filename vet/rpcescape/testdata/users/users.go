// Package users is a server whose requests are in arenas with the default policy.
package users

import (
	"context"
	"log"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"cases/lib"
	"cases/pb"

	"lessgc/arena"
	"lessgc/arena/deep"
	"lessgc/rpc/arenagrpc"
)

func newServer() *grpc.Server {
	s := grpc.NewServer()
	pb.RegisterUsersServer(arenagrpc.Register(s, arenagrpc.Options{Policy: arena.RecycleTyped, MaxKept: 1 << 24}), &server{
		users: map[int64]*pb.User{},
		ids:   map[string]int64{},
	})
	return s
}

type server struct {
	mu      sync.Mutex
	last    *pb.PutRequest
	owner   *pb.User
	name    string
	tags    []string
	data    []byte
	limit   *int32
	most    int32
	labels  map[string]string
	source  any
	file    string
	users   map[int64]*pb.User
	ids     map[string]int64
	batch   []*pb.User
	names   []string
	entries []entry
	later   []func()
	reply   *pb.PutReply
	verbose bool

	jobs     chan *pb.PutRequest
	calls    chan call
	texts    chan string
	done     chan int
	shared   sync.Map
	current  atomic.Pointer[pb.PutRequest]
	recent   lib.Recent
	cache    lib.Cache[int64, *pb.User]
	nameByID lib.Cache[int64, string]
}

// An entry is a line of the log.
type entry struct {
	at   time.Time
	text string
	req  *pb.PutRequest
}

type call struct {
	method string
	req    *pb.PutRequest
}

var (
	latest     *pb.PutRequest
	latestName string
)

func ok() (*pb.PutReply, error) { return &pb.PutReply{Count: 1}, nil }

func (s *server) audit(req *pb.PutRequest) { log.Print(req.GetName()) }

func (s *server) auditName(name string) { log.Print(name) }

func (s *server) remember(u *pb.User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users[u.GetId()] = u
}

func (s *server) rememberName(u *pb.User) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ids[u.GetName()] = u.GetId()
}

func (s *server) BadField(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = req // want "outlives the RPC"
	return ok()
}

func (s *server) GoodField(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = proto.Clone(req).(*pb.PutRequest)
	return ok()
}

func (s *server) GoodFieldCloneOf(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.last = proto.CloneOf(req)
	return ok()
}

func (s *server) BadPart(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.owner = req.GetOwner() // want "outlives the RPC"
	return ok()
}

func (s *server) GoodPart(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.owner = deep.Clone(req.GetOwner())
	return ok()
}

func (s *server) BadPartOfPart(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.owner = req.Owner.Friend // want "outlives the RPC"
	return ok()
}

func (s *server) GoodPartOfPart(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.name = req.Owner.Friend.Name
	return ok()
}

func (s *server) BadInBranch(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	if s.verbose {
		s.last = req // want "outlives the RPC"
	}
	return ok()
}

func (s *server) GoodInBranch(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	if s.verbose {
		s.name = req.GetName()
	}
	return ok()
}

func (s *server) BadMap(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range req.GetUsers() {
		s.users[u.GetId()] = u // want "outlives the RPC"
	}
	return ok()
}

func (s *server) GoodMap(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range req.GetUsers() {
		s.users[u.GetId()] = proto.CloneOf(u)
	}
	return ok()
}

func (s *server) GoodMapKey(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range req.GetUsers() {
		s.ids[u.GetName()] = u.GetId()
	}
	return ok()
}

func (s *server) BadAppendAll(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.batch = append(s.batch, req.GetUsers()...) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodAppendAll(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.names = append(s.names, req.GetTags()...)
	return ok()
}

func (s *server) BadAppend(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	for _, u := range req.GetUsers() {
		if u.GetName() != "" {
			s.batch = append(s.batch, u) // want "outlives the RPC"
		}
	}
	return ok()
}

func (s *server) GoodAppend(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	for _, u := range req.GetUsers() {
		if u.GetName() != "" {
			s.names = append(s.names, u.GetName())
		}
	}
	return ok()
}

func (s *server) BadCopiedPointers(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	users := make([]*pb.User, len(req.GetUsers()))
	copy(users, req.GetUsers())
	s.batch = users // want "outlives the RPC"
	return ok()
}

func (s *server) GoodCopiedPointers(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	users := make([]*pb.User, len(req.GetUsers()))
	copy(users, req.GetUsers())
	s.most = int32(len(users))
	return ok()
}

func (s *server) BadTags(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.tags = req.GetTags() // want "outlives the RPC"
	return ok()
}

func (s *server) GoodTags(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.tags = append([]string(nil), req.GetTags()...)
	return ok()
}

func (s *server) BadOptional(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.limit = req.Limit // want "outlives the RPC"
	return ok()
}

func (s *server) GoodOptional(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.most = req.GetLimit()
	return ok()
}

func (s *server) BadOneof(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.source = req.GetSource() // want "outlives the RPC"
	return ok()
}

func (s *server) GoodOneof(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.file = req.GetFile()
	return ok()
}

// GoodData may keep bytes of the request: they are where its strings are.
func (s *server) GoodData(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.data = req.GetData()
	return ok()
}

// GoodLabels may keep a map: those of messages are on the heap.
func (s *server) GoodLabels(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.labels = req.GetLabels()
	return ok()
}

func (s *server) BadGlobal(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	latest = req // want "outlives the RPC"
	return ok()
}

func (s *server) GoodGlobal(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	latestName = req.GetName()
	return ok()
}

func (s *server) BadEntry(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.entries = append(s.entries, entry{at: time.Now(), req: req}) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodEntry(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.entries = append(s.entries, entry{at: time.Now(), text: req.String()})
	return ok()
}

func (s *server) BadLater(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.later = append(s.later, func() { s.audit(req) }) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodLater(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	name := req.GetName()
	s.later = append(s.later, func() { s.auditName(name) })
	return ok()
}

func (s *server) BadSend(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.jobs <- req // want "outlives the RPC"
	return ok()
}

func (s *server) GoodSend(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.texts <- req.GetName()
	return ok()
}

func (s *server) BadSendStruct(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.calls <- call{"put", req} // want "outlives the RPC"
	return ok()
}

func (s *server) GoodSendStruct(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.calls <- call{"put", proto.CloneOf(req)}
	return ok()
}

func (s *server) BadTrySend(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	select {
	case s.jobs <- req: // want "outlives the RPC"
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return ok()
}

func (s *server) GoodTrySend(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	select {
	case s.texts <- req.GetName():
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return ok()
}

func (s *server) GoodAnswered(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.jobs <- req
	n := <-s.done
	return &pb.PutReply{Count: int64(n)}, nil
}

func (s *server) BadSyncMap(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.shared.Store(req.GetName(), req.GetOwner()) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodSyncMap(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.shared.Store(req.GetName(), req.GetOwner().GetEmail())
	return ok()
}

func (s *server) BadLoadOrStore(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	_, loaded := s.shared.LoadOrStore(req.GetName(), req) // want "outlives the RPC"
	log.Print(loaded)
	return ok()
}

func (s *server) GoodLoadOrStore(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	_, loaded := s.shared.LoadOrStore(req.GetName(), time.Now())
	log.Print(loaded)
	return ok()
}

func (s *server) BadAtomic(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.current.Store(req) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodAtomic(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.current.Store(deep.Clone(req))
	return ok()
}

func (s *server) GoodAtomicTakenBack(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.current.Store(req)
	defer s.current.Store(nil)
	return ok()
}

func (s *server) GoodInFlight(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	id := req.GetOwner().GetId()
	s.users[id] = req.GetOwner()
	defer delete(s.users, id)
	return ok()
}

func (s *server) GoodTakenBack(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.last = req
	s.auditLast()
	s.last = nil
	return ok()
}

func (s *server) auditLast() { s.audit(s.last) }

func (s *server) BadHelper(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.remember(req.GetOwner()) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodHelper(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.rememberName(req.GetOwner())
	return ok()
}

func (s *server) BadRecent(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	for _, u := range req.GetUsers() {
		if lib.Valid(u) {
			s.recent.Add(u) // want "outlives the RPC"
		}
	}
	return ok()
}

func (s *server) GoodRecent(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	for _, u := range req.GetUsers() {
		if lib.Valid(u) {
			s.recent.AddName(u.GetName())
		}
	}
	return ok()
}

func (s *server) BadCache(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	u := req.GetOwner()
	s.cache.Add(u.GetId(), u) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodCache(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	u := req.GetOwner()
	s.nameByID.Add(u.GetId(), u.GetName())
	return ok()
}

func (s *server) GoodLookup(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	u, found := s.cache.Get(req.GetOwner().GetId())
	if !found {
		return nil, status.Errorf(codes.NotFound, "no user %s", req.GetOwner().GetName())
	}
	return &pb.PutReply{First: u}, nil
}

func (s *server) GoodReply(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	return &pb.PutReply{Name: req.GetName(), First: req.GetOwner()}, nil
}

func (s *server) GoodLogged(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	log.Printf("put %v of %v", req, req.GetOwner())
	return ok()
}

func (s *server) GoodSorted(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	byName := make(map[string]*pb.User, len(req.GetUsers()))
	for _, u := range req.GetUsers() {
		byName[strings.ToLower(u.GetName())] = u
	}
	return &pb.PutReply{Count: int64(len(byName)), First: byName["root"]}, nil
}

// GoodChat is a stream: its messages are left to the collector.
func (s *server) GoodChat(stream pb.Users_ChatServer) error {
	for {
		req, err := stream.Recv()
		if err != nil {
			return err
		}
		s.last = req
	}
}

// find is not a handler: what it keeps is its own.
func (s *server) find(ctx context.Context, name string) (*pb.User, error) {
	u := &pb.User{Name: name}
	s.owner = u
	return u, nil
}
