package arenapb

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/arena/audit"
	"lessgc/arena/deep"
	"lessgc/internal/checked"
	"lessgc/internal/longtest"
	"lessgc/rpc/internal/testpb"
)

// TestLifetimes checks what each policy promises of a message that is kept: all of
// it with Safe, after deep.Detach and after KeepAll; its strings with
// RecycleTyped.
func TestLifetimes(t *testing.T) {
	rounds := 2
	if longtest.Wanted() {
		rounds = 6
	}
	for _, m := range kindsOfMessages {
		typ := m.ProtoReflect().Type()
		name := typ.Descriptor().FullName()
		r := rand.New(rand.NewPCG(7, 8))
		encode := func() []byte {
			random := typ.New()
			randomMessage(r, random, 3)
			b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(random.Interface())
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		o := UnmarshalOptions{AllowPartial: true}
		check := func(way string, policy arena.Policy, keep func(*arena.Arena, proto.Message) proto.Message) {
			t.Helper()
			pool := &arena.Pool{Policy: policy}
			for i := range rounds {
				a := pool.Get()
				b := encode()
				m, want := typ.New().Interface(), typ.New().Interface()
				if err := o.Unmarshal(a, b, m); err != nil {
					t.Fatal(err)
				}
				if err := o.std().Unmarshal(b, want); err != nil {
					t.Fatal(err)
				}
				clear(b) // a copy was made
				kept := keep(a, m)
				a.Free()
				for range 3 {
					other := pool.Get()
					if err := o.Unmarshal(other, encode(), typ.New().Interface()); err != nil {
						t.Fatal(err)
					}
					other.Free()
				}
				if !proto.Equal(kept, want) && proto.Equal(want, want) {
					t.Fatalf("%s, %s, policy %v, round %d: got\n%v, want\n%v", name, way, policy, i, kept, want)
				}
			}
		}
		check("as it is", arena.Safe, func(a *arena.Arena, m proto.Message) proto.Message { return m })
		for _, policy := range policies {
			check("Keep", policy, func(a *arena.Arena, m proto.Message) proto.Message { a.Keep(); return m })
			check("Detach", policy, func(a *arena.Arena, m proto.Message) proto.Message { return deep.Detach(a, m) })
		}
	}
	pool := &arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()
	m := &testpb.Small{}
	b, _ := proto.Marshal(&testpb.Small{Name: "kept", Token: strings.Repeat("x", 100)})
	if err := Unmarshal(a, b, m); err != nil {
		t.Fatal(err)
	}
	a.Free()
	a = pool.Get()
	b, _ = proto.Marshal(&testpb.Small{Name: "lost", Token: strings.Repeat("y", 100)})
	if err := Unmarshal(a, b, &testpb.Small{}); err != nil {
		t.Fatal(err)
	}
	if m.Name != "kept" || m.Token != strings.Repeat("x", 100) {
		t.Errorf("a string changed: %v", m)
	}
	a.Free()
	if err := audit.Verify(); err != nil && !checked.Strict {
		t.Error(err)
	}
}

// TestStale checks that the checked build stops a program that uses a message
// after Free, where it does.
func TestStale(t *testing.T) {
	if !littleEndian || ptrSize != 8 {
		t.Skip("messages are on the heap")
	}
	out, err := exec.Command("go", "run", "-tags=lessgc_checked", "./testdata/stale").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "unexpected fault address") || !strings.Contains(string(out), "stale/main.go:32") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestAudit checks that an audit names the type of what was kept and who decoded it,
// however deep it is.
func TestAudit(t *testing.T) {
	if !littleEndian || ptrSize != 8 || (&arena.Pool{}).Get() == nil {
		t.Skip("messages are on the heap")
	}
	for deep, site := range map[int]string{2: "lifetime_test.go:", 100: "rpc/arenapb."} {
		want := &testpb.All3{}
		for range deep {
			want = &testpb.All3{FMessage: want}
		}
		want.FString = strings.Repeat("large enough for an arena ", 4)
		b, err := proto.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		pool := &arena.Pool{AuditEvery: 1}
		m := &testpb.All3{}
		a := pool.Get()
		if err := Unmarshal(a, b, m); err != nil {
			t.Fatal(err)
		}
		kept := m
		for kept.FMessage != nil {
			kept = kept.FMessage
		}
		a.Free()
		audit.Verify()
		found := audit.Of(pool).Escapes
		if len(found) != 1 || found[0].Type != "testpb.All3" || found[0].Count != 1 || !strings.Contains(found[0].Site, site) {
			t.Errorf("%d deep: %+v", deep, found)
		}
		runtime.KeepAlive(kept)
	}
}

// TestKeptText checks how much memory a short string keeps that is kept of a large message, with
// policy Safe, and that such messages are whole.
func TestKeptText(t *testing.T) {
	if !littleEndian || ptrSize != 8 || checked.Enabled || (&arena.Pool{}).Get() == nil {
		t.Skip("messages are on the heap, or kept for a while")
	}
	want := &testpb.Users{}
	for i := range 500 {
		want.Users = append(want.Users, &testpb.User{Id: int64(i), Name: fmt.Sprintf("name %04d", i), Email: strings.Repeat("é", i%50), Tags: []string{"", "tag", strings.Repeat("t", i%300)}})
	}
	want.Users[250].Email = strings.Repeat("large", 2000)
	b, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	const messages = 300
	var kept []string
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range messages {
		m := new(testpb.Users)
		if err := UnmarshalSafe(b, m); err != nil || i%50 == 0 && !proto.Equal(m, want) {
			t.Fatalf("it is another message, or %v", err)
		}
		kept = append(kept, m.Users[i].Name)
	}
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&after)
	if each := int(after.HeapAlloc-before.HeapAlloc) / messages; each > 3*mostTextChunk/2 {
		t.Errorf("a string of 9 bytes keeps %d bytes of the %d", each, len(b))
	}
	for i, s := range kept {
		if s != want.Users[i].Name {
			t.Errorf("string %d is now %q", i, s)
		}
	}
}

