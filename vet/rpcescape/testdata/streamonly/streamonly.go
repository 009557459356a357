// Package streamonly recycles the messages of one stream, and no requests.
package streamonly

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"

	"cases/audit"
	"cases/pb"

	"lessgc/arena"
	"lessgc/rpc/arenagrpc"
)

func newServer() *grpc.Server {
	s := grpc.NewServer(grpc.ChainUnaryInterceptor(goodInterceptor, audit.Last))
	o := arenagrpc.Options{}
	o.Methods = map[string]arenagrpc.MethodOptions{}
	o.Methods["/users.Users/BadImport"] = arenagrpc.MethodOptions{Policy: arena.RecycleTyped, PerMessage: true}
	pb.RegisterUsersServer(arenagrpc.Register(s, o), &server{})
	return s
}

type server struct{ last any }

func goodInterceptor(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	go func(last any) {}(req)
	return handler(ctx, req)
}

func (s *server) GoodUnary(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
	s.last = in
	return &pb.PutReply{}, nil
}

func (s *server) BadImport(stream pb.Users_ImportServer) error {
	m, err := stream.Recv()
	if err != nil {
		return err
	}
	s.last = m // want "outlives the message"
	return stream.SendAndClose(&pb.PutReply{})
}

type badStats struct{ last any }

func (h *badStats) HandleRPC(ctx context.Context, s stats.RPCStats) {
	if in, ok := s.(*stats.InPayload); ok {
		h.last = in.Payload // want "outlives the RPC"
	}
}
