package arenapb

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"lessgc/arena"
	"lessgc/arena/deep"
	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
	"lessgc/internal/untyped"
	"lessgc/rpc/internal/opaquepb"
	"lessgc/rpc/internal/testpb"
)

// The functions below write wire bytes by hand.

func cat(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

func wireVarint(num protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), v)
}

func wireBytes(num protowire.Number, parts ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), cat(parts...))
}

func wireText(num protowire.Number, s string) []byte { return wireBytes(num, []byte(s)) }

func wireGroup(num protowire.Number, parts ...[]byte) []byte {
	return cat(protowire.AppendTag(nil, num, protowire.StartGroupType), cat(parts...), protowire.AppendTag(nil, num, protowire.EndGroupType))
}

// overlong makes the first key of b, of two bytes, one of three.
func overlong(b []byte) []byte { return cat(b[:1], []byte{b[1] | 0x80, 0}, b[2:]) }

// Fields of Extendable.
const (
	xInt32, xString, xPacked, xMore, xRequired, xGroup, xAll, xOne, xGroups, xBytes, xStrings = 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110

	xFar, xNone = 70000, 199
)

// byHand are encodings of Extendable.
func byHand() [][]byte {
	a := func(n uint64) []byte { return wireVarint(1, n) }
	required := cat(a(1), wireText(2, "b"))
	all := cat(wireVarint(3, 3), wireText(14, "text"), wireText(31, "x"), wireText(31, "y"), wireBytes(108, wireText(1, "key"), wireText(2, "value")))
	return [][]byte{
		wireBytes(xOne),
		wireBytes(xOne, a(1)),
		cat(wireBytes(xAll, all), wireBytes(xAll, all)),
		cat(wireBytes(xOne, a(1)), wireBytes(xOne, wireBytes(2, a(2))), a(3), wireBytes(xOne, a(4))),
		cat(wireBytes(xOne, a(1)), wireVarint(xOne, 5), wireBytes(xOne, wireBytes(3)), wireGroup(xOne, a(7))),
		cat(wireVarint(xOne, 5), wireBytes(xNone, a(1)), wireVarint(xString, 1), wireVarint(xNone, 2), wireText(xNone, "x"), wireGroup(xBytes)),
		cat(wireVarint(2, 7), wireText(1, "x"), wireGroup(2, a(7)), wireBytes(xOne, wireVarint(2, 7), wireText(1, "x"))),
		overlong(wireBytes(xOne, a(1))),
		cat(overlong(wireBytes(xMore, a(1))), wireBytes(xMore, a(2)), overlong(wireBytes(xMore, a(3)))),
		overlong(wireText(xString, "x")),
		overlong(wireGroup(xGroup, a(1))),
		overlong(wireText(xNone, "x")),
		cat(wireBytes(xMore, a(1)), wireBytes(xMore), wireBytes(xMore, a(3)), a(1), wireBytes(xMore, a(4)), wireVarint(xInt32, 1), wireBytes(xMore, wireBytes(xMore, a(5)), wireBytes(xMore, a(6)))),
		cat(wireBytes(xMore, a(1)), wireVarint(xMore, 1), wireGroup(xMore, a(1)), wireBytes(xMore, a(2))),
		cat(wireBytes(xMore, a(1)), wireBytes(xMore, wireText(1, "x"))),
		cat(wireBytes(xMore, a(1)), wireBytes(xMore, []byte{0x80})),
		wireBytes(xRequired, a(1)),
		wireBytes(xRequired, required),
		cat(wireBytes(xRequired, a(1)), wireBytes(xRequired, wireText(2, "b"))),
		cat(wireBytes(xRequired, required), wireBytes(xRequired, wireBytes(3, a(1)))),
		wireBytes(xMore, wireBytes(xRequired, a(1))),
		wireBytes(xOne, wireBytes(xOne, wireBytes(xOne, wireBytes(xRequired, required), wireText(xString, "deep")))),
		wireGroup(xGroup, a(1)),
		wireGroup(xGroup),
		cat(wireGroup(xGroup, a(1)), wireGroup(xGroup, wireVarint(9, 9)), wireBytes(xGroup, a(4))),
		cat(wireGroup(xGroups, wireText(1, "a")), wireGroup(xGroups), wireBytes(xGroups), wireGroup(xGroups, wireBytes(2, wireGroup(xGroup, a(1)))), a(1), wireGroup(xGroups)),
		wireGroup(xGroup, wireGroup(xGroup, a(1)), wireGroup(7, wireGroup(8))),
		cat(protowire.AppendTag(nil, xGroup, protowire.StartGroupType), a(1), protowire.AppendTag(nil, xGroups, protowire.EndGroupType)),
		cat(protowire.AppendTag(nil, xGroup, protowire.StartGroupType), a(1)),
		cat(protowire.AppendTag(nil, xGroup, protowire.StartGroupType), a(1), []byte{0xcc, 0x86, 0x00}),
		cat(protowire.AppendTag(nil, xGroup, protowire.StartGroupType), a(1), []byte{0xcc, 0x86, 0x80, 0x00}, a(2)),
		wireBytes(xOne, protowire.AppendTag(nil, xOne, protowire.EndGroupType)),
		cat(wireText(xString, "one"), wireText(xString, "another"), wireVarint(xString, 1)),
		wireText(xString, ""),
		wireText(xString, "\xff\xfe"),
		cat(wireText(xBytes, "one"), wireBytes(xBytes)),
		wireText(xBytes, strings.Repeat("x", 10_000)),
		cat(wireText(xString, strings.Repeat("x", 10_000)), wireBytes(xAll, wireText(14, strings.Repeat("y", 4000)), wireText(14, strings.Repeat("z", 5000)))),
		cat(wireText(xStrings, "a"), wireText(xStrings, "b"), wireBytes(xPacked, []byte{1, 2, 3}), wireVarint(xPacked, 4)),
		cat(wireBytes(xFar, wireBytes(1, wireBytes(xOne, a(1))), wireText(2, "name")), wireBytes(xFar, wireBytes(1))),
		wireBytes(2, wireBytes(2, wireBytes(xOne, a(1)), wireBytes(xMore, a(2)), wireText(xString, "x")), wireBytes(3, wireBytes(xOne, a(4)))),
		wireBytes(xOne, wireText(14, "unknown here"), wireVarint(xNone, 1)),
		wireVarint(xInt32, 1),
		cat(wireVarint(1000, 2), wireVarint(1000, 77), wireBytes(1000)),
		wireBytes(protowire.MaxValidNumber, a(1)),
		func() (b []byte) { // more than are noted
			for i := range protowire.Number(2 * maxNone) {
				b = append(b, wireText(2000+i, "x")...)
			}
			return append(b, wireBytes(xOne, a(1))...)
		}(),
	}
}

