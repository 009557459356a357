// Package serversafe sets up a server that recycles nothing, with the interceptors of others.
package serversafe

import (
	"google.golang.org/grpc"

	"cases/audit"
	"cases/pb"

	"lessgc/arena"
	"lessgc/rpc/arenagrpc"
)

type server struct{ pb.UnimplementedUsersServer }

func register(s *grpc.Server) *grpc.Server {
	pb.RegisterUsersServer(arenagrpc.Register(s, arenagrpc.Options{Policy: arena.Safe}), &server{})
	return s
}

func goodSafeFunction() *grpc.Server {
	return register(grpc.NewServer(grpc.UnaryInterceptor(audit.Last)))
}

func goodFunction() *grpc.Server {
	return register(grpc.NewServer(grpc.UnaryInterceptor(audit.Texts)))
}

func goodSafeConstructor() *grpc.Server {
	return register(grpc.NewServer(grpc.ChainUnaryInterceptor(audit.Now(), audit.Later())))
}

func goodConstructor() *grpc.Server {
	return register(grpc.NewServer(grpc.ChainUnaryInterceptor(audit.Now())))
}

func goodSafeMethod() *grpc.Server {
	var l audit.Log
	return register(grpc.NewServer(grpc.UnaryInterceptor(l.Keep)))
}

func goodMethod() *grpc.Server {
	var l audit.Log
	return register(grpc.NewServer(grpc.UnaryInterceptor(l.Count)))
}
