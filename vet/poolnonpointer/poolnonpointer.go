package poolnonpointer

import (
	_ "embed"
	"fmt"
	"go/types"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("poolnonpointer", doc, true, run, pooluse.Analyzer)

func run(pass *rule.Pass) error {
	uses := pass.ResultOf[pooluse.Analyzer].(*pooluse.Uses)
	for _, b := range uses.Boxes {
		if !allocates(b.Type, pass.TypesSizes) {
			continue
		}
		name := types.TypeString(b.Type, types.RelativeTo(pass.Pkg))
		through := ""
		if b.Via != nil {
			through = ", through " + b.Via.Name()
		}
		pos, end := uses.Range(b.Call)
		pass.Report(rule.Finding{Pos: pos, End: end, Category: rule.Performance,
			Message: fmt.Sprintf("a value of type %s is put into %s%s: every Put allocates %d bytes for the interface value; keep a *%s in the pool, and put back the pointer that Get returned", name, pool(b), through, pass.TypesSizes.Sizeof(b.Type), name)})
	}
	return nil
}

// allocates reports whether an interface cannot hold a t as it is.
func allocates(t types.Type, sizes types.Sizes) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer && sizes.Sizeof(u) > 1 // the runtime has all bytes ready
	case *types.Slice:
		return true
	case *types.Struct:
		if u.NumFields() == 1 {
			return holds(u.Field(0).Type(), sizes)
		}
		return sizes.Sizeof(u) > 0
	case *types.Array:
		if u.Len() == 1 {
			return holds(u.Elem(), sizes)
		}
		return sizes.Sizeof(u) > 0
	}
	return false
}

// holds is allocates for a struct or array whose only element is a t.
func holds(t types.Type, sizes types.Sizes) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	}
	return allocates(t, sizes)
}

// pool names the pool that a value goes into.
func pool(b *pooluse.Box) string {
	if b.Pool == "sync.Pool" {
		return "a sync.Pool"
	}
	return "the pool " + b.Pool
}
