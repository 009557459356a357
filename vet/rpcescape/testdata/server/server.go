// Package server sets up a server that recycles requests, with the interceptors of others.
package server

import (
	"google.golang.org/grpc"

	"cases/audit"
	"cases/pb"

	"lessgc/arena"
	"lessgc/rpc/arenagrpc"
)

type server struct{ pb.UnimplementedUsersServer }

func register(s *grpc.Server) *grpc.Server {
	pb.RegisterUsersServer(arenagrpc.Register(s, arenagrpc.Options{Policy: arena.RecycleTyped}), &server{})
	return s
}

func badFunction() *grpc.Server {
	return register(grpc.NewServer(grpc.UnaryInterceptor(audit.Last))) // want "requests, in Last"
}

func goodFunction() *grpc.Server {
	return register(grpc.NewServer(grpc.UnaryInterceptor(audit.Texts)))
}

func badConstructor() *grpc.Server {
	return register(grpc.NewServer(grpc.ChainUnaryInterceptor(audit.Now(), audit.Later()))) // want "used by a goroutine is memory of requests, in Later"
}

func goodConstructor() *grpc.Server {
	return register(grpc.NewServer(grpc.ChainUnaryInterceptor(audit.Now())))
}

func badMethod() *grpc.Server {
	var l audit.Log
	return register(grpc.NewServer(grpc.UnaryInterceptor(l.Keep))) // want "requests, in Keep"
}

func goodMethod() *grpc.Server {
	var l audit.Log
	return register(grpc.NewServer(grpc.UnaryInterceptor(l.Count)))
}
