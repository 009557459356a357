// Command testee answers the questions of protobuf's conformance runner. It
// decodes binary messages into arenas, in each lifetime in turn.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"lessgc/arena"
	"lessgc/rpc/arenapb"

	pb "testee/conformance"
	_ "testee/test_messages_edition2023"
	_ "testee/test_messages_proto2"
	_ "testee/test_messages_proto2_editions"
	_ "testee/test_messages_proto3"
	_ "testee/test_messages_proto3_editions"
)

var pools = []*arena.Pool{{Policy: arena.Safe}, {Policy: arena.RecycleTyped}, {Policy: arena.RecycleAll}}

func main() {
	for i := 0; ; i++ {
		var length [4]byte
		if _, err := io.ReadFull(os.Stdin, length[:]); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			fail(err)
		}
		in := make([]byte, binary.LittleEndian.Uint32(length[:]))
		if _, err := io.ReadFull(os.Stdin, in); err != nil {
			fail(err)
		}
		request := &pb.ConformanceRequest{}
		if err := proto.Unmarshal(in, request); err != nil {
			fail(err)
		}
		a := pools[i%len(pools)].Get()
		out, err := arenapb.Marshal(a, answer(a, request))
		if err != nil {
			fail(err)
		}
		binary.LittleEndian.PutUint32(length[:], uint32(len(out)))
		if _, err := os.Stdout.Write(append(length[:], out...)); err != nil {
			fail(err)
		}
		a.Free() // which has the bytes
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "testee:", err)
	os.Exit(1)
}

func answer(a *arena.Arena, request *pb.ConformanceRequest) *pb.ConformanceResponse {
	typ, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(request.GetMessageType()))
	if err != nil {
		return &pb.ConformanceResponse{Result: &pb.ConformanceResponse_Skipped{Skipped: err.Error()}}
	}
	m := typ.New().Interface()
	switch p := request.Payload.(type) {
	case *pb.ConformanceRequest_ProtobufPayload:
		err = arenapb.Unmarshal(a, p.ProtobufPayload, m)
	case *pb.ConformanceRequest_JsonPayload:
		o := protojson.UnmarshalOptions{DiscardUnknown: request.TestCategory == pb.TestCategory_JSON_IGNORE_UNKNOWN_PARSING_TEST}
		err = o.Unmarshal([]byte(p.JsonPayload), m)
	case *pb.ConformanceRequest_TextPayload:
		err = prototext.Unmarshal([]byte(p.TextPayload), m)
	default:
		return &pb.ConformanceResponse{Result: &pb.ConformanceResponse_Skipped{Skipped: "a kind of input that Go does not have"}}
	}
	if err != nil {
		return &pb.ConformanceResponse{Result: &pb.ConformanceResponse_ParseError{ParseError: err.Error()}}
	}
	r := &pb.ConformanceResponse{}
	var b []byte
	switch request.RequestedOutputFormat {
	case pb.WireFormat_PROTOBUF:
		b, err = arenapb.Marshal(a, m)
		r.Result = &pb.ConformanceResponse_ProtobufPayload{ProtobufPayload: b}
	case pb.WireFormat_JSON:
		b, err = protojson.Marshal(m)
		r.Result = &pb.ConformanceResponse_JsonPayload{JsonPayload: string(b)}
	case pb.WireFormat_TEXT_FORMAT:
		b, err = prototext.MarshalOptions{EmitUnknown: request.PrintUnknownFields}.Marshal(m)
		r.Result = &pb.ConformanceResponse_TextPayload{TextPayload: string(b)}
	default:
		r.Result = &pb.ConformanceResponse_Skipped{Skipped: "a kind of output that Go does not have"}
	}
	if err != nil {
		r.Result = &pb.ConformanceResponse_SerializeError{SerializeError: err.Error()}
	}
	return r
}
