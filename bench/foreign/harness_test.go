package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"lessgc/arena"
	"lessgc/rpc/arenapb"
)

// A Result counts what was tried and found.
type Result struct {
	Types, Fallback             int // of which package proto decodes some
	Inputs, Differences, Panics int
}

func (r Result) String() string {
	return fmt.Sprintf("%d types, %d of them left to package proto in part, %d inputs, %d differences, %d panics", r.Types, r.Fallback, r.Inputs, r.Differences, r.Panics)
}

// Run tries all types that are registered, with so many random messages each, of which each has four
// damaged ones, with each policy. It writes what it finds.
func Run(rounds int, w io.Writer) (sum Result) {
	var types []protoreflect.MessageType
	protoregistry.GlobalTypes.RangeMessages(func(t protoreflect.MessageType) bool {
		types = append(types, t)
		return true
	})
	for _, t := range types {
		sum.Types++
		try(t, rounds, &sum, w)
	}
	return sum
}

func try(t protoreflect.MessageType, rounds int, sum *Result, w io.Writer) {
	name := t.Descriptor().FullName()
	defer func() {
		if p := recover(); p != nil {
			sum.Panics++
			fmt.Fprintf(w, "%s: panic: %v\n", name, p)
		}
	}()
	if arenapb.Fallback(t.New().Interface()) != "" {
		sum.Fallback++
	}
	r := rand.New(rand.NewPCG(uint64(len(name)), uint64(name[len(name)-1])))
	for round := range rounds {
		m := t.New()
		fill(r, m, 2+round%3)
		whole, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
		if err != nil || len(whole) > 100_000 {
			continue
		}
		for damages := range 5 {
			in := damage(r, whole, damages)
			partial := round%2 == 0
			want := t.New().Interface()
			wantErr := proto.UnmarshalOptions{AllowPartial: partial}.Unmarshal(in, want)
			for _, pool := range pools {
				sum.Inputs++
				a := pool.Get()
				got := t.New().Interface()
				gotErr := arenapb.UnmarshalOptions{AllowPartial: partial}.Unmarshal(a, in, got)
				if differ(want, got, wantErr, gotErr) {
					sum.Differences++
					fmt.Fprintf(w, "%s, policy %v: %v, want %v, of %q\n", name, pool.Policy, gotErr, wantErr, in)
				}
				if gotErr == nil {
					encode(a, got, name, sum, w)
				}
				a.Free()
			}
		}
	}
}

// encode encodes m with both, and compares. Maps may come in any order.
func encode(a *arena.Arena, m proto.Message, name protoreflect.FullName, sum *Result, w io.Writer) {
	want, wantErr := proto.Marshal(m)
	got, gotErr := arenapb.Marshal(a, m)
	if (wantErr == nil) == (gotErr == nil) && bytes.Equal(got, want) {
		return
	}
	again := m.ProtoReflect().New().Interface()
	if wantErr != nil || gotErr != nil || len(got) != len(want) || proto.Unmarshal(got, again) != nil || differ(m, again, nil, nil) {
		sum.Differences++
		fmt.Fprintf(w, "%s: encoded as %x, %v, want %x, %v\n", name, got, gotErr, want, wantErr)
	}
}

var pools = []*arena.Pool{{Policy: arena.Safe}, {Policy: arena.RecycleTyped}, {Policy: arena.RecycleAll}}

func differ(want, got proto.Message, wantErr, gotErr error) bool {
	if wantErr != nil || gotErr != nil {
		return (wantErr == nil) != (gotErr == nil) || errors.Is(wantErr, proto.Error) != errors.Is(gotErr, proto.Error)
	}
	return !proto.Equal(got, want) && proto.Equal(want, want) // there may be NaN
}

// damage returns a copy of b with so many bits changed, bytes inserted, or ends cut off.
func damage(r *rand.Rand, b []byte, n int) []byte {
	b = append([]byte(nil), b...)
	for range n {
		if len(b) == 0 {
			break
		}
		at := r.IntN(len(b))
		switch r.IntN(3) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b = b[:at]
		default:
			b = append(b[:at:at], append([]byte{byte(r.Uint32())}, b[at:]...)...)
		}
	}
	return b
}

// fill sets two thirds of the fields of m, and of messages as deep.
func fill(r *rand.Rand, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if r.IntN(3) == 0 || fd.Message() != nil && depth == 0 {
			continue
		}
		switch {
		case fd.IsMap():
			for range r.IntN(3) {
				key := scalar(r, fd.MapKey()).MapKey()
				if fd.MapValue().Message() != nil {
					fill(r, m.Mutable(fd).Map().Mutable(key).Message(), depth-1)
				} else {
					m.Mutable(fd).Map().Set(key, scalar(r, fd.MapValue()))
				}
			}
		case fd.IsList():
			list := m.Mutable(fd).List()
			for range r.IntN(4) {
				if fd.Message() != nil {
					fill(r, list.AppendMutable().Message(), depth-1)
				} else {
					list.Append(scalar(r, fd))
				}
			}
		case fd.Message() != nil:
			fill(r, m.Mutable(fd).Message(), depth-1)
		default:
			m.Set(fd, scalar(r, fd))
		}
	}
}

func scalar(r *rand.Rand, fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(r.IntN(2) == 0)
	case protoreflect.EnumKind:
		values := fd.Enum().Values()
		return protoreflect.ValueOfEnum(values.Get(r.IntN(values.Len())).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(r.Uint32() >> r.IntN(32)))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(r.Uint32() >> r.IntN(32))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(r.Uint64() >> r.IntN(64)))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(r.Uint64() >> r.IntN(64))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(r.NormFloat64()))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(r.NormFloat64())
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(text(r))
	}
	return protoreflect.ValueOfBytes([]byte("some bytes")[:r.IntN(10)])
}

// text returns letters, as many as words and now and then sentences have.
func text(r *rand.Rand) string {
	letters := []rune("abcdefghijklmnopqrstuvwxyz -_/.0123456789")
	if r.IntN(8) == 0 {
		letters = []rune("abcö日")
	}
	b := make([]rune, r.IntN(1+r.IntN(4<<r.IntN(6))))
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return string(b)
}