// TestNeighbours checks that with policy Safe what is kept of a small message keeps no other message: only
// what has no pointers has neighbours of others, in 512 bytes.
func TestNeighbours(t *testing.T) {
	if !littleEndian || ptrSize != 8 || checked.Enabled || (&arena.Pool{}).Get() == nil {
		t.Skip("messages are on the heap, or kept for a while")
	}
	b, err := proto.Marshal(&testpb.Users{Users: []*testpb.User{{Id: 1, Name: "somebody", Tags: []string{"a", "b"}}, {Id: 2, Name: "somebody else"}}})
	if err != nil {
		t.Fatal(err)
	}
	const messages = 200
	var gone atomic.Int32
	var kept []any
	for i := range messages {
		m := new(testpb.Users)
		if err := UnmarshalSafe(b, m); err != nil {
			t.Fatal(err)
		}
		switch i % 4 {
		case 0:
			kept = append(kept, m.Users[0].Name, m.Users[0].Tags)
		case 1:
			kept = append(kept, m.Users)
			continue
		}
		runtime.AddCleanup(m.Users[1], func(struct{}) { gone.Add(1) }, struct{}{})
	}
	for range 100 {
		if runtime.GC(); gone.Load() == messages*3/4 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if n := gone.Load(); n != messages*3/4 {
		t.Errorf("of %d messages of which strings or nothing is kept, %d are gone", messages*3/4, n)
	}
	runtime.KeepAlive(kept)
}

// TestKeptBesideLarge checks that a string of a small message keeps no part of a large one that was decoded
// before it.
func TestKeptBesideLarge(t *testing.T) {
	if !littleEndian || ptrSize != 8 || checked.Enabled || (&arena.Pool{}).Get() == nil {
		t.Skip("messages are on the heap, or kept for a while")
	}
	large, err := proto.Marshal(&testpb.User{Tags: slices.Repeat([]string{"a tag of the large one"}, 2000)})
	if err != nil {
		t.Fatal(err)
	}
	small, err := proto.Marshal(&testpb.User{Name: "a name"})
	if err != nil {
		t.Fatal(err)
	}
	const messages = 300
	kept := make([]string, 0, messages)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range messages {
		for _, b := range [][]byte{large, small} {
			m := new(testpb.User)
			if err := UnmarshalSafe(b, m); err != nil {
				t.Fatal(err)
			}
			if m.Name != "" {
				kept = append(kept, m.Name)
			}
		}
	}
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&after)
	if each := int(after.HeapAlloc-before.HeapAlloc) / messages; each > 2*textChunk {
		t.Errorf("a string of 6 bytes keeps %d bytes", each)
	}
	runtime.KeepAlive(kept)
}

