package arenapb

//lint:file-ignore U1000 package protoimpl finds fields by their names

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
	"google.golang.org/protobuf/types/descriptorpb"

	"lessgc/arena"
	"lessgc/rpc/internal/opaquepb"
)

// An oldMessage is as generators before protoc-gen-go 1.20, and gogo's, make it: it has
// no ProtoReflect.
type oldMessage struct {
	Name             string `protobuf:"bytes,1,opt,name=name,proto3"`
	XXX_unrecognized []byte
}

func (m *oldMessage) Reset()         { *m = oldMessage{} }
func (m *oldMessage) String() string { return m.Name }
func (m *oldMessage) ProtoMessage()  {}

// The messages below are as protoc-gen-go makes them, but hold one of those, which is what
// happens where a package was generated anew and one that it imports was not.
type (
	oldSingle struct {
		state         protoimpl.MessageState
		sizeCache     protoimpl.SizeCache
		unknownFields protoimpl.UnknownFields
		Value         *oldMessage `protobuf:"bytes,1,opt,name=value,proto3"`
	}
	oldList struct {
		state         protoimpl.MessageState
		sizeCache     protoimpl.SizeCache
		unknownFields protoimpl.UnknownFields
		Value         []*oldMessage `protobuf:"bytes,1,rep,name=value,proto3"`
	}
	oldMap struct {
		state         protoimpl.MessageState
		sizeCache     protoimpl.SizeCache
		unknownFields protoimpl.UnknownFields
		Value         map[string]*oldMessage `protobuf:"bytes,1,rep,name=value,proto3" protobuf_key:"bytes,1,opt,name=key,proto3" protobuf_val:"bytes,2,opt,name=value,proto3"`
	}
	// Its methods panic, as those of a message do whose file was not registered.
	panicking struct {
		state         protoimpl.MessageState
		sizeCache     protoimpl.SizeCache
		unknownFields protoimpl.UnknownFields
	}
)

var oldInfos = func() map[string]*protoimpl.MessageInfo {
	field := func(label descriptorpb.FieldDescriptorProto_Label, typ string) *descriptorpb.FieldDescriptorProto {
		return &descriptorpb.FieldDescriptorProto{Name: proto.String("value"), Number: proto.Int32(1), Label: label.Enum(), Type: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(), TypeName: proto.String(typ)}
	}
	text := func(name string, number int32) *descriptorpb.FieldDescriptorProto {
		return &descriptorpb.FieldDescriptorProto{Name: proto.String(name), Number: proto.Int32(number), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(), Type: descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum()}
	}
	one, many := descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL, descriptorpb.FieldDescriptorProto_LABEL_REPEATED
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("old.proto"), Package: proto.String("old"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{
			{Name: proto.String("Message"), Field: []*descriptorpb.FieldDescriptorProto{text("name", 1)}},
			{Name: proto.String("Single"), Field: []*descriptorpb.FieldDescriptorProto{field(one, ".old.Message")}},
			{Name: proto.String("List"), Field: []*descriptorpb.FieldDescriptorProto{field(many, ".old.Message")}},
			{
				Name: proto.String("Map"), Field: []*descriptorpb.FieldDescriptorProto{field(many, ".old.Map.ValueEntry")},
				NestedType: []*descriptorpb.DescriptorProto{{
					Name: proto.String("ValueEntry"), Options: &descriptorpb.MessageOptions{MapEntry: proto.Bool(true)},
					Field: []*descriptorpb.FieldDescriptorProto{text("key", 1), func() *descriptorpb.FieldDescriptorProto {
						f := field(one, ".old.Message")
						f.Number = proto.Int32(2)
						return f
					}()},
				}},
			},
		},
	}, nil)
	if err != nil {
		panic(err)
	}
	infos := map[string]*protoimpl.MessageInfo{}
	for name, typ := range map[string]reflect.Type{"Single": reflect.TypeFor[*oldSingle](), "List": reflect.TypeFor[*oldList](), "Map": reflect.TypeFor[*oldMap]()} {
		infos[name] = &protoimpl.MessageInfo{GoReflectType: typ, Desc: file.Messages().ByName(protoreflect.Name(name))}
	}
	return infos
}()

