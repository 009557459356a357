package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"buf.build/go/hyperpb"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"cloud.google.com/go/spanner/apiv1/spannerpb"
	clusterpb "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpointpb "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listenerpb "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routepb "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	accesslogpb "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"
	authpb "github.com/envoyproxy/go-control-plane/envoy/service/auth/v3"
	ratelimitpb "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	pyroscopepb "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
	ingesterpb "github.com/grafana/pyroscope/api/gen/proto/go/ingester/v1"
	metastorepb "github.com/grafana/pyroscope/api/gen/proto/go/metastore/v1"
	pushpb "github.com/grafana/pyroscope/api/gen/proto/go/push/v1"
	querierpb "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/genproto/googleapis/api/distribution"
	"google.golang.org/genproto/googleapis/api/monitoredres"
	"google.golang.org/genproto/googleapis/api/serviceconfig"
	attributepb "google.golang.org/genproto/googleapis/rpc/context/attribute_context"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/apipb"
	"google.golang.org/protobuf/types/known/structpb"

	message1p2 "foreigntypes/datasets/google_message1/proto2"
	message1p3 "foreigntypes/datasets/google_message1/proto3"
	"foreigntypes/datasets/google_message2"
	"foreigntypes/datasets/google_message3"
	"foreigntypes/datasets/google_message4"

	"lessgc/arena"
	"lessgc/rpc/arenapb"
)

// A foreign is a type that the benchmarks decode.
type foreign struct {
	name    string
	new     func() proto.Message
	inArena func(*arena.Arena) proto.Message
}

func of[T any, P interface {
	*T
	proto.Message
}](name string) foreign {
	return foreign{name, func() proto.Message { return P(new(T)) }, func(a *arena.Arena) proto.Message { return P(arena.New[T](a)) }}
}

var foreigns = []foreign{
	of[tracepb.TracesData]("otlp-traces"),
	of[metricspb.MetricsData]("otlp-metrics"),
	of[logspb.LogsData]("otlp-logs"),
	of[clusterpb.Cluster]("envoy-cluster"),
	of[listenerpb.Listener]("envoy-listener"),
	of[routepb.RouteConfiguration]("envoy-routes"),
	of[endpointpb.ClusterLoadAssignment]("envoy-endpoints"),
	of[spannerpb.ResultSet]("spanner-results"),
	of[spannerpb.CommitRequest]("spanner-commit"),
	of[firestorepb.Document]("firestore-document"),
	of[firestorepb.CommitRequest]("firestore-commit"),
	of[serviceconfig.Service]("api-service"),
	of[annotations.Http]("api-http"),
	of[distribution.Distribution]("api-distribution"),
	of[monitoredres.MonitoredResource]("api-resource"),
	of[errdetails.BadRequest]("rpc-badrequest"),
	of[structpb.Struct]("struct"),
	of[descriptorpb.FileDescriptorProto]("descriptor"),
	of[pyroscopepb.Profile]("pyroscope-profile"),
	of[pushpb.PushRequest]("pyroscope-push"),
	of[ingesterpb.MergeProfilesStacktracesResponse]("pyroscope-stacktraces"),
	of[querierpb.FlameGraph]("pyroscope-flamegraph"),
	of[message1p2.GoogleMessage1]("google1-proto2"),
	of[message1p3.GoogleMessage1]("google1-proto3"),
	of[google_message2.GoogleMessage2]("google2"),
	of[google_message3.GoogleMessage3]("google3"),
	of[google_message4.GoogleMessage4]("google4"),

	// These were added when all was done, and were not looked at before.
	of[accesslogpb.HTTPAccessLogEntry]("unseen-envoy-accesslog"),
	of[authpb.CheckRequest]("unseen-envoy-auth"),
	of[ratelimitpb.RateLimitRequest]("unseen-envoy-ratelimit"),
	of[spannerpb.ExecuteSqlRequest]("unseen-spanner-sql"),
	of[spannerpb.PartialResultSet]("unseen-spanner-partial"),
	of[firestorepb.RunQueryRequest]("unseen-firestore-query"),
	of[attributepb.AttributeContext]("unseen-rpc-attributes"),
	of[apipb.Api]("unseen-api"),
	of[metastorepb.QueryMetadataResponse]("unseen-pyroscope-metadata"),
}

