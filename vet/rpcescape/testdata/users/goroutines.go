package users

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/proto"

	"cases/pb"

	"lessgc/arena"
	"lessgc/arena/deep"
)

func (s *server) BadGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go s.audit(req) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go s.auditName(req.GetName())
	return ok()
}

func (s *server) GoodGoClone(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go s.audit(proto.CloneOf(req))
	return ok()
}

func (s *server) BadGoClosure(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go func() { // want "outlives the RPC"
		for _, u := range req.GetUsers() {
			s.auditName(u.GetName())
		}
	}()
	return ok()
}

func (s *server) GoodGoClosure(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	users := deep.Clone(req.GetUsers())
	go func() {
		for _, u := range users {
			s.auditName(u.GetName())
		}
	}()
	return ok()
}

func (s *server) BadGoPart(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	u := req.GetOwner()
	go func() { s.auditName(u.GetName()) }() // want "outlives the RPC"
	return ok()
}

func (s *server) GoodGoPart(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	name := req.GetOwner().GetName()
	go func() { s.auditName(name) }()
	return ok()
}

func (s *server) BadGoPerUser(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	var wg sync.WaitGroup
	for _, u := range req.GetUsers() {
		wg.Add(1)
		go func() { // want "outlives the RPC"
			defer wg.Done()
			s.auditName(u.GetName())
		}()
	}
	return ok()
}

func (s *server) GoodGoPerUser(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	var wg sync.WaitGroup
	for _, u := range req.GetUsers() {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.auditName(u.GetName())
		}()
	}
	wg.Wait()
	return ok()
}

func (s *server) GoodWaitGroupGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { s.audit(req) })
	return ok()
}

func (s *server) BadErrgroup(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	g, _ := errgroup.WithContext(ctx)
	g.Go(func() error { // want "outlives the RPC"
		s.audit(req)
		return nil
	})
	return ok()
}

func (s *server) GoodErrgroup(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	g, _ := errgroup.WithContext(ctx)
	g.Go(func() error {
		s.audit(req)
		return nil
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return ok()
}

func (s *server) GoodGoAnswered(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	counted := make(chan int)
	go func() {
		n := 0
		for _, u := range req.GetUsers() {
			n += len(u.GetName())
		}
		counted <- n
	}()
	return &pb.PutReply{Count: int64(<-counted)}, nil
}

func (s *server) GoodGoTimeout(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	done := make(chan struct{})
	name := req.GetName()
	go func() {
		defer close(done)
		s.auditName(name)
	}()
	select {
	case <-done:
		return ok()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *server) BadTimer(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	time.AfterFunc(time.Minute, func() { s.audit(req) }) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodTimer(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	name := req.GetName()
	time.AfterFunc(time.Minute, func() { s.auditName(name) })
	return ok()
}

func (s *server) BadAfterFunc(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	context.AfterFunc(ctx, func() { s.audit(req) }) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodAfterFunc(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	name := req.GetName()
	context.AfterFunc(ctx, func() { s.auditName(name) })
	return ok()
}

func (s *server) GoodKeepAll(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	arena.FromContext(ctx).Keep()
	go s.audit(req)
	return ok()
}

func (s *server) GoodKeepAllStored(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	a := arena.FromContext(ctx)
	a.Keep()
	s.last = req
	return ok()
}

func (s *server) GoodDetach(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	u := deep.Detach(arena.FromContext(ctx), req.GetOwner())
	go func() { s.auditName(u.GetName()) }()
	return ok()
}

func (s *server) BadArenaGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	a := arena.FromContext(ctx)
	go func() { // want "outlives the RPC"
		users := arena.MakeSlice[pb.User](a, 0, 100)
		s.auditName(a.String(fmt.Sprintf("%d users", cap(users))))
	}()
	return ok()
}

func (s *server) GoodArenaGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go func() {
		a := arena.NewArena()
		defer a.Free()
		users := arena.MakeSlice[pb.User](a, 0, 100)
		s.auditName(a.String(fmt.Sprintf("%d users", cap(users))))
	}()
	return ok()
}

func (s *server) GoodArenaChild(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	a := arena.FromContext(ctx).Child()
	var wg sync.WaitGroup
	wg.Go(func() { s.auditName(a.String("put " + req.GetName())) })
	wg.Wait()
	return ok()
}

func (s *server) BadArenaUser(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	u := arena.New[pb.User](arena.FromContext(ctx))
	u.Name = req.GetName()
	s.owner = u // want "outlives the RPC"
	return ok()
}

func (s *server) GoodArenaUser(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	u := arena.New[pb.User](nil)
	u.Name = req.GetName()
	s.owner = u
	return ok()
}

func (s *server) BadArenaBytes(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.data = arena.FromContext(ctx).Bytes(req.GetData()) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodArenaString(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.name = arena.FromContext(ctx).StringFrom(req.GetData())
	return ok()
}

func (s *server) BadReplyKept(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	reply := arena.New[pb.PutReply](arena.FromContext(ctx))
	reply.Count = int64(len(req.GetUsers()))
	s.reply = reply // want "outlives the RPC"
	return reply, nil
}

func (s *server) GoodReplyKept(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	reply := new(pb.PutReply)
	reply.Count = int64(len(req.GetUsers()))
	s.reply = reply
	return reply, nil
}

func (s *server) BadReplyHolds(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	reply := &pb.PutReply{First: req.GetOwner()}
	s.reply = reply // want "outlives the RPC"
	return reply, nil
}

func (s *server) GoodReplyHolds(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	reply := &pb.PutReply{Name: req.GetOwner().GetName()}
	s.reply = reply
	return reply, nil
}

func (s *server) GoodArenaReply(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	a := arena.FromContext(ctx)
	reply := arena.New[pb.PutReply](a)
	reply.Name = a.String("put " + req.GetName())
	reply.First = req.GetOwner()
	return reply, nil
}

func (s *server) GoodIgnored(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.last = req //lessgc:ignore rpcescape tests only, with arenas off
	return ok()
}
