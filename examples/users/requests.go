package users

import (
	"fmt"
	"math/rand/v2"

	pb "lessgc/examples/users/userspb"
)

// ExamplePut returns a request with n users.
func ExamplePut(n int) *pb.PutRequest {
	m := &pb.PutRequest{}
	for i := range n {
		m.Users = append(m.Users, &pb.User{
			Id: int64(i), Name: fmt.Sprintf("user name %d", i), Email: fmt.Sprintf("user%d@example.com", i),
			Tags: []string{"reader", "writer", "admin"},
		})
	}
	return m
}

// ExampleExport returns a request with n spans.
func ExampleExport(n int) *pb.ExportRequest {
	r := rand.New(rand.NewPCG(1, 1))
	id := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	text := func(key, v string) *pb.KeyValue {
		return &pb.KeyValue{Key: key, Value: &pb.Value{Value: &pb.Value_StringValue{StringValue: v}}}
	}
	number := func(key string, v int64) *pb.KeyValue {
		return &pb.KeyValue{Key: key, Value: &pb.Value{Value: &pb.Value_IntValue{IntValue: v}}}
	}
	resource := &pb.ResourceSpans{Attributes: []*pb.KeyValue{text("service.name", "users"), text("host.name", "node-17")}}
	for i := range n {
		resource.Spans = append(resource.Spans, &pb.Span{
			TraceId: id(16), SpanId: id(8), ParentSpanId: id(8), Name: "GET /api/users/{id}", Kind: 2,
			StartTimeUnixNano: 1700000000000000000 + uint64(i), EndTimeUnixNano: 1700000000000900000 + uint64(i),
			Attributes: []*pb.KeyValue{
				text("http.method", "GET"), text("http.url", "https://example.com/api/users/123"), number("http.status_code", 200),
				text("net.peer.ip", "10.1.2.3"), number("net.peer.port", 8080), text("user_agent", "Mozilla/5.0 (X11; Linux x86_64)"),
				text("service", "users"), {Key: "ok", Value: &pb.Value{Value: &pb.Value_BoolValue{BoolValue: true}}},
			},
			Events: []*pb.Event{{TimeUnixNano: 1700000000000100000, Name: "cache.miss", Attributes: []*pb.KeyValue{text("key", "user:123"), number("size", 42)}}},
		})
	}
	return &pb.ExportRequest{ResourceSpans: []*pb.ResourceSpans{resource}}
}
