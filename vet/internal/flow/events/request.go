package events

import (
	"go/ast"
	"go/types"

	"lessgc/vet/internal/flow"
)

// Does an interceptor keep requests, and does a server in another package recycle them? Neither
// package shows both.
//
//	package audit
//
//	func Intercept(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
//		recent = append(recent, req) // right, unless a server recycles requests
//		return next(ctx, req)
//	}
//
//	package main
//
//	grpc.NewServer(grpc.UnaryInterceptor(audit.Intercept)) // the finding, with arenagrpc.Options here
//
// The first package exports a fact of the function, the second looks up each function of others
// that it names. Which server gets which interceptor is not followed.

// keptRequests is the fact of an interceptor that keeps requests, or of a function that returns one.
// It is a mistake of the server that has it, in another package.
type keptRequests struct {
	What string // becomes of a request: "stored in a map"
}

func (*keptRequests) AFact()           {}
func (k *keptRequests) String() string { return k.What }

// keepsRequests notes that fn, an interceptor in a package that does not import arenagrpc, keeps
// requests.
func (s *search) keepsRequests(fn *flow.Function, what string) {
	top := fn.Function
	for top.Parent() != nil {
		top = top.Parent()
	}
	obj, ok := top.Object().(*types.Func)
	if !ok || !obj.Exported() || s.pass.ImportObjectFact(obj, new(keptRequests)) {
		return
	}
	s.pass.ExportObjectFact(obj, &keptRequests{what})
}

// findKeepers finds interceptors of other packages that keep requests, where a server is set up
// whose requests are recycled.
func (s *search) findKeepers() {
	kind, ok := s.pkg.ServerKind()
	if !ok {
		return
	}
	for _, file := range s.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			f, ok := s.pass.TypesInfo.Uses[id].(*types.Func)
			if !ok || f.Pkg() == nil || f.Pkg() == s.pass.Pkg {
				return true
			}
			var kept keptRequests
			if at := (position{Outlives, s.statement(id.Pos())}); s.pass.ImportObjectFact(f.Origin(), &kept) && s.reported[at] == nil {
				o := &flow.Origin{Kind: kind, Pos: id.Pos(), Name: "requests, in " + f.Name(), Borrowed: true}
				s.reported[at] = o
				s.events = append(s.events, &Event{Kind: Outlives, Origin: o, Pos: id.Pos(), What: kept.What})
			}
			return true
		})
	}
}
