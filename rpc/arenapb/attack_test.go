package arenapb

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/internal/checked"
	"lessgc/rpc/internal/testpb"
)

// TestAttack checks that inputs which are made to cost as much as possible cost no
// more memory than package proto needs, and that a pool does not keep it.
func TestAttack(t *testing.T) {
	if checked.Enabled || !littleEndian || ptrSize != 8 {
		t.Skip("memory is counted")
	}
	nested := func(key, depth int) []byte {
		var b []byte
		for range depth {
			b = append(protowire.AppendVarint(protowire.AppendVarint(nil, uint64(key<<3|2)), uint64(len(b))), b...)
		}
		return b
	}
	repeat := func(n int, b ...byte) []byte { return bytes.Repeat(b, n) }
	for _, c := range []struct {
		name string
		in   []byte
		m    proto.Message
	}{
		{"empty messages", repeat(100_000, 0x0a, 0), &testpb.Users{}},
		{"empty messages, then an error", append(repeat(100_000, 0x0a, 0), 0xff), &testpb.Users{}},
		{"empty messages between others", repeat(50_000, 0x0a, 0, 0x2a, 0), &testpb.Profile{}},
		{"empty strings", repeat(100_000, 0x22, 0), &testpb.User{}},
		{"empty strings between others", repeat(50_000, 0x22, 0, 0x28, 1), &testpb.User{}},
		{"a large length", []byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0x07, 1}, &testpb.Users{}},
		{"packed, cut off", append([]byte{0x0a, 0xa0, 0x8d, 0x06}, repeat(100_000, 0xff)...), &testpb.Stack{}},
		{"packed", append([]byte{0x0a, 0xa0, 0x8d, 0x06}, repeat(100_000, 1)...), &testpb.Stack{}},
		{"unpacked", repeat(100_000, 0x08, 1), &testpb.Stack{}},
		{"overlong varints", repeat(20_000, 0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0), &testpb.Small{}},
		{"deep", nested(4, 3000), &testpb.Extendable{}},
		{"deep, not an extension", nested(6, 3000), &testpb.Any{}},
		{"deep extensions", nested(107, 3000), &testpb.Extendable{}},
		{"empty extensions", repeat(50_000, 0xda, 6, 0), &testpb.Extendable{}},
		{"empty extensions of a list", repeat(100_000, 0xba, 6, 0), &testpb.Extendable{}},
		{"empty extensions of a list, then an error", append(repeat(100_000, 0xba, 6, 0), 0xff), &testpb.Extendable{}},
		{"empty extensions of a list between others", repeat(50_000, 0xba, 6, 0, 0xaa, 6, 0), &testpb.Extendable{}},
		{"unknown fields", repeat(100_000, 0xf8, 0x07, 1), &testpb.Small{}},
		{"overlong unknown fields", repeat(30_000, 0xf8, 0x87, 0, 1), &testpb.Small{}},
		{"oneofs", repeat(50_000, 0x0a, 1, 'a', 0x10, 1), &testpb.Any{}},
		{"map entries", repeat(20_000, 0xea, 0x0c, 0), &testpb.All3{}},
	} {
		if lazyExtensions && strings.Contains(c.name, "extensions of a list") { // package proto copies them
			continue
		}
		std := func() { proto.Unmarshal(c.in, proto.Clone(c.m)) }
		safe := func() { UnmarshalSafe(c.in, proto.Clone(c.m)) }
		pool := &arena.Pool{Policy: arena.RecycleAll}
		recycle := func() {
			a := pool.Get()
			Unmarshal(a, c.in, proto.Clone(c.m))
			a.Free()
		}
		wantErr, gotErr := proto.Unmarshal(c.in, proto.Clone(c.m)), UnmarshalSafe(c.in, proto.Clone(c.m))
		if (wantErr == nil) != (gotErr == nil) {
			t.Errorf("%s: %v, want %v", c.name, gotErr, wantErr)
		}
		want := allocated(std)
		if got := allocated(safe); got > want+want/2+2*uint64(len(c.in))+100<<10 {
			t.Errorf("%s: safe allocates %d bytes, package proto %d for %d", c.name, got, want, len(c.in))
		}
		if got := allocated(recycle); got > 2*want+2*uint64(len(c.in))+200<<10 {
			t.Errorf("%s: recycle allocates %d bytes, package proto %d for %d", c.name, got, want, len(c.in))
		}
		for range 40 { // of small messages: the memory goes
			a := pool.Get()
			Unmarshal(a, []byte{0x08, 1}, &testpb.Small{})
			a.Free()
		}
		kept := pool.Stats().Kept
		for range 100 { // what sync.Pool let go of counts until it is collected
			if kept <= 1<<20 {
				break
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
			kept = pool.Stats().Kept
		}
		if kept > 1<<20 {
			t.Errorf("%s: the pool still keeps %d bytes", c.name, kept)
		}
	}
}

// allocated returns how many bytes f allocates, the least of a few runs.
func allocated(f func()) uint64 {
	least := ^uint64(0)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// TestEqualKeys decodes a map whose entries all have the same key: the room that is made for those which
// are announced is no more than what as many bytes of different keys take with package proto.
func TestEqualKeys(t *testing.T) {
	if checked.Enabled || !littleEndian || ptrSize != 8 {
		t.Skip("memory is counted")
	}
	const size = 1 << 20
	number := (&testpb.All3{}).ProtoReflect().Descriptor().Fields().ByName("m_string").Number()
	entry := protowire.AppendTag(nil, number, protowire.BytesType)
	same := bytes.Repeat(append(entry[:len(entry):len(entry)], 0), size/(len(entry)+1)) // as short as they can be
	var different []byte
	for i := 0; len(different) < size; i++ {
		key := []byte{byte(i) & 0x7f, byte(i>>7) & 0x7f, byte(i>>14) & 0x7f}
		different = protowire.AppendBytes(append(different, entry...), protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), key))
	}
	allocated := func(decode func([]byte, proto.Message) error, in []byte) uint64 {
		var before, after runtime.MemStats
		m := &testpb.All3{}
		runtime.ReadMemStats(&before)
		if err := decode(in, m); err != nil || len(m.MString) == 0 {
			t.Fatalf("%v, %d entries", err, len(m.MString))
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if err := UnmarshalSafe(same[:len(entry)+1], &testpb.All3{}); err != nil { // makes the table
		t.Fatal(err)
	}
	most := allocated(proto.Unmarshal, different)
	got := allocated(UnmarshalSafe, same)
	if got > most {
		t.Errorf("%d bytes for equal keys, more than %d for different ones", got, most)
	}
	t.Logf("%d bytes for equal keys, %d for different ones", got, most)
}
