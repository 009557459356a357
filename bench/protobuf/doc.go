// Package protobuf measures the decoding of protobuf messages: package proto,
// vtprotobuf, hyperpb and arenapb side by side, on the same bytes.
//
//	go run ./cmd/lessgc compare -col /impl -bench Decode ./bench/protobuf
//	go run ./cmd/lessgc compare -col /impl -bench Read ./bench/protobuf
//
// Decode only decodes, into an arena that is recycled, a pool or nothing, as each
// of them does it best: for vtprotobuf that is UnmarshalVTUnsafe into a pooled
// message, for hyperpb a Shared, a profile and aliased input. Only package proto
// and arenapb check everything that protobuf asks for. Read reads each field of the
// result as well, as a program would: through Go fields, or for hyperpb, which has
// none, by reflection with descriptors that are looked up before.
//
// The implementations:
//
//	proto      proto.Unmarshal
//	vt         vtprotobuf: UnmarshalVT
//	vtpool     vtprotobuf: UnmarshalVTUnsafe, messages from a pool
//	hyperpb    hyperpb.Shared, recompiled with a profile, input not copied
//	safe       arenapb, policy Safe: UnmarshalSafe
//	typed      arenapb, policy RecycleTyped, message on the heap
//	recycle    arenapb, policy RecycleAll, message on the heap
//	root       arenapb, policy RecycleAll, message in the arena, input not copied
//	reset      the same, and one arena that is reset, as in a loop over messages
package protobuf
