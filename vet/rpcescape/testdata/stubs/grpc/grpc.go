// Package grpc stands for the package of this name: it has what the cases use.
package grpc

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