func reflection[T any](name string, m *T) protoreflect.Message {
	if m == nil {
		return oldInfos[name].MessageOf(m)
	}
	state := protoimpl.X.MessageStateOf(protoimpl.Pointer(m))
	if state.LoadMessageInfo() == nil {
		state.StoreMessageInfo(oldInfos[name])
	}
	return state
}

func (m *oldSingle) ProtoReflect() protoreflect.Message { return reflection("Single", m) }
func (m *oldList) ProtoReflect() protoreflect.Message   { return reflection("List", m) }
func (m *oldMap) ProtoReflect() protoreflect.Message    { return reflection("Map", m) }

func (m *panicking) ProtoReflect() protoreflect.Message { panic("not registered") }

// TestOldAPI checks that messages of the old API, by themselves and in others, are left to
// package proto, whoever asks for them first.
func TestOldAPI(t *testing.T) {
	old := &oldMessage{Name: "somebody"}
	adapted := protoadapt.MessageV2Of(old)
	for _, want := range []proto.Message{adapted, &oldSingle{Value: old}, &oldList{Value: []*oldMessage{old, {}}}, &oldMap{Value: map[string]*oldMessage{"a": old}}} {
		why := Fallback(want)
		if why == "" || strings.Contains(why, "panic") {
			t.Errorf("%T: Fallback says %q", want, why)
		}
		b, err := proto.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		for _, policy := range []arena.Policy{arena.Safe, arena.RecycleTyped, arena.RecycleAll} {
			a := (&arena.Pool{Policy: policy}).Get()
			got := want.ProtoReflect().New().Interface()
			if err := Unmarshal(a, b, got); err != nil || !proto.Equal(got, want) {
				t.Errorf("%T: %v, %v", want, got, err)
			}
			if b2, err := Marshal(a, got); err != nil || string(b2) != string(b) {
				t.Errorf("%T: %q, %v", want, b2, err)
			}
			a.Free()
		}
	}
	if got := (&oldMessage{}); UnmarshalSafe([]byte{0x0a, 1, 'x'}, protoadapt.MessageV2Of(got)) != nil || got.Name != "x" {
		t.Errorf("decoded through an adapter: %v", got)
	}
	if !littleEndian || ptrSize != 8 {
		return
	}
	if why := Fallback(&panicking{}); !strings.Contains(why, "its methods panic: not registered") {
		t.Errorf("Fallback of a message whose methods panic: %q", why)
	}
}

// TestLazy checks that fields which are to be decoded when they are asked for are, and that what
// becomes of them after an error is what package proto makes of it, a panic included.
func TestLazy(t *testing.T) {
	want := opaquepb.Lazy_builder{
		Child:    opaquepb.Lazy_builder{Child: opaquepb.Lazy_builder{N: proto.Int32(7)}.Build()}.Build(),
		Children: []*opaquepb.Lazy{opaquepb.Lazy_builder{Name: proto.String("x")}.Build(), {}},
	}.Build()
	b, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if why := Fallback(want); !strings.Contains(why, "decoded when they are asked for") && littleEndian && ptrSize == 8 {
		t.Errorf("Fallback says %q", why)
	}
	read := func(m *opaquepb.Lazy) (what string) {
		defer func() {
			if p := recover(); p != nil {
				what = fmt.Sprint("panic: ", p)
			}
		}()
		return fmt.Sprint(m.HasChild(), m.GetChild() == nil, len(m.GetChildren()), m.GetChild().GetChild().GetN(), proto.CheckInitialized(m), proto.Size(m))
	}
	a := arena.NewArena()
	defer a.Free()
	for n := range len(b) + 1 {
		for _, in := range [][]byte{b[:n], append(append([]byte{}, b[:n]...), 0xff)} {
			std, got := new(opaquepb.Lazy), new(opaquepb.Lazy)
			stdErr, err := proto.Unmarshal(in, std), Unmarshal(a, in, got)
			if got, want := fmt.Sprint(err, read(got)), fmt.Sprint(stdErr, read(std)); strings.ReplaceAll(got, "\u00a0", " ") != strings.ReplaceAll(want, "\u00a0", " ") {
				t.Errorf("%q: %s, want %s", in, got, want)
			}
		}
	}
}
