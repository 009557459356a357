// Package method is a server that recycles the strings of one method.
package method

import (
	"context"
	"strings"

	"google.golang.org/grpc"

	"cases/pb"

	"lessgc/arena"
	"lessgc/rpc/arenagrpc"
)

var options = arenagrpc.Options{Methods: map[string]arenagrpc.MethodOptions{
	"/users.Users/BadName":  {Policy: arena.RecycleAll},
	"/users.Users/GoodName": {Policy: arena.RecycleAll},
}}

func newServer() *grpc.Server {
	s := grpc.NewServer()
	pb.RegisterUsersServer(arenagrpc.Register(s, options), &server{})
	return s
}

type server struct {
	name string
	last *pb.PutRequest
}

func (s *server) BadName(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.name = req.GetName() // want "outlives the RPC"
	return &pb.PutReply{}, nil
}

func (s *server) GoodName(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.name = strings.Clone(req.GetName())
	return &pb.PutReply{}, nil
}

// GoodOther has no options of its own, and the others are the default: Safe.
func (s *server) GoodOther(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.last = req
	return &pb.PutReply{}, nil
}
