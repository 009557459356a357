// Package plain is a server without arenas.
package plain

import (
	"context"

	"google.golang.org/grpc"

	"cases/pb"
)

func newServer() *grpc.Server {
	s := grpc.NewServer()
	pb.RegisterUsersServer(s, &server{users: map[int64]*pb.User{}})
	return s
}

type server struct {
	last  *pb.PutRequest
	users map[int64]*pb.User
	jobs  chan *pb.PutRequest
}

func (s *server) GoodField(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.last = req
	return &pb.PutReply{}, nil
}

func (s *server) GoodMap(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	for _, u := range req.GetUsers() {
		s.users[u.GetId()] = u
	}
	return &pb.PutReply{}, nil
}

func (s *server) GoodGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go func() { s.jobs <- req }()
	return &pb.PutReply{}, nil
}
