// Package arenagrpc gives each RPC of a gRPC server an arena: the request is decoded
// into it, the handler builds its reply in it, and all of it is freed once the reply
// is encoded. Handlers, generated code and interceptors stay as they are; one line
// of main changes:
//
//	pb.RegisterUsersServer(arenagrpc.Register(s, arenagrpc.Options{}), &server{})
//
// The package registers a codec for protobuf with gRPC, for all servers and clients of the process:
// the one that was registered before, gRPC's own or another, but for the requests of such services. A
// request with another content-subtype, or to a server with a codec of its own, is decoded by that,
// and on the heap. In place of gRPC's own codec it also encodes all messages, of clients too, by the tables
// of package arenapb, which takes about a third of the time; the bytes are the same, but for the order of maps.
//
// A handler finds the arena in its context, and may allocate its response there:
//
//	a := arena.FromContext(ctx)
//	reply := arena.New[pb.Reply](a)
//	reply.Name = a.String(name)
//
// # The lifetime of a request
//
// With the default policy, arena.Safe, there is no rule. With the others, which are
// faster, neither the request nor the reply may be used after the RPC; with
// arena.RecycleTyped their strings may, and bytes; with arena.RecycleAll not even strings
// may, which includes metadata that a handler sends. What the package does with messages itself is done before they are
// freed: an error becomes a status with a text of its own.
//
//	decode -> interceptors -> handler -> encode the reply -> free -> stats, status
//
// A stats handler that looks at the payload of stats.OutPayload comes too late: see
// [Options.FreeAtEnd]. A handler that hands its request to a goroutine that outlives
// it calls Keep of the arena, or copies the data it needs with
// deep.Detach. If a handler panics, nothing is recycled, also below an interceptor that recovers; nor is it
// if an interceptor answers without having called the handler, or without waiting for it: the handler may be
// late, so the arena is never freed but left to the collector, and the checked build does not report it.
// docs/middleware.md lists common middleware that keeps messages.
//
// # Streams
//
// Each message that a stream receives is decoded into memory of its own, with the
// policy Safe. With [MethodOptions.PerMessage] it is recycled by the next RecvMsg, as
// bufio.Scanner does with its tokens. A stream that waits holds no arena for that.
//
// The context of a stream's handler has an arena, too, from when it is asked for, with the policy
// of the method and until the stream ends: for replies that are sent, and other data that a handler needs as long. A
// stream that sends many replies resets it after each, as SendMsg has encoded the reply when it returns.
//
// # Off
//
// [Registrar.UseHeap] puts messages on the heap and decodes them as without arenas, without a new build.
// LESSGC_ARENA=heap in the environment turns all of it off: the codec then works as gRPC's own.
package arenagrpc
