// Package arenapb decodes protobuf messages into arenas: into the ordinary
// structs that protoc-gen-go generates, without generated code of its own, with
// the results of package proto. A request's thousands of objects become a few
// chunks of memory, which a recycled arena already has.
//
//	a := pool.Get()
//	defer a.Free()
//	request := arena.New[pb.Request](a)
//	err := arenapb.Unmarshal(a, b, request)
//
// # Three lifetimes
//
// The arena's policy decides what becomes of the parts of a message at Free. "=" is in
// use, "." may be kept indefinitely, "#" is another message's:
//
//	                            Unmarshal       Free     the next Unmarshal
//	                            |               |        |
//	Safe           all of it    ================................................
//
//	RecycleTyped   messages     ================ zero   ########################
//	(strings safe) strings      ================................................
//
//	RecycleAll     messages     ================ zero   ########################
//	               strings      ================        ########################
//
// Here messages include their lists, optional values and oneofs, as far as the arena has
// them; strings include bytes. Go maps are the collector's with all policies, also the one
// that a message has its extensions in.
//
// With Safe there is no rule to follow; [UnmarshalSafe] needs no arena. With
// RecycleTyped strings may be kept, as map keys
// or in logs, but no pointer to a message. With RecycleAll nothing may be kept.
//
// A string that is kept keeps its neighbours: with Safe 512 bytes, up to 4 KiB of a large message, and
// with RecycleTyped all of the input's copy. strings.Clone keeps the string only. The neighbours of
// strings, bytes and optional scalars may be those of another message.
//
// # Encoding
//
// [Marshal] encodes a message by the same tables, into an arena, in about a third of the time of package proto, two thirds at most
// for what was measured (bench/results/protobuf.md); the message may be anywhere. Messages with lazy fields or extensions are encoded by package proto.
//
// # How
//
// For each message type a table is built when it is first decoded: from the
// descriptor, and the offsets of the struct's fields. It is checked by decoding
// examples in both ways. Open, hybrid and opaque API are the same to it. What a
// table cannot do is left to package proto, for just the messages concerned:
// MessageSets, messages that are not of protoc-gen-go or hold such, those with lazy fields;
// extensions that are not a message, a list of messages, a string or bytes, and all of them with
// a Resolver of one's own or build tag protolegacy, which makes them lazy; and everything on
// machines that are not little-endian with 64 bits.
package arenapb
