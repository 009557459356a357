package lever

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var protobufArena = &Lever{
	Name:  "protobuf-arena",
	Title: "decode into an arena (lessgc/rpc/arenapb, arenagrpc)",
	Looks: "proto.Unmarshal, or a gRPC handler whose request is decoded, below which the line's memory is allocated.",
	Wrong: "when the message lives longer than the request that it came with (a cache, a queue): then copy out what stays, or use arenapb.UnmarshalSafe. Messages of a few small fields gain little.",
	Before: `m := new(pb.Users)
err := proto.Unmarshal(data, m)`,
	After: `a := pool.Get()
defer a.Free()
m := arena.New[pb.Users](a)
err := arenapb.Unmarshal(a, data, m)`,
	Model: "Measured on the foreign types of bench/results/protobuf.md: a third to a tenth of the CPU time of package proto in recycled arenas for messages of 8 KB, two thirds to a quarter for those of 20 to 400 bytes, 0 to 1 allocations; nine tenths to a third with UnmarshalSafe.",
	Risk:  Lifetime,
	Saves: Saves{Alloc: Range{0.6, 0.98}, Collect: Range{0.5, 1}},
	find:  findProtobuf,
}

// decoders are the functions that every decoding of a binary message goes through.
var decoders = []string{
	"google.golang.org/protobuf/proto.Unmarshal",
	"google.golang.org/protobuf/proto.UnmarshalOptions.Unmarshal",
	"google.golang.org/protobuf/proto.UnmarshalOptions.unmarshal",
}

func findProtobuf(p *Line) (f Finding) {
	share := p.leaves(decoded)
	if share == 0 {
		return f
	}
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok {
			continue
		}
		text := "the request is decoded in " + callText(call)
		if callee := p.callee(call); callee != nil {
			text = callee.Name() + " decodes a message"
		}
		if p.ofAnyType(call) {
			return f
		}
		return Finding{Share: share, Evidence: []Evidence{p.at(call.Pos(), text)}}
	}
	return f
}

// ofAnyType reports whether a call decodes a message whose type is not known here, as a codec
// does: who asked for it knows where it may live.
func (p *Line) ofAnyType(call *ast.CallExpr) bool {
	callee := p.callee(call)
	if callee == nil || !slices.Contains(unmarshals, callee.FullName()) || len(call.Args) != 2 {
		return false
	}
	return types.IsInterface(p.typeOf(call.Args[1]))
}

// unmarshals are the functions of package proto that decode a message, their second argument.
var unmarshals = []string{"google.golang.org/protobuf/proto.Unmarshal", "(google.golang.org/protobuf/proto.UnmarshalOptions).Unmarshal"}

// home is the prefix of the paths of this repository's packages.
var home = strings.TrimSuffix(reflect.TypeFor[Lever]().PkgPath(), "cmd/lessgc/internal/lever")

// decoded reports whether a leaf is what decoding a binary message allocates. The text formats
// and what decodes into arenas already are not meant.
func decoded(l site.Leaf) bool {
	found := false
	for _, f := range l.Path {
		if strings.HasPrefix(f.Package(), home) {
			return false
		}
		found = found || isDecoder(f)
	}
	return found
}

func isDecoder(f prof.Frame) bool {
	for _, name := range decoders {
		if f.Func == name {
			return true
		}
	}
	return false
}

func callText(call *ast.CallExpr) string {
	if id, ok := call.Fun.(*ast.Ident); ok {
		return id.Name
	}
	return "this call"
}
