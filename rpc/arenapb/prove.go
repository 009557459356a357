package arenapb

import (
	"bytes"
	"reflect"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"lessgc/arena"
)

// prove decodes an example of the message in both ways. If the results differ the
// table is wrong, for a reason that nobody knows yet, and its messages are left to
// package proto.
func (t *table) prove() {
	defer t.leave()
	a := new(arena.Arena) // also if arenas are switched off now
	defer a.Free()
	m := reflect.New(t.elem).Interface().(proto.Message).ProtoReflect()
	fields := m.Descriptor().Fields()
	for round := range 3 {
		example := m.New()
		for i := range fields.Len() {
			fd := fields.Get(i)
			if o := fd.ContainingOneof(); o == nil || o.Fields().Get(round%o.Fields().Len()) == fd {
				setExample(example, fd, round)
			}
		}
		b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(example.Interface())
		if err != nil {
			t.fallback, t.why = true, "the example has no encoding: "+err.Error()
			return
		}
		b = protowire.AppendTag(b, 536870911, protowire.VarintType) // unknown, or not, but for all alike
		b = protowire.AppendVarint(b, uint64(round))
		b = append(b, make([]byte, Slack)...)[:len(b)] // to be aliased: no twin can be made of a table that is not published
		want, got := m.New().Interface(), m.New().Interface()
		wantErr := proto.UnmarshalOptions{AllowPartial: true}.Unmarshal(b, want)
		gotErr := t.decode(&UnmarshalOptions{AllowPartial: true, AliasInput: true, proving: true}, a, b, got)
		if (wantErr == nil) != (gotErr == nil) || !proto.Equal(want, got) {
			t.fallback, t.why = true, "an example comes out differently"
			return
		}
		encoded, err := proto.MarshalOptions{AllowPartial: true}.Marshal(want)
		if e := t.encode(as[iface](pointerTo(&want)).data, true); e == nil || err != nil || !bytes.Equal(e.bytes(), encoded) {
			t.noEncode = true
		} else {
			e.release()
		}
	}
}

// setExample sets a field to something that is not zero. The zero round leaves
// messages empty.
func setExample(m protoreflect.Message, fd protoreflect.FieldDescriptor, round int) {
	switch {
	case fd.IsMap():
		key := exampleScalar(fd.MapKey(), round)
		value := m.Mutable(fd).Map().NewValue()
		if fd.MapValue().Message() == nil {
			value = exampleScalar(fd.MapValue(), round)
		}
		m.Mutable(fd).Map().Set(key.MapKey(), value)
	case fd.IsList():
		l := m.Mutable(fd).List()
		for i := range 2 {
			if fd.Message() != nil {
				l.AppendMutable()
			} else {
				l.Append(exampleScalar(fd, round+i))
			}
		}
	case fd.Message() != nil:
		m.Mutable(fd)
	default:
		m.Set(fd, exampleScalar(fd, round))
	}
}

func exampleScalar(fd protoreflect.FieldDescriptor, round int) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		values := fd.Enum().Values()
		return protoreflect.ValueOfEnum(values.Get(round % values.Len()).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(-round - 1))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(round + 1))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(-round - 1))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(uint64(round + 1))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(float32(round) + 0.5)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(float64(round) + 0.25)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString("example"[round:])
	default:
		return protoreflect.ValueOfBytes([]byte("example"[round:]))
	}
}
