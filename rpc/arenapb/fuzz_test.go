package arenapb

import (
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"

	"lessgc/arena"
)

// FuzzUnmarshal looks for an input that package proto decodes differently. The
// first byte chooses the message, the second the options.
func FuzzUnmarshal(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for i, m := range kindsOfMessages {
		for range 5 {
			random := m.ProtoReflect().New()
			randomMessage(r, random, 2)
			b, err := proto.MarshalOptions{AllowPartial: true}.Marshal(random.Interface())
			if err != nil {
				f.Fatal(err)
			}
			f.Add(byte(i), byte(r.Uint32()), b)
		}
	}
	for i, m := range kindsOfMessages {
		if m.ProtoReflect().Descriptor().Name() == "Extendable" {
			for k, b := range byHand() {
				f.Add(byte(i), byte(k), b)
			}
		}
	}
	pools := make([]arena.Pool, len(policies))
	for i := range pools {
		pools[i].Policy = policies[i]
	}
	f.Fuzz(func(t *testing.T, kind, options byte, b []byte) {
		m := kindsOfMessages[int(kind)%len(kindsOfMessages)]
		o := UnmarshalOptions{
			AllowPartial:   options&1 != 0,
			DiscardUnknown: options&2 != 0,
			AliasInput:     options&4 != 0,
		}
		if options&8 != 0 {
			o.RecursionLimit = 3
		}
		a := pools[int(options>>6)%len(pools)].Get()
		defer a.Free()
		if err := decodeBoth(o, a, b, m.ProtoReflect().Type(), nil); err != nil {
			t.Fatalf("%T, %+v: %v", m, o, err)
		}
	})
}
