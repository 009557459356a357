package protobuf

import (
	"fmt"
	"math/rand/v2"

	"lessgc/bench/protobuf/benchpb"
)

func exampleUsers(n int) *benchpb.Users {
	m := &benchpb.Users{}
	for i := range n {
		m.Users = append(m.Users, &benchpb.User{
			Id: int64(i), Name: fmt.Sprintf("user name %d", i), Email: fmt.Sprintf("user%d@example.com", i),
			Tags: []string{"reader", "writer", "admin"}, Age: int32(i % 90), Active: i%2 == 0, Score: float64(i) / 3,
		})
	}
	return m
}

func exampleTrace(spans int) *benchpb.Trace {
	r := rand.New(rand.NewPCG(1, 1))
	str := func(k, v string) *benchpb.KeyValue {
		return &benchpb.KeyValue{Key: k, Value: &benchpb.Any{Value: &benchpb.Any_StringValue{StringValue: v}}}
	}
	num := func(k string, v int64) *benchpb.KeyValue {
		return &benchpb.KeyValue{Key: k, Value: &benchpb.Any{Value: &benchpb.Any_IntValue{IntValue: v}}}
	}
	id := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	scope := &benchpb.ScopeSpans{Scope: &benchpb.Scope{Name: "go.example/instrumentation", Version: "1.2.3"}}
	for i := range spans {
		scope.Spans = append(scope.Spans, &benchpb.Span{
			TraceId: id(16), SpanId: id(8), ParentSpanId: id(8), Name: "GET /api/users/{id}", Kind: benchpb.SpanKind_SPAN_KIND_SERVER,
			StartTimeUnixNano: 1700000000000000000 + uint64(i), EndTimeUnixNano: 1700000000000900000 + uint64(i),
			Attributes: []*benchpb.KeyValue{
				str("http.method", "GET"), str("http.url", "https://example.com/api/users/123"), num("http.status_code", 200),
				str("net.peer.ip", "10.1.2.3"), num("net.peer.port", 8080), str("user_agent", "Mozilla/5.0 (X11; Linux x86_64)"),
				str("service", "users"), {Key: "ok", Value: &benchpb.Any{Value: &benchpb.Any_BoolValue{BoolValue: true}}},
			},
			Events: []*benchpb.Event{{TimeUnixNano: 1700000000000100000, Name: "cache.miss", Attributes: []*benchpb.KeyValue{str("key", "user:123"), num("size", 42)}}},
			Status: &benchpb.Status{Message: "OK", Code: 1},
		})
	}
	return &benchpb.Trace{ResourceSpans: []*benchpb.ResourceSpans{{
		Resource:   &benchpb.Resource{Attributes: []*benchpb.KeyValue{str("service.name", "users"), str("host.name", "node-17")}},
		ScopeSpans: []*benchpb.ScopeSpans{scope},
	}}}
}

func exampleProm(series, labels int) *benchpb.WriteRequest {
	m := &benchpb.WriteRequest{}
	for i := range series {
		ts := &benchpb.TimeSeries{Samples: []*benchpb.Sample{{Value: float64(i) * 1.5, Timestamp: 1700000000000 + int64(i)}}}
		for k := range labels {
			ts.Labels = append(ts.Labels, &benchpb.Label{Name: fmt.Sprintf("label_name_%d", k), Value: fmt.Sprintf("value_%d_%d", i, k)})
		}
		m.Timeseries = append(m.Timeseries, ts)
	}
	return m
}

// exampleProfile has the proportions of a CPU profile of a service.
func exampleProfile(samples int) *benchpb.Profile {
	r := rand.New(rand.NewPCG(3, 4))
	m := &benchpb.Profile{SampleType: []*benchpb.ValueType{{Type: 1, Unit: 2}, {Type: 3, Unit: 4}}, TimeNanos: 1700000000000000000, Period: 10000000}
	for i := range samples {
		s := &benchpb.Stack{Value: []int64{int64(r.IntN(100)), int64(r.IntN(1e9))}}
		for range 5 + r.IntN(40) {
			s.LocationId = append(s.LocationId, uint64(1+r.IntN(2000)))
		}
		if i%3 == 0 {
			s.Label = []*benchpb.Tag{{Key: 5, Str: 6}, {Key: 7, Num: int64(r.IntN(4096))}}
		}
		m.Sample = append(m.Sample, s)
	}
	for i := range 2000 {
		m.Location = append(m.Location, &benchpb.Location{Id: uint64(i + 1), MappingId: 1, Address: 0x400000 + r.Uint64N(1<<24),
			Line: []*benchpb.Line{{FunctionId: uint64(1 + i/2), Line: int64(r.IntN(3000))}}})
	}
	for i := range 1000 {
		m.Function = append(m.Function, &benchpb.Function{Id: uint64(i + 1), Name: int64(i + 10), SystemName: int64(i + 10), Filename: int64(i/5 + 1100), StartLine: int64(r.IntN(3000))})
		m.StringTable = append(m.StringTable, fmt.Sprintf("example.com/service/internal/package%d.(*Type%d).Method%d", i/20, i/5, i))
	}
	return m
}

func exampleSmall() *benchpb.Small {
	return &benchpb.Small{Id: 12345, Name: "a small message", Token: "abcdefghijklmnopqrstuvwxyz012345", Cached: true}
}
