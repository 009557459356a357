// Package safe is a server whose requests are left to the collector.
package safe

import (
	"context"

	"google.golang.org/grpc"

	"cases/pb"

	"lessgc/arena"
	"lessgc/rpc/arenagrpc"
)

func newServer() *grpc.Server {
	s := grpc.NewServer()
	pb.RegisterUsersServer(arenagrpc.Register(s, arenagrpc.Options{Policy: arena.Safe}), &server{})
	return s
}

type server struct {
	last *pb.PutRequest
	jobs chan *pb.User
}

func (s *server) GoodField(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.last = req
	return &pb.PutReply{}, nil
}

func (s *server) GoodSend(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.jobs <- req.GetOwner()
	return &pb.PutReply{}, nil
}

func (s *server) GoodGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go func() { s.last = req }()
	return arena.New[pb.PutReply](arena.FromContext(ctx)), nil
}
