// Package arenagrpc stands for the package of this name: it has what the cases use.
package arenagrpc

import (
	"google.golang.org/grpc"

	"lessgc/arena"
)

// Options configures the arenas of a server's RPCs.
type Options struct {
	Policy     arena.Policy
	Heap       bool
	Methods    map[string]MethodOptions
	MaxKept    int
	AuditEvery int
	FreeAtEnd  bool
}

// MethodOptions configures the RPCs of one method.
type MethodOptions struct {
	Policy     arena.Policy
	Heap       bool
	PerMessage bool
}

// A Registrar registers services whose RPCs have arenas.
type Registrar struct {
	server  grpc.ServiceRegistrar
	options Options
}

// Register returns what services are registered with instead of s.
func Register(s grpc.ServiceRegistrar, o Options) *Registrar { return &Registrar{s, o} }

// RegisterService registers a service.
func (r *Registrar) RegisterService(desc *grpc.ServiceDesc, impl any) {
	r.server.RegisterService(desc, impl)
}
