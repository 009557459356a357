package protobuf

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/bench/internal/cputime"
	"lessgc/bench/protobuf/benchpb"
	"lessgc/rpc/arenapb"
)

// A shape is a kind of small message, of some size.
type shape struct {
	name string
	new  func() proto.Message
	make func(r *rand.Rand, n int) proto.Message
}

// shapes lists the messages from which the bounds come below which package proto decodes: see worth
// in arenapb. Sizes and lengths differ from message to message, so that branches are not predicted.
var shapes = []shape{
	{"scalars", func() proto.Message { return new(benchpb.Sample) }, func(r *rand.Rand, _ int) proto.Message {
		return &benchpb.Sample{Value: r.Float64(), Timestamp: r.Int64N(1 << 40)}
	}},
	{"texts", func() proto.Message { return new(benchpb.User) }, func(r *rand.Rand, n int) proto.Message {
		m := new(benchpb.User)
		for range n {
			m.Tags = append(m.Tags, strings.Repeat("x", r.IntN(30)))
		}
		return m
	}},
	{"messages", func() proto.Message { return new(benchpb.Users) }, func(r *rand.Rand, n int) proto.Message {
		m := new(benchpb.Users)
		for range n {
			m.Users = append(m.Users, &benchpb.User{Id: r.Int64N(1 << 20), Name: strings.Repeat("x", r.IntN(20))})
		}
		return m
	}},
	{"packed", func() proto.Message { return new(benchpb.Stack) }, func(r *rand.Rand, n int) proto.Message {
		m := new(benchpb.Stack)
		for range n {
			m.LocationId = append(m.LocationId, r.Uint64N(1<<(1+r.IntN(14))))
		}
		return m
	}},
}

// BenchmarkBounds decodes small messages, each of them another one.
func BenchmarkBounds(b *testing.B) {
	for _, s := range shapes {
		for _, n := range []int{1, 2, 3, 4, 6, 8, 16, 64, 256, 1024} {
			if s.name == "scalars" && n > 1 {
				continue
			}
			r := rand.New(rand.NewPCG(1, uint64(n)))
			var ins [4096][]byte
			for i := range ins {
				in, err := proto.Marshal(s.make(r, n))
				if err != nil {
					b.Fatal(err)
				}
				ins[i] = in
			}
			run := func(impl string, decode func(in []byte, m proto.Message) error) {
				b.Run(fmt.Sprintf("shape=%s/n=%d/impl=%s", s.name, n, impl), func(b *testing.B) {
					b.ReportAllocs()
					i, start := 0, cputime.Now()
					for b.Loop() {
						i++
						if err := decode(ins[i%len(ins)], s.new()); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(cputime.Now()-start)/float64(b.N), "loop-cpu-ns/op")
				})
			}
			run("proto", proto.Unmarshal)
			run("safe", arenapb.UnmarshalSafe)
			for _, policy := range []arena.Policy{arena.RecycleTyped, arena.RecycleAll} {
				pool := &arena.Pool{Policy: policy}
				run(policy.String(), func(in []byte, m proto.Message) error {
					a := pool.Get()
					defer a.Free()
					return arenapb.Unmarshal(a, in, m)
				})
			}
		}
	}
}
