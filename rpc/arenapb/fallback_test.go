package arenapb

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
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
