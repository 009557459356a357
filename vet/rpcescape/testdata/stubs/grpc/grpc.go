// Package grpc stands for the package of this name: it has what the cases use.
package grpc

import (
	"context"

	"google.golang.org/grpc/stats"
)

// A ServerOption is an option of NewServer.
type ServerOption interface{ apply(*Server) }

// A ServiceDesc describes a service.
type ServiceDesc struct{ ServiceName string }

// A ServiceRegistrar registers services.
type ServiceRegistrar interface {
	RegisterService(desc *ServiceDesc, impl any)
}

// A Server serves RPCs.
type Server struct{ services map[string]any }

// NewServer returns a server.
func NewServer(opts ...ServerOption) *Server {
	s := &Server{services: map[string]any{}}
	for _, o := range opts {
		o.apply(s)
	}
	return s
}

// RegisterService registers a service.
func (s *Server) RegisterService(desc *ServiceDesc, impl any) { s.services[desc.ServiceName] = impl }

// EmptyServerOption does nothing.
type EmptyServerOption struct{}

func (EmptyServerOption) apply(*Server) {}

// A UnaryServerInfo tells an interceptor of the RPC.
type UnaryServerInfo struct {
	Server     any
	FullMethod string
}

// A UnaryHandler handles an RPC.
type UnaryHandler func(ctx context.Context, req any) (any, error)

// A UnaryServerInterceptor is around a handler.
type UnaryServerInterceptor func(ctx context.Context, req any, info *UnaryServerInfo, handler UnaryHandler) (resp any, err error)

// UnaryInterceptor sets the interceptor.
func UnaryInterceptor(i UnaryServerInterceptor) ServerOption { return EmptyServerOption{} }

// ChainUnaryInterceptor sets the interceptors.
func ChainUnaryInterceptor(i ...UnaryServerInterceptor) ServerOption { return EmptyServerOption{} }

// StatsHandler sets the stats handler.
func StatsHandler(h stats.Handler) ServerOption { return EmptyServerOption{} }

// A StreamServerInfo tells an interceptor of the stream.
type StreamServerInfo struct{ FullMethod string }

// A StreamHandler handles a stream.
type StreamHandler func(srv any, stream ServerStream) error

// A StreamServerInterceptor is around the handler of a stream.
type StreamServerInterceptor func(srv any, ss ServerStream, info *StreamServerInfo, handler StreamHandler) error

// StreamInterceptor sets the interceptor of streams.
func StreamInterceptor(i StreamServerInterceptor) ServerOption { return EmptyServerOption{} }

// A ServerStream is the server's side of a stream.
type ServerStream interface {
	Context() context.Context
	SendMsg(m any) error
	RecvMsg(m any) error
}

// A ClientStreamingServer receives many messages and answers one.
type ClientStreamingServer[Req any, Res any] interface {
	Recv() (*Req, error)
	SendAndClose(*Res) error
	ServerStream
}

// A ServerStreamingServer answers many messages.
type ServerStreamingServer[Res any] interface {
	Send(*Res) error
	ServerStream
}

// A BidiStreamingServer receives and sends many messages.
type BidiStreamingServer[Req any, Res any] interface {
	Recv() (*Req, error)
	Send(*Res) error
	ServerStream
}
