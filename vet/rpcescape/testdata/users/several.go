package users

import (
	"context"
	"sync"

	"google.golang.org/protobuf/proto"

	"cases/pb"

	"lessgc/arena"
	"lessgc/arena/deep"
)

// A pair is kept as a whole.
type pair struct {
	req   *pb.PutRequest
	owner *pb.User
}

type store struct {
	mu    sync.Mutex
	last  *pb.PutRequest
	first *pb.PutRequest
	pair  pair
	pairs map[string]pair
	cache map[string][]*pb.User
	other map[string]int
	names map[string]string
	jobs  chan *pb.PutRequest
	seen  *pb.User
}

func (s *store) log(req *pb.PutRequest)               { s.other[req.GetName()]++ }
func (s *store) add(name string, u *pb.User)          { s.cache[name] = append(s.cache[name], u) }
func (s *store) set(req *pb.PutRequest)               { s.last = req }
func (s *store) setBoth(r *pb.PutRequest, u *pb.User) { s.last, s.seen = r, u }

func (s *store) BadThree(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.last = in                 // want "stored in s.last"
	s.cache[in.Name] = in.Users // want "stored in a map"
	go s.log(in)                // want "used by a goroutine"
	return ok()
}

func (s *store) GoodThree(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.last = proto.CloneOf(in)
	s.cache[in.Name] = deep.Clone(in.Users)
	go s.log(proto.CloneOf(in))
	return ok()
}

// BadOneOfThree has one keeper among copies.
func (s *store) BadOneOfThree(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.last = proto.CloneOf(in)
	s.names[in.Name] = in.Name
	s.cache[in.Name] = in.Users // want "stored in a map"
	go s.log(proto.CloneOf(in))
	return ok()
}

func (s *store) BadLocked(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.mu.Lock()
	s.last = in                 // want "outlives the RPC"
	s.cache[in.Name] = in.Users // want "outlives the RPC"
	delete(s.other, in.Name)
	s.mu.Unlock()
	go s.log(in) // want "outlives the RPC"
	return ok()
}

func (s *store) GoodLocked(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[in.Name] = in.Owner.Name
	delete(s.other, in.Name)
	return ok()
}

func (s *store) BadSameCallee(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.add("owner", in.Owner)         // want "kept by add"
	s.add("friend", in.Owner.Friend) // want "kept by add"
	return ok()
}

func (s *store) GoodSetAndReset(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.set(in)
	defer s.set(nil)
	s.log(s.last)
	return ok()
}

func (s *store) BadSameField(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	if s.first == nil {
		s.seen = in.Owner // want "stored in s.seen"
	} else {
		s.seen = in.Owner.Friend // want "stored in s.seen"
	}
	return ok()
}

func (s *store) GoodSameField(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.seen = in.Owner
	if s.first != nil {
		s.log(in)
	}
	s.seen = nil
	return ok()
}

// BadReset empties the field before, not after.
func (s *store) BadReset(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.last = nil
	s.last = in // want "stored in s.last"
	return ok()
}

// BadOnce is one statement, and one finding.
func (s *store) BadOnce(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.pair = pair{ // want "outlives the RPC"
		req:   in,
		owner: in.Owner,
	}
	return ok()
}

func (s *store) BadAtOnce(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.last, s.seen = in, in.Owner // want "outlives the RPC"
	return ok()
}

func (s *store) BadBoth(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.setBoth(in, in.Owner) // want "outlives the RPC"
	return ok()
}

func (s *store) BadPairs(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	p := pair{in, in.Owner}
	s.pair = p           // want "outlives the RPC"
	s.pairs[in.Name] = p // want "outlives the RPC"
	return ok()
}

func (s *store) GoodPairs(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	p := pair{proto.CloneOf(in), deep.Clone(in.Owner)}
	s.pair = p
	s.pairs[in.Name] = p
	return ok()
}

func (s *store) BadReplyToo(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	a := arena.FromContext(ctx)
	reply := arena.New[pb.PutReply](a)
	reply.First = arena.New[pb.User](a)
	s.last = in          // want "outlives the RPC"
	s.seen = reply.First // want "outlives the RPC"
	return reply, nil
}

func (s *store) GoodKept(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	arena.FromContext(ctx).Keep()
	s.last = in
	s.cache[in.Name] = in.Users
	go s.log(in)
	return ok()
}

func (s *store) BadTwoGoroutines(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	go s.log(in) // want "outlives the RPC"
	go func() {  // want "outlives the RPC"
		for _, u := range in.Users {
			s.other[u.GetName()]++
		}
	}()
	return ok()
}

func (s *store) GoodTwoGoroutines(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	var wg sync.WaitGroup
	wg.Go(func() { s.log(in) })
	wg.Go(func() { s.log(in) })
	wg.Wait()
	return ok()
}

// BadOneWaited waits for one of them.
func (s *store) BadOneWaited(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	var wg sync.WaitGroup
	wg.Go(func() { s.log(in) })
	wg.Wait()
	go s.log(in) // want "outlives the RPC"
	return ok()
}

// GoodFlat has nothing in the arena but strings and numbers.
func (s *store) GoodFlat(ctx context.Context, in *pb.Ping) (*pb.PutReply, error) {
	lastPing = in
	return ok()
}

var lastPing *pb.Ping

// A task is answered.
type task struct {
	req  *pb.PutRequest
	done chan int
}

var tasks chan task

func do(req *pb.PutRequest) int {
	t := task{req, make(chan int)}
	tasks <- t
	return <-t.done
}

func submit(req *pb.PutRequest) { tasks <- task{req, nil} }

func (s *store) GoodDone(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	return &pb.PutReply{Count: int64(do(in))}, nil
}

func (s *store) BadSubmitted(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	submit(in) // want "outlives the RPC"
	return ok()
}
