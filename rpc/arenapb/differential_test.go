package arenapb

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/runtime/protoimpl"

	"lessgc/arena"
	"lessgc/internal/checked"
	"lessgc/internal/longtest"
	"lessgc/rpc/internal/hybridpb"
	"lessgc/rpc/internal/opaquepb"
	"lessgc/rpc/internal/testpb"
)

// kindsOfMessages lists the messages that all tests against package proto decode.
var kindsOfMessages = []proto.Message{
	&testpb.Users{}, &testpb.Small{}, &testpb.WriteRequest{}, &testpb.Profile{}, &testpb.Trace{},
	&testpb.All3{}, &testpb.All2{}, &testpb.Required{}, &testpb.Editions{}, &testpb.Open{}, &testpb.Extendable{}, &testpb.Holder{},
	&opaquepb.Users{}, &opaquepb.Trace{}, &testpb.Lazy{}, &opaquepb.Lazy{},
	&opaquepb.All3{}, &opaquepb.All2{}, &opaquepb.Required{}, &opaquepb.Editions{}, &opaquepb.Open{}, &opaquepb.Extendable{}, &opaquepb.Holder{},
	&hybridpb.All3{}, &hybridpb.All2{}, &hybridpb.Required{}, &hybridpb.Editions{}, &hybridpb.Open{}, &hybridpb.Extendable{}, &hybridpb.Lazy{},
}

// TestTables checks that all of these but one have a table that is used, where tables are.
func TestTables(t *testing.T) {
	for _, m := range kindsOfMessages {
		table := tableOf(m)
		_, lazy := m.(*opaquepb.Lazy)
		if fast := littleEndian && ptrSize == 8 && !lazy; table.fallback == fast {
			t.Errorf("%T is left to package proto: %t, %s", m, table.fallback, table.why)
		}
		if again := tableOf(m); again != table {
			t.Errorf("%T: another table", m)
		}
	}
}

// randomMessage fills in m, with the fields of any kind and messages as deep.
func randomMessage(r *rand.Rand, m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	all := extensionsOf(m.Descriptor())
	for i := range fields.Len() {
		all = append(all, fields.Get(i))
	}
	for _, fd := range all {
		if r.IntN(3) > 0 && fields.Len() > 3 && fd.Cardinality() != protoreflect.Required || fd.Message() != nil && depth == 0 ||
			fd.IsExtension() && r.IntN(3) > 0 { // there are many, and of large messages
			continue
		}
		message := func(m protoreflect.Message) { randomMessage(r, m, depth-1) }
		switch {
		case fd.IsMap():
			for range r.IntN(4) {
				key := randomScalar(r, fd.MapKey()).MapKey()
				if fd.MapValue().Message() != nil {
					message(m.Mutable(fd).Map().Mutable(key).Message())
				} else {
					m.Mutable(fd).Map().Set(key, randomScalar(r, fd.MapValue()))
				}
			}
		case fd.IsList():
			n := r.IntN(6)
			if fd.Message() == nil && r.IntN(8) == 0 {
				n = r.IntN(50)
			}
			for range n {
				if fd.Message() != nil {
					message(m.Mutable(fd).List().AppendMutable().Message())
				} else {
					m.Mutable(fd).List().Append(randomScalar(r, fd))
				}
			}
		case fd.Message() != nil:
			message(m.Mutable(fd).Message())
		default:
			m.Set(fd, randomScalar(r, fd))
		}
	}
}

// extensionsOf returns the extensions that messages of a type may have, by number.
func extensionsOf(md protoreflect.MessageDescriptor) (all []protoreflect.FieldDescriptor) {
	if md.ExtensionRanges().Len() == 0 {
		return nil
	}
	protoregistry.GlobalTypes.RangeExtensionsByMessage(md.FullName(), func(xt protoreflect.ExtensionType) bool {
		all = append(all, xt.TypeDescriptor())
		return true
	})
	slices.SortFunc(all, func(x, y protoreflect.FieldDescriptor) int { return int(x.Number() - y.Number()) })
	return all
}

func randomScalar(r *rand.Rand, fd protoreflect.FieldDescriptor) protoreflect.Value {
	n := r.Uint64() >> r.IntN(65)
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(n&1 != 0)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(fd.Enum().Values().Get(r.IntN(fd.Enum().Values().Len())).Number())
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(int32(n))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(n))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(int64(n))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(n)
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(r.Float32() - 0.5)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(r.NormFloat64())
	}
	text := []byte("a text of ASCII and ümläuts, some of it 日本語, long enough for several words"[:r.IntN(60)])
	if fd.Kind() == protoreflect.BytesKind {
		return protoreflect.ValueOfBytes(text)
	}
	for len(text) > 0 && text[len(text)-1] >= 0x80 {
		text = text[:len(text)-1]
	}
	return protoreflect.ValueOfString(string(text))
}