// TestExtensions decodes encodings made by hand, and all that they begin with, in both ways.
func TestExtensions(t *testing.T) {
	inputs := byHand()
	for i, policy := range policies {
		pool := &arena.Pool{Policy: policy}
		a := pool.Get()
		for k, b := range inputs {
			before := inputs[(k+i+1)%len(inputs)]
			if (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(before, &testpb.Extendable{}) != nil {
				before = nil
			}
			for _, typ := range []proto.Message{&testpb.Extendable{}, &opaquepb.Extendable{}} {
				for _, o := range []UnmarshalOptions{{}, {AllowPartial: true}, {DiscardUnknown: true}, {AliasInput: true}, {Merge: true}, {RecursionLimit: 2}, {Resolver: protoregistry.GlobalTypes}, {Resolver: new(protoregistry.Types)}} {
					to := before
					if !o.Merge {
						to = nil
					}
					whole := append(b, make([]byte, Slack)...)[:len(b)]
					if err := decodeBoth(o, a, whole, typ.ProtoReflect().Type(), to); err != nil {
						t.Errorf("%d, policy %v, %+v: %v\n%.200x", k, policy, o, err, b)
					}
				}
				for n := range min(len(b), 200) {
					if err := decodeBoth(UnmarshalOptions{}, a, b[:n], typ.ProtoReflect().Type(), nil); err != nil {
						t.Errorf("%d, policy %v, %d bytes: %v\n%x", k, policy, n, err, b[:n])
					}
				}
			}
		}
		a.Free()
	}
}

// TestExtensionsUTF8 checks strings in extensions of an edition that are not UTF-8: package proto
// does not check them.
func TestExtensionsUTF8(t *testing.T) {
	a := (&arena.Pool{Policy: arena.RecycleAll}).Get()
	defer a.Free()
	for _, num := range []protowire.Number{100, 101, 107} {
		for _, s := range []string{"\xff", "é", strings.Repeat("x", 40) + "\xff"} {
			if err := decodeBoth(UnmarshalOptions{}, a, wireText(num, s), (&testpb.Open{}).ProtoReflect().Type(), nil); err != nil {
				t.Errorf("%d %q: %v", num, s, err)
			}
			if err := decodeBoth(UnmarshalOptions{}, a, wireBytes(102, wireText(4, s)), (&testpb.Open{}).ProtoReflect().Type(), nil); err != nil {
				t.Errorf("%d %q in a message: %v", num, s, err)
			}
		}
	}
}

// TestExtensionsDepth checks that the limit of nested messages starts anew in an extension, as it
// does in package proto.
func TestExtensionsDepth(t *testing.T) {
	a := (&arena.Pool{}).Get()
	defer a.Free()
	typ := (&testpb.Extendable{}).ProtoReflect().Type()
	nest := func(num protowire.Number, n int, in []byte) []byte {
		for range n {
			in = wireBytes(num, in)
		}
		return in
	}
	for _, b := range [][]byte{
		nest(2, 3, wireBytes(xOne, nest(2, 5, nil))),
		nest(2, 3, wireBytes(xMore, nest(2, 5, nil))),
		nest(2, 3, wireGroup(xGroups, wireBytes(2, nest(2, 5, nil)))),
		nest(xOne, 5, nil),
		nest(2, 3, wireVarint(xInt32, 1)),
		nest(2, 3, wireText(xString, "x")),
	} {
		for limit := range 8 {
			if err := decodeBoth(UnmarshalOptions{RecursionLimit: limit}, a, b, typ, nil); err != nil {
				t.Errorf("limit %d: %v\n%x", limit, err, b)
			}
		}
	}
	if checked.Enabled { // slow, and nothing else
		return
	}
	for _, b := range [][]byte{wireBytes(xOne, nest(2, 9_999, nil)), wireBytes(xOne, nest(2, 10_000, nil)), nest(xOne, 10_100, nil)} {
		want, got := proto.Unmarshal(b, &testpb.Extendable{}), Unmarshal(a, b, &testpb.Extendable{})
		if (want == nil) != (got == nil) {
			t.Errorf("the limit: %v, want %v", got, want)
		}
	}
}

// A failing resolver finds nothing, because of an error.
type failing struct{ *protoregistry.Types }

func (failing) FindExtensionByNumber(protoreflect.FullName, protoreflect.FieldNumber) (protoreflect.ExtensionType, error) {
	return nil, errors.New("no")
}

// TestExtensionsResolver checks resolvers that find other types than the registered ones, or fail;
// and messages that have such when more is merged into them.
func TestExtensionsResolver(t *testing.T) {
	dynamic := new(protoregistry.Types)
	for _, xt := range []protoreflect.ExtensionType{testpb.E_XOne, testpb.E_XMore, testpb.E_XString} {
		if err := dynamic.RegisterExtension(dynamicpb.NewExtensionType(xt.TypeDescriptor().Descriptor())); err != nil {
			t.Fatal(err)
		}
	}
	for _, policy := range policies {
		a := (&arena.Pool{Policy: policy}).Get()
		for k, b := range byHand() {
			for _, resolver := range []Resolver{dynamic, failing{dynamic}} {
				want, got := &testpb.Extendable{}, &testpb.Extendable{}
				failed := false // what is in a message then is not specified
				check := func(r Resolver, b []byte) {
					t.Helper()
					if failed {
						return
					}
					o := UnmarshalOptions{AllowPartial: true, Merge: true, Resolver: r}
					wantErr, gotErr := o.std().Unmarshal(b, want), o.Unmarshal(a, b, got)
					if (wantErr == nil) != (gotErr == nil) || wantErr == nil && !proto.Equal(want, got) {
						t.Errorf("%d, %T: %v, %v; want %v, %v", k, r, got, gotErr, want, wantErr)
					}
					failed = wantErr != nil
				}
				check(resolver, b)
				check(nil, b)
				check(nil, wireBytes(xOne, wireBytes(xMore)))
				check(resolver, b)
			}
		}
		a.Free()
	}
}

// everything has an extension of each shape.
func everything() *testpb.Extendable {
	m := &testpb.Extendable{A: proto.Int32(1)}
	one := &testpb.Extendable{A: proto.Int32(2)}
	proto.SetExtension(one, testpb.E_XString, "a string in an extension in an extension")
	all := &testpb.All2{FString: proto.String("a string in an extension"), RString: []string{"a", "list"}, RMessage: []*testpb.All2{{}, {FInt32: proto.Int32(1)}}}
	proto.SetExtension(m, testpb.E_XString, "a string")
	proto.SetExtension(m, testpb.E_XBytes, []byte("bytes"))
	proto.SetExtension(m, testpb.E_XOne, one)
	proto.SetExtension(m, testpb.E_XAll, all)
	proto.SetExtension(m, testpb.E_XMore, []*testpb.Extendable{{A: proto.Int32(3)}, one, {}})
	proto.SetExtension(m, testpb.E_Xgroup, &testpb.XGroup{A: proto.Int32(4)})
	proto.SetExtension(m, testpb.E_Xgroups, []*testpb.XGroups{{A: proto.String("group")}, {Deep: one}})
	return m
}

// TestExtensionsMemory checks that what extensions hold is memory of the arena, that Detach moves
// it out, and what becomes of it at Free.
func TestExtensionsMemory(t *testing.T) {
	if !littleEndian || ptrSize != 8 || lazyExtensions {
		t.Skip("extensions are on the heap")
	}
	want := everything()
	b, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	pool := &arena.Pool{Policy: arena.RecycleAll}
	if a := pool.Get(); a == nil {
		t.Skip("messages are on the heap")
	} else {
		a.Free()
	}
	decode := func(a *arena.Arena) *testpb.Extendable {
		m := &testpb.Extendable{}
		if err := Unmarshal(a, b, m); err != nil || !proto.Equal(m, want) {
			t.Fatalf("%v, %v", m, err)
		}
		return m
	}
	places := func(m *testpb.Extendable) map[string]unsafe.Pointer {
		one := proto.GetExtension(m, testpb.E_XOne).(*testpb.Extendable)
		all := proto.GetExtension(m, testpb.E_XAll).(*testpb.All2)
		more := proto.GetExtension(m, testpb.E_XMore).([]*testpb.Extendable)
		groups := proto.GetExtension(m, testpb.E_Xgroups).([]*testpb.XGroups)
		return map[string]unsafe.Pointer{
			"string":           unsafe.Pointer(unsafe.StringData(proto.GetExtension(m, testpb.E_XString).(string))),
			"bytes":            unsafe.Pointer(unsafe.SliceData(proto.GetExtension(m, testpb.E_XBytes).([]byte))),
			"message":          unsafe.Pointer(one),
			"string below":     unsafe.Pointer(unsafe.StringData(proto.GetExtension(one, testpb.E_XString).(string))),
			"large message":    unsafe.Pointer(all),
			"string in it":     unsafe.Pointer(unsafe.StringData(all.GetFString())),
			"list":             unsafe.Pointer(unsafe.SliceData(more)),
			"message of it":    unsafe.Pointer(more[1]),
			"group":            unsafe.Pointer(proto.GetExtension(m, testpb.E_Xgroup).(*testpb.XGroup)),
			"group of a list":  unsafe.Pointer(groups[1]),
			"message in there": unsafe.Pointer(groups[1].Deep),
		}
	}
	a := pool.Get()
	m := decode(a)
	spans, _ := untyped.Spans(unsafe.Pointer(a))
	in := func(p unsafe.Pointer) bool {
		for _, s := range spans {
			if uintptr(p)-s.Base < s.Size {
				return true
			}
		}
		return false
	}
	for what, p := range places(m) {
		if !in(p) {
			t.Errorf("the %s is not in the arena", what)
		}
	}
	if m := deep.Detach(a, m); !proto.Equal(m, want) {
		t.Errorf("Detach: %v", m)
	}
	for what, p := range places(m) {
		if in(p) {
			t.Errorf("the %s is in the arena after Detach", what)
		}
	}
	again := decode(a)
	stale := proto.GetExtension(again, testpb.E_XAll).(*testpb.All2)
	a.Free()
	for range 3 {
		other := pool.Get()
		if err := Unmarshal(other, wireBytes(xAll, wireText(14, "something else")), &testpb.Extendable{}); err != nil {
			t.Fatal(err)
		}
		other.Free()
	}
	if !proto.Equal(m, want) {
		t.Errorf("after Detach and Free: %v", m)
	}
	switch read := readStale(stale); {
	case checked.Strict && read != "fault":
		t.Errorf("a message that was freed can be read: %s", read)
	case !checked.Enabled && strings.Contains(read, "a string in an extension"):
		t.Error("a message that was freed is still there")
	}
}

// readStale returns what is in a message that was freed.
func readStale(m *testpb.All2) (what string) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			what = "fault"
		}
	}()
	return fmt.Sprint(m.FString, len(m.RString), m.GetFString())
}

