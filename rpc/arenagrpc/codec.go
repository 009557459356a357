package arenagrpc

import (
	"reflect"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc/encoding"
	grpcproto "google.golang.org/grpc/encoding/proto" // registers what base is, before
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/internal/untyped"
	"lessgc/rpc/arenapb"
	"lessgc/rpc/internal/lent"
)

// base is the codec that was registered for protobuf before this package was initialized:
// gRPC's own, unless another package registered one.
var base = func() encoding.CodecV2 {
	if c := encoding.GetCodecV2(grpcproto.Name); c != nil {
		return c
	}
	return older{encoding.GetCodec(grpcproto.Name)}
}()

// An older is a codec with the interface that was before encoding.CodecV2.
type older struct{ encoding.Codec }

func (o older) Marshal(v any) (mem.BufferSlice, error) {
	b, err := o.Codec.Marshal(v)
	if err != nil {
		return nil, err
	}
	return mem.BufferSlice{mem.SliceBuffer(b)}, nil
}

func (o older) Unmarshal(data mem.BufferSlice, v any) error {
	return o.Codec.Unmarshal(data.Materialize(), v)
}

// The codec replaces base for all servers and clients of the process. It is base
// but for requests that are expected, and in place of gRPC's own for how messages are encoded.
func init() { encoding.RegisterCodecV2(codec{base}) }

// installed reports whether gRPC finds this package's codec, and not one that was
// registered later.
func installed() bool {
	_, ok := encoding.GetCodecV2(grpcproto.Name).(codec)
	return ok
}

type codec struct{ encoding.CodecV2 }

func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	var w *waiting
	if replies.n.Load() != 0 {
		w = replies.remove(key(v))
	}
	if w == nil {
		return new(encoded).marshal(v)
	}
	out, err := w.rpc.call.marshal(v)
	w.rpc.encoded()
	return out, err
}

// plain reports whether base is gRPC's own codec, and not one that another package registered, and
// LESSGC_ARENA=heap is not set.
var plain = func() bool {
	if untyped.AllHeap {
		return false
	}
	t := reflect.TypeOf(base)
	return t.Kind() == reflect.Pointer && t.Elem().PkgPath() == "google.golang.org/grpc/encoding/proto"
}()

// An encoded holds what gRPC's own codec allocates beside the bytes of a message.
type encoded struct {
	buffers [1]mem.Buffer
	bytes   mem.SliceBuffer
}

// marshal does what gRPC's own codec does, with package arenapb where that knows the message.
func (e *encoded) marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(proto.Message)
	if !ok || !plain {
		return base.Marshal(v)
	}
	b, release := lent.Marshal(m)
	if release == nil {
		return base.Marshal(v)
	}
	defer release()
	if mem.IsBelowBufferPoolingThreshold(len(b)) {
		e.bytes = append(make([]byte, 0, len(b)), b...)
		e.buffers[0] = &e.bytes
		return e.buffers[:], nil
	}
	pool := mem.DefaultBufferPool()
	to := pool.Get(len(b))
	copy(*to, b)
	e.buffers[0] = mem.NewBuffer(to, pool)
	return e.buffers[:], nil
}

func (c codec) Unmarshal(data mem.BufferSlice, v any) error {
	if w := requests.find(v); w != nil {
		return w.decode(data, v.(proto.Message))
	}
	return c.CodecV2.Unmarshal(data, v)
}

// A waiting is what to do with a message when it comes to the codec.
type waiting struct {
	arena   *arena.Arena  // that it is decoded into
	stream  *serverStream // else, that opens one
	decoded bool
	bytes   int // of its encodings

	rpc *rpc // that ends when it is encoded

	next *waiting // for the same message: one that many RPCs return
}

// decode decodes data into m. A client that sends two messages where one is expected makes
// gRPC call it twice.
func (w *waiting) decode(data mem.BufferSlice, m proto.Message) error {
	if w.arena == nil && w.stream != nil {
		w.arena = w.stream.open()
	}
	if w.decoded {
		proto.Reset(m)
		w.arena.Reset()
	}
	w.decoded = true
	n := data.Len()
	w.bytes += n
	return decode(w.arena, data, n, m)
}

// decode decodes n bytes of data into m, and a.
func decode(a *arena.Arena, data mem.BufferSlice, n int, m proto.Message) error {
	switch {
	case a == nil:
		return base.Unmarshal(data, m)
	case len(data) == 1:
		return arenapb.Unmarshal(a, data[0].ReadOnlyData(), m)
	}
	if !untyped.Safe(pointerTo(a)) {
		b := bytesAt(untyped.Text(pointerTo(a), n+arenapb.Slack), n+arenapb.Slack)
		data.CopyTo(b[:n])
		return arenapb.UnmarshalOptions{AliasInput: true}.Unmarshal(a, b[:n], m)
	}
	pool := mem.DefaultBufferPool()
	b := pool.Get(n + arenapb.Slack)
	defer pool.Put(b)
	data.CopyTo((*b)[:n])
	return lent.Unmarshal(a, (*b)[:n], m)
}

// A messages is a set of messages that are on their way to the codec. It gets no context, and
// what stands for a message on that way every other codec, stats handler or logger would be
// given, too: so it is the message itself that is looked up.
type messages struct {
	n      atomic.Int64 // else the codec need not look
	shards [32]shard
}

type shard struct {
	mu sync.Mutex
	m  map[pointer]*waiting
	_  [48]byte // each in a cache line of its own
}

var requests, replies messages

// key returns the address of v, nil if it is not a pointer.
func key(v any) pointer {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer {
		return p.UnsafePointer()
	}
	return nil
}

func (s *messages) shard(p pointer) *shard {
	return &s.shards[(uintptr(p)>>5^uintptr(p)>>10)%uintptr(len(s.shards))]
}

// add adds the message at p.
func (s *messages) add(p pointer, w *waiting) {
	sh := s.shard(p)
	sh.mu.Lock()
	if sh.m == nil {
		sh.m = map[pointer]*waiting{}
	}
	w.next = sh.m[p]
	sh.m[p] = w
	sh.mu.Unlock()
	s.n.Add(1)
}

// find returns what is to be done with v, nil if it is none of these.
func (s *messages) find(v any) *waiting {
	if s.n.Load() == 0 {
		return nil
	}
	p := key(v)
	sh := s.shard(p)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.m[p]
}

// remove removes the message at p, and returns what was to be done with it, nil if that was
// removed before.
func (s *messages) remove(p pointer) *waiting {
	sh := s.shard(p)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	w := sh.m[p]
	switch {
	case w == nil:
		return nil
	case w.next != nil:
		sh.m[p] = w.next
		w.next = nil
	default:
		delete(sh.m, p)
	}
	s.n.Add(-1)
	return w
}
