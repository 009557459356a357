// Package interceptplain has the interceptors of a server whose requests are not in arenas.
package interceptplain

import (
	"context"
	"log"

	"google.golang.org/grpc"
	"google.golang.org/grpc/stats"

	"cases/pb"
)

type server struct{ pb.UnimplementedUsersServer }

func newServer() *grpc.Server {
	s := grpc.NewServer(grpc.UnaryInterceptor(goodGlobal))
	pb.RegisterUsersServer(s, &server{})
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