// TestExtensionsClone checks that a deep copy has strings of its own.
func TestExtensionsClone(t *testing.T) {
	if !littleEndian || ptrSize != 8 {
		t.Skip("package proto decodes, and uses reflection")
	}
	if lazyExtensions {
		t.Skip("extensions are on the heap, and their types hold locks")
	}
	in := cat(wireText(xString, "a string"), wireText(xBytes, "bytes"), wireVarint(1, 1))
	want := &testpb.Extendable{}
	if err := proto.Unmarshal(in, want); err != nil {
		t.Fatal(err)
	}
	pool := &arena.Pool{Policy: arena.RecycleAll}
	a := pool.Get()
	m := &testpb.Extendable{}
	if err := Unmarshal(a, in, m); err != nil {
		t.Fatal(err)
	}
	c := deep.Clone(m)
	a.Free()
	a = pool.Get()
	if err := Unmarshal(a, cat(wireText(xString, "A STRING"), wireText(xBytes, "BYTES"), wireVarint(1, 1)), &testpb.Extendable{}); err != nil {
		t.Fatal(err)
	}
	a.Free()
	if !proto.Equal(c, want) {
		t.Errorf("%v, want %v", c, want)
	}
}

// TestExtensionsAllocs pins that an extension costs its map, and a list what reflection needs.
func TestExtensionsAllocs(t *testing.T) {
	if checked.Enabled || !littleEndian || ptrSize != 8 || lazyExtensions {
		t.Skip("extensions are on the heap, or this build allocates more")
	}
	pool := &arena.Pool{Policy: arena.RecycleAll}
	for what, c := range map[string]struct {
		in   []byte
		want int
	}{
		"nothing":          {wireVarint(1, 1), 2},
		"a string":         {wireText(xString, "a string of some length"), 4},
		"bytes":            {wireText(xBytes, "some bytes"), 4},
		"a message":        {wireBytes(xAll, wireText(14, "text"), wireText(31, "a"), wireText(31, "b"), wireBytes(34, wireText(14, "x"))), 4},
		"a group":          {wireGroup(xGroup, wireVarint(1, 1)), 4},
		"a list":           {cat(wireBytes(xMore, wireVarint(1, 1)), wireBytes(xMore, wireVarint(1, 1)), wireBytes(xMore), wireBytes(xMore)), 8},
		"all of these":     {cat(wireText(xString, "a string of some length"), wireText(xBytes, "x"), wireBytes(xAll, wireText(14, "text")), wireGroup(xGroup, wireVarint(1, 1))), 4},
		"one in a message": {wireBytes(xOne, wireBytes(xAll)), 6},
	} {
		if got := alloctest.PerRun(t, func() {
			a := pool.Get()
			if err := Unmarshal(a, c.in, new(testpb.Extendable)); err != nil {
				t.Fatal(err)
			}
			a.Free()
		}); got != c.want {
			t.Errorf("%s: %d allocations, want %d", what, got, c.want)
		}
	}
}

