package arenapb

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"lessgc/arena"
	"lessgc/internal/untyped"
	"lessgc/rpc/internal/lent"
)

// A Resolver finds extensions, as [proto.UnmarshalOptions] has it.
type Resolver interface {
	FindExtensionByName(field protoreflect.FullName) (protoreflect.ExtensionType, error)
	FindExtensionByNumber(message protoreflect.FullName, field protoreflect.FieldNumber) (protoreflect.ExtensionType, error)
}

// Slack is the number of bytes past the end of its input that the decoder may read. It does not use their
// values; they let it decode a scalar before it knows where the scalar ends.
const Slack = 16

// UnmarshalOptions configures the decoding of a message. All fields but the
// last have their names and meaning from [proto.UnmarshalOptions].
type UnmarshalOptions struct {
	// Merge adds the input to what is in the message. Without it the message
	// is reset first.
	Merge bool

	// AllowPartial accepts messages that lack required fields.
	AllowPartial bool

	// DiscardUnknown leaves out unknown fields.
	DiscardUnknown bool

	// Resolver finds extensions; nil stands for protoregistry.GlobalTypes. The values of
	// those that another one finds are on the heap.
	Resolver Resolver

	// RecursionLimit bounds how deep messages, groups and map entries may be
	// nested; 0 stands for 10,000.
	RecursionLimit int

	// AliasInput promises that nobody changes or recycles the input as long
	// as the message is in use, nor writes to bytes fields of the message:
	// then its strings and bytes are parts of the input, which otherwise is
	// copied to the arena once, as a whole. The input needs a capacity of
	// [Slack] bytes more than its length, which nobody may write to meanwhile;
	// else it is copied all the same.
	AliasInput bool

	lent    bool // see package lent
	proving bool // see decoder
}

func init() {
	lent.Unmarshal = func(a *arena.Arena, b []byte, m proto.Message) error {
		return UnmarshalOptions{lent: true}.Unmarshal(a, b, m)
	}
	lent.Fallback = func(m proto.Message) string { return fallback(m, false) }
	lent.Marshal = func(m proto.Message) (b []byte, release func()) {
		e := encode(m)
		if e == nil {
			return nil, nil
		}
		return e.bytes(), e.done
	}
}

// Unmarshal decodes b into m, which it resets first: nested messages, lists,
// strings and all else but the memory of Go maps is in a, and lives as long. The result is
// what [proto.Unmarshal] makes of b, except for that: the error is one if and only
// if it has one. With a nil arena it is proto.Unmarshal.
//
// m itself may be anywhere; in a it saves one more allocation, see [arena.New].
// If m is on the heap it must not be used either once a was freed, with a policy
// that recycles.
func Unmarshal(a *arena.Arena, b []byte, m proto.Message) error {
	return UnmarshalOptions{}.Unmarshal(a, b, m)
}

// UnmarshalSafe is [proto.Unmarshal] with fewer and larger allocations. The
// memory belongs to the garbage collector, and nothing has to be freed. A part
// of the message that is kept keeps its neighbours in
// memory, of strings 512 bytes up to 4 KiB; see [arena.Clone].
func UnmarshalSafe(b []byte, m proto.Message) error {
	t := tableOf(m)
	if t != nil && !t.fallback && !untyped.Watched && as[iface](pointerTo(&m)).data != nil {
		return t.decode(new(UnmarshalOptions), nil, b, m)
	}
	a := arena.NewArena()
	err := Unmarshal(a, b, m)
	a.Free()
	return err
}

// Unmarshal is [Unmarshal] with options.
func (o UnmarshalOptions) Unmarshal(a *arena.Arena, b []byte, m proto.Message) error {
	t := tableOf(m)
	if a == nil || t == nil || t.fallback || as[iface](pointerTo(&m)).data == nil { // package proto panics for nil
		return o.std().Unmarshal(b, m)
	}
	if untyped.Safe(pointerTo(a)) || t.flat && untyped.Unopened(pointerTo(a)) {
		a = nil
	}
	return t.decode(&o, a, b, m)
}

// std returns the same options of package proto.
func (o UnmarshalOptions) std() proto.UnmarshalOptions {
	if o.Resolver == nil {
		o.Resolver = protoregistry.GlobalTypes
	}
	return proto.UnmarshalOptions{
		Merge:          o.Merge,
		AllowPartial:   o.AllowPartial,
		DiscardUnknown: o.DiscardUnknown,
		Resolver:       o.Resolver,
		RecursionLimit: o.RecursionLimit,
	}
}

// Marshal returns the encoding of m in memory of a. It is that of [proto.Marshal], but for the order of
// maps, which changes from call to call with that as well; so are errors. With a nil arena it is proto.Marshal.
func Marshal(a *arena.Arena, m proto.Message) ([]byte, error) {
	if a == nil {
		return proto.Marshal(m)
	}
	if e := encode(m); e != nil {
		defer e.release()
		return append(arena.MakeSlice[byte](a, 0, len(e.bytes())), e.bytes()...), nil
	}
	b := arena.MakeSlice[byte](a, 0, proto.Size(m))
	return proto.MarshalOptions{UseCachedSize: true}.MarshalAppend(b, m)
}

// Fallback returns why package proto decodes messages of the type of m, or of a type
// that m may hold, for this package; "" if it does not. Extensions do not count. The first call looks at
// each of these types, which takes milliseconds if they are hundreds.
func Fallback(m proto.Message) string { return fallback(m, true) }

// fallback is Fallback, of the types that were met so far or of all.
func fallback(m proto.Message, all bool) string {
	t := tableOf(m)
	if t == nil {
		return "it is not a pointer to a struct"
	}
	return t.reason(map[*table]bool{}, all)
}