// mutate changes an encoding in a way that leaves much of it intact.
func mutate(r *rand.Rand, b []byte) []byte {
	b = append([]byte(nil), b...)
	at := func() int { return r.IntN(len(b) + 1) }
	for range 1 + r.IntN(3) {
		switch i, j := at(), at(); r.IntN(9) {
		case 0:
			b = b[:i]
		case 1, 2, 3:
			if i < len(b) {
				b[i] ^= 1 << r.IntN(8)
			}
		case 4:
			if i < len(b) {
				b[i] = byte(r.IntN(256))
			}
		case 5:
			b = append(b[:i:i], b[min(i+1+r.IntN(4), len(b)):]...)
		case 6:
			b = append(b[:i:i], append([]byte{byte(r.IntN(256)), byte(r.IntN(128))}, b[i:]...)...)
		case 7: // repeat a part
			if i < j && j-i < 200 {
				b = append(b[:j:j], b[i:]...)
			}
		case 8: // an unknown field, or one of another type
			tag := protowire.AppendTag(nil, protowire.Number(1+r.IntN(600)), protowire.Type(r.IntN(6)))
			if r.IntN(3) == 0 { // overlong
				tag[len(tag)-1] |= 0x80
				tag = append(tag, 0)
			}
			b = append(b[:i:i], append(tag, b[i:]...)...)
		}
	}
	return b
}

// same compares two messages of the same type in all that a program can see.
func same(x, y any) error { return sameValue(reflect.ValueOf(x), reflect.ValueOf(y), "message") }