// TestExtensionsConcurrent looks extensions up from several goroutines at once.
func TestExtensionsConcurrent(t *testing.T) {
	want := everything()
	b, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	known := tableOf(want).extensions
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			pool := &arena.Pool{Policy: policies[g%len(policies)]}
			for i := range 50 {
				if known != nil && i%10 == g {
					known.known.Store(nil)
				}
				a := pool.Get()
				got := &testpb.Extendable{}
				if err := Unmarshal(a, cat(b, wireText(protowire.Number(3000+i), "unknown")), got); err != nil || len(got.ProtoReflect().GetUnknown()) == 0 {
					t.Errorf("%v, %v", got, err)
				}
				a.Free()
			}
		})
	}
	wg.Wait()
}

// BenchmarkExtensions decodes twenty messages with the same extensions each.
func BenchmarkExtensions(b *testing.B) {
	all := func() *testpb.All2 {
		return &testpb.All2{FString: proto.String(strings.Repeat("text ", 5)), RString: []string{"a tag", "another tag", "a third"}, FInt32: proto.Int32(5)}
	}
	for _, c := range []struct {
		name string
		set  func(m *testpb.Extendable)
	}{
		{"none", func(m *testpb.Extendable) {}},
		{"scalar", func(m *testpb.Extendable) { proto.SetExtension(m, testpb.E_XInt32, int32(7)) }},
		{"string", func(m *testpb.Extendable) { proto.SetExtension(m, testpb.E_XString, "a string of some length") }},
		{"unknown", func(m *testpb.Extendable) { m.ProtoReflect().SetUnknown(wireText(xNone, "abc")) }},
		{"small", func(m *testpb.Extendable) {
			proto.SetExtension(m, testpb.E_XOne, &testpb.Extendable{A: proto.Int32(3)})
		}},
		{"large", func(m *testpb.Extendable) { proto.SetExtension(m, testpb.E_XAll, all()) }},
		{"list", func(m *testpb.Extendable) {
			proto.SetExtension(m, testpb.E_XMore, []*testpb.Extendable{{A: proto.Int32(1)}, {A: proto.Int32(2)}, {A: proto.Int32(3)}, {A: proto.Int32(4)}})
		}},
		{"mixed", func(m *testpb.Extendable) {
			proto.SetExtension(m, testpb.E_XInt32, int32(7))
			proto.SetExtension(m, testpb.E_XString, "a string of some length")
			proto.SetExtension(m, testpb.E_XAll, all())
		}},
	} {
		h := &testpb.Holder{Name: proto.String("holder")}
		for range 20 {
			m := &testpb.Extendable{A: proto.Int32(1)}
			c.set(m)
			h.Parts = append(h.Parts, m)
		}
		in, err := proto.Marshal(h)
		if err != nil {
			b.Fatal(err)
		}
		run := func(way string, decode func(m *testpb.Holder) error) {
			b.Run("work="+c.name+"/way="+way, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := decode(new(testpb.Holder)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		pool := &arena.Pool{Policy: arena.RecycleAll}
		run("std", func(m *testpb.Holder) error { return proto.Unmarshal(in, m) })
		run("safe", func(m *testpb.Holder) error { return UnmarshalSafe(in, m) })
		run("recycle", func(m *testpb.Holder) error {
			a := pool.Get()
			defer a.Free()
			return Unmarshal(a, in, m)
		})
	}
}