// TestLargeText decodes strings and bytes that are most of their message, which are copied to their
// place at once, in all orders with others.
func TestLargeText(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) }
	field := func(num protowire.Number, s string) []byte {
		return protowire.AppendString(protowire.AppendTag(nil, num, protowire.BytesType), s)
	}
	number := protowire.AppendVarint(protowire.AppendTag(nil, 3, protowire.VarintType), 7) // f_int32
	const str, raw, oneof, none = 14, 15, 93, 900                                          // f_string, f_bytes, c_string, unknown
	inputs := map[string][]byte{
		"alone":                   field(str, text(10_000)),
		"bytes":                   field(raw, text(10_000)),
		"both":                    slices.Concat(field(str, text(10_000)), field(raw, text(9_000))),
		"the shorter one first":   slices.Concat(field(raw, text(9_000)), field(str, text(10_000))),
		"a small one last":        slices.Concat(field(str, text(10_000)), field(str, "last")),
		"a small one first":       slices.Concat(field(str, "first"), field(str, text(10_000)), number),
		"twice":                   slices.Concat(field(str, text(10_000)), field(str, text(30_000)), number),
		"unknown ones around":     slices.Concat(field(none, "a"), field(str, text(10_000)), field(none, "b"), field(none, text(20_000))),
		"in a oneof":              slices.Concat(number, field(oneof, text(10_000)), number),
		"not UTF-8":               field(str, text(10_000)+"ÿ"),
		"bytes, not UTF-8":        field(raw, text(10_000)+"ÿ"),
		"other letters":           field(str, strings.Repeat("ö", 5_000)),
		"cut off":                 field(str, text(10_000))[:9_000],
		"what follows is cut off": append(field(str, text(10_000)), 0x18),
		"what comes first is bad": append([]byte{0x07}, field(str, text(10_000))...),
		"end of a group":          append(field(str, text(10_000)), 0x0c),
		"number 0":                append([]byte{0x02, 0x00}, field(str, text(10_000))...),
		"a longer key":            append([]byte{0xf2, 0x80, 0x00}, field(str, text(10_000))[1:]...),
	}
	typ := (&testpb.All3{}).ProtoReflect().Type()
	for name, b := range inputs {
		for _, policy := range policies {
			for _, o := range []UnmarshalOptions{{}, {AliasInput: true}, {Merge: true}, {DiscardUnknown: true}} {
				a := (&arena.Pool{Policy: policy}).Get()
				if err := decodeBoth(o, a, b, typ, inputs["a small one first"]); err != nil {
					t.Errorf("%s, policy %v, %+v: %.200v", name, policy, o, err)
				}
				a.Free()
			}
		}
	}
}

// TestLarge decodes large random messages, with fields of any kind, in both ways.
func TestLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		large := &testpb.All3{}
		for len(large.RMessage) < 100 {
			m := &testpb.All3{}
			randomMessage(r, m.ProtoReflect(), 1)
			large.RMessage = append(large.RMessage, m)
		}
		b, err := proto.Marshal(large)
		if err != nil {
			t.Fatal(err)
		}
		for _, policy := range policies {
			a := (&arena.Pool{Policy: policy}).Get()
			if err := decodeBoth(UnmarshalOptions{}, a, b, large.ProtoReflect().Type(), nil); err != nil {
				t.Errorf("policy %v, %d bytes: %v", policy, len(b), err)
			}
			if err := decodeBoth(UnmarshalOptions{lent: true}, a, append(b, make([]byte, Slack)...)[:len(b)], large.ProtoReflect().Type(), nil); err != nil {
				t.Errorf("policy %v, lent, %d bytes: %v", policy, len(b), err)
			}
			a.Free()
		}
	}
}

// TestLargeLists decodes packed lists one after the other in the same arena, whose arrays are not cleared
// in between: what was in one is not in the next, also if that has an error.
func TestLargeLists(t *testing.T) {
	for _, policy := range policies {
		a := (&arena.Pool{Policy: policy}).Get()
		for i := range 60 {
			n := 40 * (i*7%60 + 1)
			want := &testpb.All3{}
			for k := range n {
				want.RInt32, want.RUint64 = append(want.RInt32, int32(-k)), append(want.RUint64, uint64(k*i))
				want.RFixed32, want.RDouble = append(want.RFixed32, uint32(k+i)), append(want.RDouble, float64(k))
				want.RBool = append(want.RBool, k%3 == i%3)
			}
			b, err := proto.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			got := &testpb.All3{}
			if err := Unmarshal(a, b, got); err != nil || !proto.Equal(want, got) {
				t.Fatalf("%v, %d elements: %v", policy, n, err)
			}
			for _, list := range []int{len(got.RInt32) - cap(got.RInt32), len(got.RFixed32) - cap(got.RFixed32)} {
				if n >= largeList && policy == arena.RecycleAll && a != nil && list != 0 {
					t.Errorf("%d elements have room behind them that was not cleared", -list)
				}
			}
			broken := append(b[:len(b)/2:len(b)/2], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
			plain := &testpb.All3{}
			wantErr := proto.Unmarshal(broken, plain)
			got = &testpb.All3{}
			if err := Unmarshal(a, broken, got); (err == nil) != (wantErr == nil) {
				t.Fatalf("%v, want %v", err, wantErr)
			}
			for _, k := range got.RUint64 {
				if i > 0 && k%uint64(i) != 0 {
					t.Fatalf("after an error: %v", got.RUint64)
				}
			}
			a.Reset()
		}
		a.Free()
	}
}