// kept is what encodings returns, from a file that the first process writes which asks for it.
func (f foreign) kept(size string) (ins [][]byte) {
	file := "inputs-" + f.name + "-" + size
	if data, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(data, &ins); err != nil {
			panic(err)
		}
		for i, in := range ins {
			ins[i] = append(make([]byte, 0, len(in)+arenapb.Slack), in...)
		}
		return ins
	}
	ins = f.encodings(size == "small")
	data, err := json.Marshal(ins)
	if err != nil {
		panic(err)
	}
	to, err := os.CreateTemp(".", file)
	if err != nil {
		panic(err)
	}
	if _, err := to.Write(data); err != nil {
		panic(err)
	}
	if err := to.Close(); err != nil {
		panic(err)
	}
	if err := os.Rename(to.Name(), file); err != nil {
		panic(err)
	}
	return ins
}

// encodings returns some messages of the type, of 20 to 400 bytes if they are small, else of 8 KB
// and more: many random ones made one, so that lists and maps are long. Nil if there are none.
func (f foreign) encodings(small bool) (ins [][]byte) {
	const some, many = 64, 8
	r := rand.New(rand.NewPCG(uint64(len(f.name)), 3))
	random := func() proto.Message {
		m := f.new()
		fill(r, m.ProtoReflect(), 1+r.IntN(4))
		complete(r, m.ProtoReflect())
		return m
	}
	if small {
		for try := 0; try < 20_000 && len(ins) < some; try++ {
			if m := random(); proto.Size(m) >= 20 && proto.Size(m) <= 400 {
				ins = append(ins, encodingOf(m))
			}
		}
		return ins
	}
	for range many {
		m := random()
		for try := 0; try < 2000 && proto.Size(m) < 8<<10; try++ {
			proto.Merge(m, random())
		}
		if proto.Size(m) < 8<<10 {
			return nil
		}
		ins = append(ins, encodingOf(m))
	}
	return ins
}

// complete sets the required fields of m, and of all in it.
func complete(r *rand.Rand, m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		if fd := fields.Get(i); fd.Cardinality() == protoreflect.Required && !m.Has(fd) {
			if fd.Message() != nil {
				m.Mutable(fd)
			} else {
				m.Set(fd, scalar(r, fd))
			}
		}
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap():
			if fd.MapValue().Message() != nil {
				v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
					complete(r, v.Message())
					return true
				})
			}
		case fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				complete(r, v.List().Get(i).Message())
			}
		default:
			complete(r, v.Message())
		}
		return true
	})
}

// lists are the packed lists and the maps, of 1000 each.
func lists() map[string][][]byte {
	made := map[string][][]byte{}
	r := rand.New(rand.NewPCG(1, 3))
	for range 16 {
		for name, next := range map[string]func() int64{
			"list-varint1":  func() int64 { return r.Int64N(1 << 7) },
			"list-varint2":  func() int64 { return 1<<7 + r.Int64N(1<<14-1<<7) },
			"list-varint12": func() int64 { return r.Int64N(1 << (1 + r.IntN(14))) },
			"list-varint":   func() int64 { return r.Int64N(1 << (1 + r.IntN(40))) },
		} {
			m := new(distribution.Distribution)
			for range 1000 {
				m.BucketCounts = append(m.BucketCounts, next())
			}
			made[name] = append(made[name], encodingOf(m))
		}
		doubles := new(distribution.Distribution_BucketOptions_Explicit)
		for range 1000 {
			doubles.Bounds = append(doubles.Bounds, r.Float64())
		}
		made["list-fixed64"] = append(made["list-fixed64"], encodingOf(doubles))
		labels := &monitoredres.MonitoredResource{Labels: map[string]string{}}
		for i := range 1000 {
			labels.Labels[fmt.Sprintf("key-%d", i)] = text(r)
		}
		made["map-strings"] = append(made["map-strings"], encodingOf(labels))
	}
	made["string-1MB"] = [][]byte{encodingOf(&monitoredres.MonitoredResource{Type: strings.Repeat("x", 1<<20)})}
	return made
}

// encodingOf returns the encoding with room behind it, as a buffer has.
func encodingOf(m proto.Message) []byte {
	in, err := proto.MarshalOptions{Deterministic: true}.MarshalAppend(make([]byte, 0, proto.Size(m)+arenapb.Slack), m)
	if err != nil {
		panic(err)
	}
	return in
}

// cpuTime is the CPU time of the process, in nanoseconds.
func cpuTime() int64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return r.Utime.Nano() + r.Stime.Nano()
}

func BenchmarkTypes(b *testing.B) {
	for _, f := range foreigns {
		for _, size := range []string{"small", "large"} {
			var ins [][]byte
			impls(b, "type="+f.name+"/size="+size, f, func() [][]byte {
				if ins == nil {
					ins = f.kept(size)
				}
				return ins
			})
		}
	}
	made := sync.OnceValue(lists)
	for _, name := range []string{"list-varint1", "list-varint2", "list-varint12", "list-varint", "list-fixed64", "map-strings", "string-1MB"} {
		f := of[distribution.Distribution](name)
		switch name {
		case "list-fixed64":
			f = of[distribution.Distribution_BucketOptions_Explicit](name)
		case "map-strings", "string-1MB":
			f = of[monitoredres.MonitoredResource](name)
		}
		impls(b, "type="+name, f, func() [][]byte { return made()[name] })
	}
}

