// Package streamsafe recycles unary requests only: messages of streams are left to the collector.
package streamsafe

import (
	"context"

	"google.golang.org/grpc"

	"cases/pb"

	"lessgc/arena"
	"lessgc/rpc/arenagrpc"
)

func newServer() *grpc.Server {
	s := grpc.NewServer()
	pb.RegisterUsersServer(arenagrpc.Register(s, arenagrpc.Options{
		Policy: arena.RecycleTyped,
		Methods: map[string]arenagrpc.MethodOptions{
			"/users.Users/GoodUnary": {PerMessage: true},
		},
	}), &server{})
	return s
}

type server struct {
	last *pb.PutRequest
	jobs chan *pb.PutRequest
}

func (s *server) BadUnary(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.last = in // want "outlives the RPC"
	return &pb.PutReply{}, nil
}

// GoodUnary has options of its own, without a policy: they replace the others.
func (s *server) GoodUnary(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.last = in
	return &pb.PutReply{}, nil
}

func (s *server) GoodStream(stream pb.Users_ImportServer) error {
	var all []*pb.PutRequest
	for {
		m, err := stream.Recv()
		if err != nil {
			break
		}
		s.jobs <- m
		go func() { s.last = m }()
		all = append(all, m)
	}
	for _, m := range all {
		s.last = m
	}
	return stream.SendAndClose(&pb.PutReply{})
}

func (s *server) GoodList(in *pb.PutRequest, stream grpc.ServerStreamingServer[pb.User]) error {
	s.last = in
	return nil
}

type goodTap struct {
	grpc.ServerStream
	all []any
}

func (w *goodTap) RecvMsg(m any) error {
	w.all = append(w.all, m)
	return w.ServerStream.RecvMsg(m)
}
