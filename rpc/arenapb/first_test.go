package arenapb

import (
	"reflect"
	"slices"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/apipb"

	"lessgc/arena"
)

// made reports whether a table of messages like m was made.
func made(m proto.Message) bool {
	tables.Lock()
	defer tables.Unlock()
	l := tables.m[reflect.TypeOf(m).Elem()]
	return l != nil && (l.table.Load() != nil || l.twin.table.Load() != nil)
}

// TestTablesAreMadeLate checks that types have no table before a message of theirs is decoded or encoded. It uses
// types that no other test does.
func TestTablesAreMadeLate(t *testing.T) {
	if !littleEndian || ptrSize != 8 {
		t.Skip("no tables here")
	}
	if made(&apipb.Api{}) {
		t.Skip("not the first time in this process")
	}
	decode := func(m proto.Message) {
		t.Helper()
		b, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		got := m.ProtoReflect().New().Interface()
		if err := UnmarshalSafe(b, got); err != nil || !proto.Equal(m, got) {
			t.Fatalf("%v, %v, want %v", got, err, m)
		}
	}
	decode(&apipb.Api{Name: "a"})
	if !made(&apipb.Api{}) {
		t.Error("no table after its message was decoded")
	}
	if made(&apipb.Method{}) || made(&apipb.Mixin{}) {
		t.Error("tables of messages that are in none")
	}
	decode(&apipb.Api{Name: "a", Methods: []*apipb.Method{{}}})
	if !made(&apipb.Method{}) || made(&apipb.Mixin{}) {
		t.Error("not just the table of the message that is in one")
	}
	if e := encode(&apipb.Api{Mixins: []*apipb.Mixin{{Name: "b"}}}); e == nil || !made(&apipb.Mixin{}) {
		t.Error("encoded without a table")
	} else {
		e.release()
	}
}

// TestFirstUse decodes and encodes messages of types that no other test uses, in several goroutines at
// once, so that these make tables while others use them, or wait for them.
func TestFirstUse(t *testing.T) {
	want := protodesc.ToFileDescriptorProto(descriptorpb.File_google_protobuf_descriptor_proto)
	b, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	messages := slices.Clone(want.MessageType)
	var start, wg sync.WaitGroup
	start.Add(1)
	for g := range 16 {
		wg.Go(func() {
			pool := &arena.Pool{Policy: policies[g%len(policies)]}
			start.Wait()
			if g%4 == 3 && littleEndian && ptrSize == 8 {
				m := messages[g%len(messages)]
				if e := encode(m); e == nil {
					t.Error("not encoded")
				} else {
					got := &descriptorpb.DescriptorProto{}
					if err := proto.Unmarshal(e.bytes(), got); err != nil || !proto.Equal(m, got) {
						t.Errorf("%v, want %v", err, m)
					}
					e.release()
				}
			}
			a := pool.Get()
			got := &descriptorpb.FileDescriptorProto{}
			if err := Unmarshal(a, b, got); err != nil || !proto.Equal(want, got) {
				t.Errorf("%v, %v", err, got)
			}
			a.Free()
		})
	}
	start.Done()
	wg.Wait()
}