func sameValue(x, y reflect.Value, path string) error {
	if x.Kind() != y.Kind() {
		return fmt.Errorf("%s: %v and %v", path, x.Kind(), y.Kind())
	}
	differ := func() error { return fmt.Errorf("%s: %v, want %v", path, x, y) }
	switch x.Kind() {
	case reflect.Pointer, reflect.Interface:
		if x.IsNil() || y.IsNil() {
			if x.IsNil() != y.IsNil() {
				return differ()
			}
			return nil
		}
		if x.Elem().Type() != y.Elem().Type() {
			return fmt.Errorf("%s: %v, want %v", path, x.Elem().Type(), y.Elem().Type())
		}
		return sameValue(x.Elem(), y.Elem(), path)
	case reflect.Struct:
		for i := range x.NumField() {
			f := x.Type().Field(i)
			if f.Name == "state" || f.Name == "XXX_raceDetectHookData" || f.Name == "sizeCache" {
				continue
			}
			if f.Type == reflect.TypeFor[protoimpl.ExtensionFields]() {
				at := func(v reflect.Value) protoimpl.ExtensionFields {
					return *(*protoimpl.ExtensionFields)(v.Field(i).Addr().UnsafePointer())
				}
				if err := sameExtensions(at(x), at(y), path+"."+f.Name); err != nil {
					return err
				}
				continue
			}
			if err := sameValue(x.Field(i), y.Field(i), path+"."+f.Name); err != nil {
				return err
			}
		}
	case reflect.Array:
		for i := range x.Len() {
			if err := sameValue(x.Index(i), y.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case reflect.Slice:
		if x.Len() != y.Len() || x.IsNil() != y.IsNil() {
			return fmt.Errorf("%s: %d elements (nil: %v), want %d (nil: %v)", path, x.Len(), x.IsNil(), y.Len(), y.IsNil())
		}
		for i := range x.Len() {
			if err := sameValue(x.Index(i), y.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		if x.Len() != y.Len() || x.IsNil() != y.IsNil() {
			return differ()
		}
		for _, key := range x.MapKeys() {
			v := y.MapIndex(key)
			if !v.IsValid() {
				return fmt.Errorf("%s: key %v is too many", path, key)
			}
			if err := sameValue(x.MapIndex(key), v, fmt.Sprintf("%s[%v]", path, key)); err != nil {
				return err
			}
		}
	case reflect.Float32, reflect.Float64:
		if x.Float() != y.Float() && (x.Float() == x.Float() || y.Float() == y.Float()) {
			return differ()
		}
	case reflect.Bool:
		if x.Bool() != y.Bool() {
			return differ()
		}
	case reflect.String:
		if x.String() != y.String() {
			return differ()
		}
	case reflect.Int32, reflect.Int64:
		if x.Int() != y.Int() {
			return differ()
		}
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		if x.Uint() != y.Uint() {
			return differ()
		}
	default:
		return fmt.Errorf("%s: a %v, which nobody expected", path, x.Type())
	}
	return nil
}

// sameExtensions is sameValue for the extensions of a message.
func sameExtensions(x, y protoimpl.ExtensionFields, path string) error {
	if len(x) != len(y) {
		return fmt.Errorf("%s: %d extensions, want %d", path, len(x), len(y))
	}
	for number, v := range x {
		w := y[number]
		if v.Type() != w.Type() {
			return fmt.Errorf("%s: %d is a %v, want a %v", path, number, v.Type(), w.Type())
		}
		values := func(x protoimpl.ExtensionFieldV1) reflect.Value {
			return reflect.ValueOf(x.Type().InterfaceOf(x.Value()))
		}
		if err := sameValue(values(v), values(w), fmt.Sprintf("%s[%d]", path, number)); err != nil {
			return err
		}
	}
	return nil
}

// decodeBoth decodes b with package proto and with this one, and compares.
func decodeBoth(o UnmarshalOptions, a *arena.Arena, b []byte, typ protoreflect.MessageType, before []byte) error {
	want, got := typ.New().Interface(), typ.New().Interface()
	if before != nil {
		part := proto.UnmarshalOptions{AllowPartial: true}
		if part.Unmarshal(before, want) != nil || part.Unmarshal(before, got) != nil {
			return errors.New("what to merge with is not a message")
		}
	}
	wantErr := o.std().Unmarshal(b, want)
	gotErr := o.Unmarshal(a, b, got)
	if (wantErr == nil) != (gotErr == nil) {
		return fmt.Errorf("the error is %v, want %v", gotErr, wantErr)
	}
	if wantErr != nil {
		if errors.Is(wantErr, proto.Error) != errors.Is(gotErr, proto.Error) {
			return fmt.Errorf("the error is %v, is it proto.Error as %v?", gotErr, wantErr)
		}
		return nil
	}
	if err := same(got, want); err != nil {
		return err
	}
	if !proto.Equal(got, want) && proto.Equal(want, want) { // for extensions; there may be NaN
		return errors.New("proto.Equal says no")
	}
	return encodeBoth(got)
}

// encodeBoth encodes m with package proto and with this one, and compares. Maps may come in any order.
func encodeBoth(m proto.Message) error {
	want, wantErr := proto.Marshal(m)
	e := encode(m)
	if e == nil {
		return nil // package proto does it
	}
	defer e.release()
	got := e.bytes()
	if wantErr != nil {
		return fmt.Errorf("it is encoded, where package proto says: %v", wantErr)
	}
	if bytes.Equal(got, want) {
		return nil
	}
	again := m.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(got, again); err != nil {
		return fmt.Errorf("its encoding %x, want %x, is refused: %w", got, want, err)
	}
	if len(got) != len(want) {
		return fmt.Errorf("its encoding is %x, want %x", got, want)
	}
	if !proto.Equal(again, m) && proto.Equal(m, m) {
		return fmt.Errorf("its encoding %x, want %x, is of another message", got, want)
	}
	return nil
}

// policies are the lifetimes that all of it has to work with.
var policies = []arena.Policy{arena.Safe, arena.RecycleTyped, arena.RecycleAll}

var rounds = flag.Int("rounds", 30, "random messages of each kind, with 9 mutants each; 100 if long tests are asked for")

// TestDifferential decodes random messages and mutations of their encodings.
func TestDifferential(t *testing.T) {
	n := *rounds
	if longtest.Wanted() {
		n = max(n, 100)
	}
	if testing.Short() || checked.Enabled {
		n = min(n, 20)
	}
	for _, m := range kindsOfMessages {
		t.Run(string(m.ProtoReflect().Descriptor().FullName()), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			typ := m.ProtoReflect().Type()
			pools := make([]arena.Pool, len(policies))
			for i := range pools {
				pools[i].Policy = policies[i]
			}
			accepted := 0
			var before []byte
			for i := range n {
				random := typ.New()
				randomMessage(r, random, 3)
				whole, err := proto.MarshalOptions{AllowPartial: true}.Marshal(random.Interface())
				if err != nil {
					t.Fatal(err)
				}
				a := pools[i%len(pools)].Get()
				for k := range 10 {
					b := whole
					if k > 0 {
						b = mutate(r, whole)
					}
					o := UnmarshalOptions{
						AllowPartial:   r.IntN(2) == 0,
						DiscardUnknown: r.IntN(4) == 0,
						AliasInput:     r.IntN(4) == 0,
						Merge:          before != nil && r.IntN(4) == 0,
					}
					if r.IntN(8) == 0 {
						o.RecursionLimit = 1 + r.IntN(8)
					}
					var to []byte
					if o.Merge {
						to = before
					}
					if err := decodeBoth(o, a, b, typ, to); err != nil {
						t.Fatalf("round %d.%d, %+v: %v\n%x\nafter\n%x", i, k, o, err, b, to)
					}
					if proto.Unmarshal(b, typ.New().Interface()) == nil {
						accepted++
					}
				}
				a.Free()
				before = whole
			}
			if accepted < n {
				t.Errorf("only %d of %d inputs were messages", accepted, 10*n)
			}
		})
	}
}
