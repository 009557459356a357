package foreign

import (
	"strings"
	"testing"

	_ "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	_ "cel.dev/expr"
	_ "github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	_ "google.golang.org/genproto/googleapis/api/annotations"
	_ "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
	_ "google.golang.org/genproto/googleapis/api/httpbody"
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"
	_ "google.golang.org/grpc/binarylog/grpc_binarylog_v1"
	_ "google.golang.org/grpc/channelz/grpc_channelz_v1"
	_ "google.golang.org/grpc/health/grpc_health_v1"
	_ "google.golang.org/grpc/reflection/grpc_reflection_v1"
	_ "google.golang.org/protobuf/types/descriptorpb"
	_ "google.golang.org/protobuf/types/known/apipb"
	_ "google.golang.org/protobuf/types/known/typepb"
	_ "google.golang.org/protobuf/types/pluginpb"

	_ "lessgc/bench/protobuf/benchpb"
	_ "lessgc/examples/users/userspb"
)

// TestSample tries the types that this module links.
func TestSample(t *testing.T) {
	var found strings.Builder
	r := Run(20, &found)
	t.Log(r)
	if r.Differences > 0 || r.Panics > 0 {
		t.Errorf("%v:\n%s", r, found.String())
	}
	if r.Types < 300 {
		t.Errorf("%d types, want 300 and more", r.Types)
	}
}
