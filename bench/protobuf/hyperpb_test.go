//go:build !lessgc_short

package protobuf

import (
	"slices"
	"sync"

	"buf.build/go/hyperpb"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// hyperpb takes half a minute to compile, so README's test command leaves it to .ci/run.
func init() {
	after := slices.IndexFunc(impls, func(i impl) bool { return i.name == "vtpool" })
	impls = slices.Insert(impls, after+1, impl{
		name: "hyperpb",
		run: func(m message, in []byte, loop func() bool, use func(proto.Message)) error {
			shared, typ := new(hyperpb.Shared), hyperType(m)
			for loop() {
				to := shared.NewMessage(typ)
				if err := to.Unmarshal(in, hyperpb.WithAllowAlias(true)); err != nil {
					return err
				}
				use(to)
				shared.Free()
			}
			return nil
		},
		descriptor: func(m message) protoreflect.MessageDescriptor { return hyperType(m).Descriptor() },
	})
}

var hyperTypes sync.Map // of *hyperpb.MessageType, by the message's name

// hyperType returns hyperpb's table for a message, recompiled with a profile.
func hyperType(m message) *hyperpb.MessageType {
	if typ, ok := hyperTypes.Load(m.name); ok {
		return typ.(*hyperpb.MessageType)
	}
	typ := hyperpb.CompileMessageDescriptor(m.new().ProtoReflect().Descriptor())
	profile := typ.NewProfile()
	for range 3 {
		if err := hyperpb.NewMessage(typ).Unmarshal(m.encoded(), hyperpb.WithRecordProfile(profile, 1)); err != nil {
			panic(err)
		}
	}
	typ = typ.Recompile(profile)
	hyperTypes.Store(m.name, typ)
	return typ
}
