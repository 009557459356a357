package arenagrpc

import (
	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
)

// In is an option of a call: its answers, all messages of a stream included, are decoded
// into a, which the caller owns. Replies live as long as a, which must not be used by others during the
// call. With a nil arena they are on the heap.
func In(a *arena.Arena) grpc.CallOption {
	if a == nil {
		return grpc.EmptyCallOption{}
	}
	return grpc.ForceCodecV2(inArena{base, a})
}

type inArena struct {
	encoding.CodecV2
	arena *arena.Arena
}

func (c inArena) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return c.CodecV2.Unmarshal(data, v)
	}
	return decode(c.arena, data, data.Len(), m)
}
