// Package interceptsafe has the interceptors of a server whose requests are in arenas with the default options, Safe.
package interceptsafe

import (
	"context"
	"log"

	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"

	"cases/pb"

	"lessgc/rpc/arenagrpc"
)

type server struct{ pb.UnimplementedUsersServer }

func newServer() *grpc.Server {
	s := grpc.NewServer(grpc.UnaryInterceptor(goodGlobal))
	pb.RegisterUsersServer(arenagrpc.Register(s, arenagrpc.Options{MaxKept: 1 << 20}), &server{})
	return s
}

var lastRequest any

func goodGlobal(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	lastRequest = req
	return handler(ctx, req)
}

func goodGo(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	go log.Print(req)
	return handler(ctx, req)
}

type payloads struct{ last any }

func (p *payloads) HandleRPC(ctx context.Context, s stats.RPCStats) {
	if s, ok := s.(*stats.InPayload); ok {
		p.last = s.Payload
	}
}
