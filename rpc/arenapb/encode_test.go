package arenapb

import (
	"bytes"
	"math"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"lessgc/arena"
	"lessgc/rpc/internal/opaquepb"
	"lessgc/rpc/internal/testpb"
)

// TestEncodes checks that the messages of tables are not left to package proto.
func TestEncodes(t *testing.T) {
	for _, m := range kindsOfMessages {
		table := tableOf(m)
		if table.noEncode != table.fallback {
			t.Errorf("%T: encoded by package proto is %t, decoded is %t", m, table.noEncode, table.fallback)
		}
	}
}

// TestEncodeOdd encodes what programs may hold and no decoder makes.
func TestEncodeOdd(t *testing.T) {
	type of = testpb.All3
	deep := &of{}
	for range 5000 {
		deep = &of{FMessage: deep}
	}
	bad := "\xff\xfe"
	messages := map[string]proto.Message{
		"nil":                          (*of)(nil),
		"empty":                        &of{},
		"nil in a list":                &of{RMessage: []*of{nil, {FInt32: 1}, nil}},
		"a nil wrapper":                &of{Choice: (*testpb.All3_CString)(nil)},
		"nil in a wrapper":             &of{Choice: &testpb.All3_CMessage{}},
		"zero in a wrapper":            &of{Choice: &testpb.All3_CInt32{}},
		"nothing in a wrapper":         &of{Choice: &testpb.All3_CBytes{}},
		"negative zero":                &of{FDouble: math.Copysign(0, -1), FFloat: float32(math.Copysign(0, -1))},
		"NaN":                          &of{FDouble: math.NaN(), RDouble: []float64{math.NaN()}},
		"negative numbers":             &of{FInt32: -1, FEnum: -1, FSint32: -1, FUint32: math.MaxUint32, RInt32: []int32{-1, 1}, REnum: []testpb.Color{-1}, UInt32: []int32{-1}, RUint32: []uint32{math.MaxUint32}},
		"optional zeros":               &of{OInt32: proto.Int32(0), OString: proto.String(""), OBool: proto.Bool(false), OBytes: []byte{}},
		"bytes that are empty":         &of{FBytes: []byte{}, RBytes: [][]byte{nil, {}}},
		"maps":                         &of{MInt32: map[int32]int32{-1: -2}, MSint32: map[int32]int32{-1: -2}, MUint32: map[uint32]uint32{math.MaxUint32: 1}, MBool: map[bool]bool{true: false}},
		"a map with nil":               &of{MsMessage: map[string]*of{"a": nil}},
		"unknown fields":               unknown(&of{FInt32: 1}, []byte{0xf8, 0xff, 0xff, 0xff, 0x0f, 1}),
		"text that is not UTF-8":       &of{FString: bad},
		"a list with such":             &of{RString: []string{"a", bad}},
		"a key with such":              &of{MString: map[string]string{bad: ""}},
		"a value with such":            &of{MString: map[string]string{"": bad}},
		"a oneof with such":            &of{Choice: &testpb.All3_CString{CString: bad}},
		"an optional one with such":    &of{OString: &bad},
		"long text that is not UTF-8":  &of{FString: strings.Repeat("a", 100) + bad},
		"text with other letters":      &of{FString: "ä", RString: []string{strings.Repeat("ö", 9), strings.Repeat("a", 15) + "日", strings.Repeat("日", 100)}},
		"much":                         &of{FBytes: bytes.Repeat([]byte{1}, 100_000), RMessage: []*of{{FBytes: bytes.Repeat([]byte{2}, 70_000)}}},
		"deep":                         deep,
		"required":                     &testpb.Required{},
		"required below":               &testpb.Holder{},
		"groups":                       &testpb.All2{Single: &testpb.All2_Single{}, Several: []*testpb.All2_Several{nil, {}}},
		"opaque, all absent":           &opaquepb.All3{},
		"of another kind":              dynamicpb.NewMessage((&of{}).ProtoReflect().Descriptor()),
		"required, of another package": &opaquepb.Required{},
	}
	pool := &arena.Pool{Policy: arena.RecycleAll}
	for name, m := range messages {
		if err := encodeBoth(m); err != nil {
			t.Errorf("%s: %.300v", name, err)
		}
		a := pool.Get()
		want, wantErr := proto.Marshal(m)
		got, gotErr := Marshal(a, m)
		if len(got) != len(want) || (gotErr == nil) != (wantErr == nil) || wantErr != nil && gotErr.Error() != wantErr.Error() {
			t.Errorf("%s: Marshal: %d bytes, %v, want %d, %v", name, len(got), gotErr, len(want), wantErr)
		}
		a.Free()
	}
}

func unknown(m proto.Message, b []byte) proto.Message {
	m.ProtoReflect().SetUnknown(b)
	return m
}

// TestEncodeShared encodes one message in many goroutines: it is only read.
func TestEncodeShared(t *testing.T) {
	m := &testpb.All3{FString: "shared", RMessage: []*testpb.All3{{FInt32: 1}, {FString: "x"}}, MString: map[string]string{"a": "b"}}
	want, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if e := encode(m); littleEndian && ptrSize == 8 && e == nil {
		t.Fatal("package proto does it")
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if e := encode(m); e != nil {
					if !bytes.Equal(e.bytes(), want) {
						t.Errorf("%x, want %x", e.bytes(), want)
					}
					e.release()
				}
			}
		})
	}
	wg.Wait()
}