// BenchmarkMarshal encodes the same messages.
func BenchmarkMarshal(b *testing.B) {
	type vtMessage interface{ MarshalVT() ([]byte, error) }
	for _, f := range foreigns {
		for _, size := range []string{"small", "large"} {
			run := func(impl string, encode func(m proto.Message) ([]byte, error)) {
				b.Run("type="+f.name+"/size="+size+"/impl="+impl, func(b *testing.B) {
					var messages []proto.Message
					for _, in := range f.kept(size) {
						m := f.new()
						if err := proto.Unmarshal(in, m); err != nil {
							b.Fatal(err)
						}
						messages = append(messages, m)
					}
					all := func() {
						for _, m := range messages {
							if _, err := encode(m); err != nil {
								b.Fatal(err)
							}
						}
					}
					all()
					measure(b, all)
				})
			}
			run("proto", proto.Marshal)
			if _, ok := f.new().(vtMessage); ok {
				run("vt", func(m proto.Message) ([]byte, error) { return m.(vtMessage).MarshalVT() })
			}
			a := (&arena.Pool{Policy: arena.RecycleAll}).Get()
			run("arena", func(m proto.Message) ([]byte, error) {
				b, err := arenapb.Marshal(a, m)
				a.Reset()
				return b, err
			})
		}
	}
}

// measure runs all in a loop, and reports the CPU time of that.
func measure(b *testing.B, all func()) {
	b.ReportAllocs()
	start := cpuTime()
	defer func() { b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "loop-cpu-ns/op") }()
	for b.Loop() {
		all()
	}
}

func impls(b *testing.B, name string, f foreign, inputs func() [][]byte) {
	type vtMessage interface {
		UnmarshalVT([]byte) error
	}
	run := func(impl string, prepare func(b *testing.B, ins [][]byte) (decode func(in []byte) error)) {
		b.Run(name+"/impl="+impl, func(b *testing.B) {
			ins := inputs()
			if len(ins) == 0 {
				b.Skip("there are no such messages")
			}
			decode := prepare(b, ins)
			n := 0
			for _, in := range ins {
				n += len(in)
			}
			all := func() { // they differ
				for _, in := range ins {
					if err := decode(in); err != nil {
						b.Fatal(err)
					}
				}
			}
			all() // for the tables
			b.SetBytes(int64(n))
			measure(b, all)
		})
	}
	run("proto", func(*testing.B, [][]byte) func([]byte) error {
		return func(in []byte) error { return proto.Unmarshal(in, f.new()) }
	})
	run("hyperpb", func(b *testing.B, ins [][]byte) func([]byte) error {
		typ := hyperpb.CompileMessageDescriptor(f.new().ProtoReflect().Descriptor())
		profile := typ.NewProfile()
		for _, in := range ins {
			if err := hyperpb.NewMessage(typ).Unmarshal(in, hyperpb.WithRecordProfile(profile, 1)); err != nil {
				b.Skipf("%s: %v", name, err)
			}
		}
		typ = typ.Recompile(profile)
		shared := new(hyperpb.Shared)
		return func(in []byte) error {
			err := shared.NewMessage(typ).Unmarshal(in, hyperpb.WithAllowAlias(true))
			shared.Free()
			return err
		}
	})
	if _, ok := f.new().(vtMessage); ok {
		run("vt", func(*testing.B, [][]byte) func([]byte) error {
			return func(in []byte) error { return f.new().(vtMessage).UnmarshalVT(in) }
		})
	}
	run("safe", func(*testing.B, [][]byte) func([]byte) error {
		return func(in []byte) error { return arenapb.UnmarshalSafe(in, f.new()) }
	})
	for _, policy := range []arena.Policy{arena.RecycleTyped, arena.RecycleAll} {
		run(policy.String(), func(*testing.B, [][]byte) func([]byte) error {
			pool := &arena.Pool{Policy: policy}
			return func(in []byte) error {
				a := pool.Get()
				defer a.Free()
				return arenapb.Unmarshal(a, in, f.new())
			}
		})
	}
	run("reset", func(*testing.B, [][]byte) func([]byte) error {
		a, o := (&arena.Pool{Policy: arena.RecycleAll}).Get(), arenapb.UnmarshalOptions{AliasInput: true}
		return func(in []byte) error {
			err := o.Unmarshal(a, in, f.inArena(a))
			a.Reset()
			return err
		}
	})
}
