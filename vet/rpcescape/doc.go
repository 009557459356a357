// Package rpcescape finds requests that outlive the RPC they came with, and messages of streams
// that are used after the next one.
//
// A server with package arenagrpc decodes each request into the arena of its RPC, which it
// frees once the reply is encoded. Memory of the request, or of the arena in the context, that a
// handler keeps is zeroed then and becomes part of another request: caches fill with
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
//		go log.Print(in.Names)
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
//		go log.Print(deep.Clone(in.Names))
//		return arena.New[Users](arena.FromContext(ctx)), nil
//	}
//
// A handler is a unary method of a package that imports arenagrpc, or one that asks its
// context for the arena. So are interceptors, functions and closures with the signature of
// grpc.UnaryServerInterceptor, and the method HandleRPC of a stats handler for the payloads that
// come in. Each statement that keeps is a finding. An interceptor in a package that does not
// import arenagrpc is reported where a server that recycles gets it.
//
// With MethodOptions.PerMessage the next Recv or RecvMsg recycles a message of a stream. The
// rule finds messages that a handler, or a RecvMsg that wraps another, keeps longer or hands to a channel or
// a goroutine without waiting for it, and messages that are used although all paths have received
// another one since: lists, maps and replies that a loop fills, and earlier messages. Options.Methods
// must be in the package of the handler, with constants for the name and the options.
//
// The rule is silent if the method's policy is Safe, or the package registers with policy Safe or
// Heap, or if Keep is called on the arena; about copies: proto.Clone, deep.Clone, deep.Detach;
// about strings and bytes of the request, and messages that have nothing else, unless a policy is
// RecycleAll; about the reply, goroutines that are waited for, those that run the handler of an
// interceptor, loggers that are interfaces, and references that are cleared before the handler returns.
//
// Severity: error.
package rpcescape
