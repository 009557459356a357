package grpcserver

import (
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
)

// own does what gRPC's own codec does, which package arenagrpc takes the place of.
type own struct{}

func (own) Name() string { return "proto" }

func (own) Marshal(v any) (mem.BufferSlice, error) {
	m := v.(proto.Message)
	size := proto.Size(m)
	o := proto.MarshalOptions{UseCachedSize: true}
	if mem.IsBelowBufferPoolingThreshold(size) {
		b, err := o.Marshal(m)
		if err != nil {
			return nil, err
		}
		return mem.BufferSlice{mem.SliceBuffer(b)}, nil
	}
	pool := mem.DefaultBufferPool()
	b := pool.Get(size)
	if _, err := o.MarshalAppend((*b)[:0], m); err != nil {
		pool.Put(b)
		return nil, err
	}
	return mem.BufferSlice{mem.NewBuffer(b, pool)}, nil
}

func (own) Unmarshal(data mem.BufferSlice, v any) error {
	b := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer b.Free()
	return proto.Unmarshal(b.ReadOnlyData(), v.(proto.Message))
}
