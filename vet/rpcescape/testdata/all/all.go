// Package all is a server whose requests are in arenas that recycle strings too.
package all

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc"

	"cases/lib"
	"cases/pb"

	"lessgc/arena"
	"lessgc/arena/deep"
	"lessgc/rpc/arenagrpc"
)

func newServer() *grpc.Server {
	s := grpc.NewServer()
	r := arenagrpc.Register(s, arenagrpc.Options{Policy: arena.RecycleAll})
	pb.RegisterUsersServer(r, &server{hits: map[string]int{}, metrics: counter{map[string]int{}}})
	return s
}

type server struct {
	last    *pb.PutRequest
	name    string
	tags    []string
	data    []byte
	labels  map[string]string
	hits    map[string]int
	texts   chan string
	recent  lib.Recent
	metrics counter
}

// A counter counts by label.
type counter struct{ n map[string]int }

func (c *counter) inc(label string) { c.n[label]++ }

func ok() (*pb.PutReply, error) { return &pb.PutReply{Count: 1}, nil }

func (s *server) audit(name string) { fmt.Println(name) }

func (s *server) BadRequest(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.last = req // want "outlives the RPC"
	return ok()
}

func (s *server) GoodRequest(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.last = deep.Clone(req)
	return ok()
}

func (s *server) BadName(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.name = req.GetName() // want "outlives the RPC"
	return ok()
}

func (s *server) GoodName(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.name = strings.Clone(req.GetName())
	return ok()
}

func (s *server) BadSubstring(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	name := req.GetOwner().GetName()
	s.name = name[:1] // want "outlives the RPC"
	return ok()
}

func (s *server) GoodSubstring(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	name := req.GetOwner().GetName()
	s.name = "user " + name[:1]
	return ok()
}

func (s *server) BadKey(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.hits[req.GetName()]++ // want "outlives the RPC"
	return ok()
}

func (s *server) GoodKey(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.hits[strings.Clone(req.GetName())]++
	return ok()
}

func (s *server) GoodLookup(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	return &pb.PutReply{Count: int64(s.hits[req.GetName()])}, nil
}

func (s *server) BadLabel(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.metrics.inc(req.GetName()) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodLabel(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.metrics.inc(fmt.Sprintf("put/%s", req.GetName()))
	return ok()
}

func (s *server) BadData(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.data = req.GetData() // want "outlives the RPC"
	return ok()
}

func (s *server) GoodData(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.data = bytes.Clone(req.GetData())
	return ok()
}

func (s *server) BadTags(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.tags = slices.Clone(req.GetTags()) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodTags(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.tags = deep.Clone(req.GetTags())
	return ok()
}

func (s *server) BadEachTag(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	for _, tag := range req.GetTags() {
		s.tags = append(s.tags, tag) // want "outlives the RPC"
	}
	return ok()
}

func (s *server) GoodEachTag(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	for _, tag := range req.GetTags() {
		s.tags = append(s.tags, strings.Clone(tag))
	}
	return ok()
}

func (s *server) BadMap(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.labels = req.GetLabels() // want "outlives the RPC"
	return ok()
}

func (s *server) GoodMap(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.labels = deep.Clone(req.GetLabels())
	return ok()
}

func (s *server) BadSend(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.texts <- req.GetName() // want "outlives the RPC"
	return ok()
}

func (s *server) GoodSend(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.texts <- strings.Clone(req.GetName())
	return ok()
}

func (s *server) BadGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go s.audit(req.GetName()) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go s.audit(strings.Clone(req.GetName()))
	return ok()
}

func (s *server) BadGoClosure(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	name := req.GetName()
	go func() { s.audit(name) }() // want "outlives the RPC"
	return ok()
}

func (s *server) GoodGoClosure(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	name := strings.Clone(req.GetName())
	go func() { s.audit(name) }()
	return ok()
}

func (s *server) BadRecent(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.recent.AddName(req.GetName()) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodRecent(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.recent.AddName(strings.Clone(req.GetName()))
	return ok()
}

func (s *server) BadArenaString(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.name = arena.FromContext(ctx).String("user " + req.GetName()) // want "outlives the RPC"
	return ok()
}

func (s *server) GoodArenaString(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	return &pb.PutReply{Name: arena.FromContext(ctx).String("user " + req.GetName())}, nil
}

func (s *server) GoodKeepAll(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	arena.FromContext(ctx).Keep()
	s.name = req.GetName()
	return ok()
}

func (s *server) GoodNumbers(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.hits["put"] += len(req.GetName())
	if req.GetName() == s.name {
		s.hits["same"]++
	}
	return ok()
}

func (s *server) BadIntercepted(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if m, ok := req.(*pb.PutRequest); ok {
		s.tags = append(s.tags, m.Name) // want "outlives the RPC"
		s.hits[m.Owner.Name]++          // want "outlives the RPC"
	}
	return handler(ctx, req)
}

func (s *server) GoodIntercepted(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if m, ok := req.(*pb.PutRequest); ok {
		s.tags = append(s.tags, strings.Clone(m.Name))
		s.name = fmt.Sprint(m.Owner.Name)
	}
	s.hits[info.FullMethod]++
	return handler(ctx, req)
}
