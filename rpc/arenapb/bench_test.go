package arenapb

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"

	"lessgc/arena"
	"lessgc/rpc/internal/testpb"
)

func exampleUsers(n int) *testpb.Users {
	m := &testpb.Users{}
	for i := range n {
		m.Users = append(m.Users, &testpb.User{
			Id: int64(i), Name: fmt.Sprintf("user name %d", i), Email: fmt.Sprintf("user%d@example.com", i),
			Tags: []string{"reader", "writer", "admin"}, Age: int32(i % 90), Active: i%2 == 0, Score: float64(i) / 3,
		})
	}
	return m
}

func exampleTrace(spans int) *testpb.Trace {
	r := rand.New(rand.NewPCG(1, 1))
	str := func(k, v string) *testpb.KeyValue {
		return &testpb.KeyValue{Key: k, Value: &testpb.Any{Value: &testpb.Any_StringValue{StringValue: v}}}
	}
	num := func(k string, v int64) *testpb.KeyValue {
		return &testpb.KeyValue{Key: k, Value: &testpb.Any{Value: &testpb.Any_IntValue{IntValue: v}}}
	}
	id := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	scope := &testpb.ScopeSpans{Scope: &testpb.Scope{Name: "go.example/instrumentation", Version: "1.2.3"}}
	for i := range spans {
		scope.Spans = append(scope.Spans, &testpb.Span{
			TraceId: id(16), SpanId: id(8), ParentSpanId: id(8), Name: "GET /api/users/{id}", Kind: testpb.SpanKind_SPAN_KIND_SERVER,
			StartTimeUnixNano: 1700000000000000000 + uint64(i), EndTimeUnixNano: 1700000000000900000 + uint64(i),
			Attributes: []*testpb.KeyValue{
				str("http.method", "GET"), str("http.url", "https://example.com/api/users/123"), num("http.status_code", 200),
				str("net.peer.ip", "10.1.2.3"), num("net.peer.port", 8080), str("user_agent", "Mozilla/5.0 (X11; Linux x86_64)"),
				str("service", "users"), {Key: "ok", Value: &testpb.Any{Value: &testpb.Any_BoolValue{BoolValue: true}}},
			},
			Events: []*testpb.Event{{TimeUnixNano: 1700000000000100000, Name: "cache.miss", Attributes: []*testpb.KeyValue{str("key", "user:123"), num("size", 42)}}},
			Status: &testpb.Status{Message: "OK", Code: 1},
		})
	}
	return &testpb.Trace{ResourceSpans: []*testpb.ResourceSpans{{
		Resource:   &testpb.Resource{Attributes: []*testpb.KeyValue{str("service.name", "users"), str("host.name", "node-17")}},
		ScopeSpans: []*testpb.ScopeSpans{scope},
	}}}
}

func exampleProm(series, labels int) *testpb.WriteRequest {
	m := &testpb.WriteRequest{}
	for i := range series {
		ts := &testpb.TimeSeries{Samples: []*testpb.Sample{{Value: float64(i) * 1.5, Timestamp: 1700000000000 + int64(i)}}}
		for k := range labels {
			ts.Labels = append(ts.Labels, &testpb.Label{Name: fmt.Sprintf("label_name_%d", k), Value: fmt.Sprintf("value_%d_%d", i, k)})
		}
		m.Timeseries = append(m.Timeseries, ts)
	}
	return m
}

func exampleProfile(samples int) *testpb.Profile {
	r := rand.New(rand.NewPCG(3, 4))
	m := &testpb.Profile{SampleType: []*testpb.ValueType{{Type: 1, Unit: 2}, {Type: 3, Unit: 4}}, TimeNanos: 1700000000000000000, Period: 10000000}
	for i := range samples {
		s := &testpb.Stack{Value: []int64{int64(r.IntN(100)), int64(r.IntN(1e9))}}
		for range 5 + r.IntN(40) {
			s.LocationId = append(s.LocationId, uint64(1+r.IntN(2000)))
		}
		if i%3 == 0 {
			s.Label = []*testpb.Tag{{Key: 5, Str: 6}, {Key: 7, Num: int64(r.IntN(4096))}}
		}
		m.Sample = append(m.Sample, s)
	}
	for i := range 2000 {
		m.Location = append(m.Location, &testpb.Location{Id: uint64(i + 1), MappingId: 1, Address: 0x400000 + r.Uint64N(1<<24),
			Line: []*testpb.Line{{FunctionId: uint64(1 + i/2), Line: int64(r.IntN(3000))}}})
	}
	for i := range 1000 {
		m.Function = append(m.Function, &testpb.Function{Id: uint64(i + 1), Name: int64(i + 10), SystemName: int64(i + 10), Filename: int64(i/5 + 1100), StartLine: int64(r.IntN(3000))})
		m.StringTable = append(m.StringTable, fmt.Sprintf("example.com/service/internal/package%d.(*Type%d).Method%d", i/20, i/5, i))
	}
	return m
}

var examples = []struct {
	name string
	m    proto.Message
}{
	{"users", exampleUsers(1000)},
	{"otlp", exampleTrace(500)},
	{"prom", exampleProm(1000, 8)},
	{"profile", exampleProfile(2000)},
	{"small", &testpb.Small{Id: 12345, Name: "a small message", Token: "abcdefghijklmnopqrstuvwxyz012345", Cached: true}},
}

func BenchmarkUnmarshal(b *testing.B) {
	for _, x := range examples {
		in, _ := proto.Marshal(x.m)
		for _, impl := range []string{"std", "safe", "typed", "recycle", "root"} {
			b.Run("msg="+x.name+"/impl="+impl, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(in)))
				typ := x.m.ProtoReflect().Type()
				pool := &arena.Pool{Policy: map[string]arena.Policy{"safe": arena.Safe, "recycle": arena.RecycleAll, "root": arena.RecycleAll}[impl]}
				for b.Loop() {
					switch impl {
					case "std":
						m := typ.New().Interface()
						if err := proto.Unmarshal(in, m); err != nil {
							b.Fatal(err)
						}
					case "root":
						a := pool.Get()
						if err := unmarshalRoot(a, in, x.m); err != nil {
							b.Fatal(err)
						}
						a.Free()
					default:
						a := pool.Get()
						m := typ.New().Interface()
						if err := Unmarshal(a, in, m); err != nil {
							b.Fatal(err)
						}
						a.Free()
					}
				}
			})
		}
	}
}

func unmarshalRoot(a *arena.Arena, in []byte, like proto.Message) error {
	o := UnmarshalOptions{AliasInput: true, Merge: true}
	switch like.(type) {
	case *testpb.Users:
		return o.Unmarshal(a, in, arena.New[testpb.Users](a))
	case *testpb.Trace:
		return o.Unmarshal(a, in, arena.New[testpb.Trace](a))
	case *testpb.WriteRequest:
		return o.Unmarshal(a, in, arena.New[testpb.WriteRequest](a))
	case *testpb.Profile:
		return o.Unmarshal(a, in, arena.New[testpb.Profile](a))
	}
	return o.Unmarshal(a, in, arena.New[testpb.Small](a))
}
