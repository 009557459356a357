package arenagrpc

import (
	"unsafe"

	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/proto" // registers what base is
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/internal/untyped"
	"lessgc/rpc/arenapb"
)

// base is gRPC's own codec.
var base = encoding.GetCodecV2("proto")

// A codec is gRPC's own for everything but envelopes.
type codec struct{}

func (codec) Name() string { return base.Name() }

func (codec) Marshal(v any) (mem.BufferSlice, error) {
	e, ok := v.(*reply)
	if !ok {
		return base.Marshal(v)
	}
	out, err := base.Marshal(e.Message)
	e.encoded()
	return out, err
}

func (codec) Unmarshal(data mem.BufferSlice, v any) error {
	e, ok := v.(*request)
	if !ok {
		return base.Unmarshal(data, v)
	}
	return e.decode(data)
}

// A request takes a message through gRPC to the codec, with the arena it goes
// into. To everything else it is that message.
type request struct {
	proto.Message
	arena   *arena.Arena
	decoded bool
	bytes   int
}

// decode decodes data into the message. A client that sends two messages where
// one is expected makes gRPC call it twice.
func (e *request) decode(data mem.BufferSlice) error {
	a := e.arena
	if a == nil {
		return base.Unmarshal(data, e.Message)
	}
	if e.decoded {
		proto.Reset(e.Message)
		a.Reset()
	}
	e.decoded = true
	n := data.Len()
	e.bytes += n
	b := unsafe.Slice((*byte)(untyped.Text(unsafe.Pointer(a), n+arenapb.Slack)), n+arenapb.Slack)
	data.CopyTo(b[:n])
	return arenapb.UnmarshalOptions{AliasInput: true}.Unmarshal(a, b[:n], e.Message)
}

// A reply takes a message to the codec, and with it what is to be done when it is
// encoded.
type reply struct {
	proto.Message
	call *call
}

func (e *reply) encoded() {
	if !e.call.method.registrar.options.FreeAtEnd {
		e.call.free()
	}
}
