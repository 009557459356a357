package arenapb

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"lessgc/arena"
	"lessgc/rpc/internal/testpb"
)

// TestFallback checks messages that are left to package proto.
func TestFallback(t *testing.T) {
	if why := Fallback(&testpb.Holder{}); (why == "") != (littleEndian && ptrSize == 8) {
		t.Errorf("a message is left to package proto: %q", why)
	}
	m := dynamicpb.NewMessage((&testpb.Users{}).ProtoReflect().Descriptor())
	if why := Fallback(m); !strings.Contains(why, "dynamicpb.Message: ") {
		t.Errorf("a dynamic message has a table: %q", why)
	}
	want := &testpb.Users{Users: []*testpb.User{{Name: "somebody"}, {Tags: []string{"a", "b"}}}}
	b, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	a := (&arena.Pool{}).Get()
	defer a.Free()
	if err := Unmarshal(a, b, m); err != nil || !proto.Equal(m, want) {
		t.Errorf("%v, %v", m, err)
	}
	if err := Unmarshal(nil, b, want); err != nil || len(want.Users) != 2 {
		t.Errorf("on the heap: %v, %v", want, err)
	}
}

// TestWide checks that a table is made for a message whose examples are longer than a block, with
// which strings are decoded in another way.
func TestWide(t *testing.T) {
	if why := Fallback(&testpb.Wide{}); (why == "") != (littleEndian && ptrSize == 8) {
		t.Errorf("a message with many fields is left to package proto: %q", why)
	}
}

// A nested resolver decodes another message into the same arena whenever it is
// asked.
type nested struct {
	*protoregistry.Types
	a     *arena.Arena
	t     *testing.T
	calls int
}

func (n *nested) FindExtensionByNumber(m protoreflect.FullName, f protoreflect.FieldNumber) (protoreflect.ExtensionType, error) {
	n.calls++
	want := &testpb.Users{Users: []*testpb.User{{Name: "somebody", Tags: []string{"a", "b"}}}}
	b, err := proto.Marshal(want)
	if err != nil {
		n.t.Error(err)
	}
	got := &testpb.Users{}
	if err := Unmarshal(n.a, b, got); err != nil || !proto.Equal(got, want) {
		n.t.Errorf("inside: %v, %v", got, err)
	}
	return n.Types.FindExtensionByNumber(m, f)
}

// TestNested checks that a decoder which has not finished is not used again.
func TestNested(t *testing.T) {
	part := &testpb.Extendable{A: proto.Int32(1)}
	proto.SetExtension(part, testpb.E_XString, "extended")
	want := &testpb.Holder{Parts: []*testpb.Extendable{part, {A: proto.Int32(2), Next: part}}, Name: proto.String("holder")}
	b, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	pool := arena.Pool{Policy: arena.RecycleAll}
	for range 3 {
		a := pool.Get()
		r := &nested{Types: protoregistry.GlobalTypes, a: a, t: t}
		for range 3 {
			got := &testpb.Holder{}
			if err := (UnmarshalOptions{Resolver: r}).Unmarshal(a, b, got); err != nil || !proto.Equal(got, want) {
				t.Errorf("%v, %v", got, err)
			}
		}
		if r.calls == 0 {
			t.Error("the resolver was never asked")
		}
		a.Free()
	}
}
