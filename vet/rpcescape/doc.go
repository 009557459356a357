// Package rpcescape finds requests that outlive the RPC they came with.
//
// A server with package arenagrpc decodes each request into the arena of its RPC, which it
// frees once the reply is encoded. What a handler keeps of a request, or of the arena that
// its context carries, is zeroed then and becomes part of another request: caches fill with
// data of other clients, and goroutines read it.
//
// Bad:
//
//	type Users struct{ Names []string }
//
//	func (*Users) Reset()         {}
//	func (*Users) String() string { return "users" }
//	func (*Users) ProtoMessage()  {}
//
//	type server struct{ last *Users }
//
//	func (s *server) Put(ctx context.Context, in *Users) (*Users, error) {
//		s.last = in
//		return arena.New[Users](arena.FromContext(ctx)), nil
//	}
//
// Good:
//
//	type Users struct{ Names []string }
//
//	func (*Users) Reset()         {}
//	func (*Users) String() string { return "users" }
//	func (*Users) ProtoMessage()  {}
//
//	type server struct{ last *Users }
//
//	func (s *server) Put(ctx context.Context, in *Users) (*Users, error) {
//		s.last = deep.Clone(in)
//		return arena.New[Users](arena.FromContext(ctx)), nil
//	}
//
// A handler is a unary method of a package that imports arenagrpc, or one that asks its
// context for the arena. The rule is silent if the package registers with policy Safe or
// Heap, or if the arena is told to Keep; about copies: proto.Clone, deep.Clone, deep.Detach;
// about strings and bytes of the request, unless a policy is RecycleAll; about the reply,
// goroutines that are waited for, and what is taken back before the handler returns.
//
// A finding is an error.
package rpcescape
