// Package arenagrpc gives each RPC of a gRPC server an arena: the request is decoded
// into it, the handler builds its reply in it, and all of it is freed once the reply
// is encoded. Handlers, generated code and interceptors stay as they are; two lines
// of main change:
//
//	s := grpc.NewServer(arenagrpc.ServerCodec())
//	pb.RegisterUsersServer(arenagrpc.Register(s, arenagrpc.Options{}), &server{})
//
// A handler finds the arena in its context, and may allocate what it returns there:
//
//	a := arena.FromContext(ctx)
//	reply := arena.New[pb.Reply](a)
//	reply.Name = a.String(name)
//
// # The lifetime of a request
//
// Neither the request nor the reply may be used after the RPC. With the default
// policy, arena.RecycleTyped, their strings may, and bytes; with arena.Safe there is no
// rule; with arena.RecycleAll not even strings may, which includes metadata that a
// handler sends. What the package does with messages itself is done before they are
// freed: an error becomes a status with a text of its own.
//
//	decode -> interceptors -> handler -> encode the reply -> free -> stats, status
//
// A stats handler that looks at the payload of stats.OutPayload comes too late: see
// [Options.FreeAtEnd]. A handler that hands its request to a goroutine that outlives
// it calls arena.FromContext(ctx).KeepAll, or copies what it needs with
// arena.Detach. If a handler panics, nothing is recycled.
//
// # Streams
//
// Each message that a stream receives is decoded into memory of its own, with the
// policy Safe. With [MethodOptions.PerMessage] it is recycled by the next RecvMsg, as
// bufio.Scanner does with its tokens.
//
// # Off
//
// arena.UseHeap(true), or LESSGC_ARENA=heap in the environment, turns all of it off
// without a new build: the codec then does what gRPC's own does.
package arenagrpc
