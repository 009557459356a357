// Package contexts has handlers that are registered elsewhere, and know of arenas only
// because they ask the context for theirs.
package contexts

import (
	"context"

	"cases/pb"

	"lessgc/arena"
	"lessgc/arena/deep"
)

// A Server is registered by another package.
type Server struct {
	last  *pb.PutRequest
	owner *pb.User
	name  string
}

func (s *Server) BadRequest(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.last = req // want "outlives the RPC"
	return arena.New[pb.PutReply](arena.FromContext(ctx)), nil
}

func (s *Server) GoodRequest(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	s.last = deep.Clone(req)
	return arena.New[pb.PutReply](arena.FromContext(ctx)), nil
}

func (s *Server) BadGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go s.keep(req.GetOwner()) // want "outlives the RPC"
	return arena.New[pb.PutReply](arena.FromContext(ctx)), nil
}

func (s *Server) GoodGo(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	go s.keep(deep.Clone(req.GetOwner()))
	return arena.New[pb.PutReply](arena.FromContext(ctx)), nil
}

func (s *Server) keep(u *pb.User) { s.owner = u }

func (s *Server) GoodName(ctx context.Context, req *pb.PutRequest) (*pb.PutReply, error) {
	reply := arena.New[pb.PutReply](arena.FromContext(ctx))
	reply.Name = req.GetName()
	s.name = req.GetName()
	return reply, nil
}
