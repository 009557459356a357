package arenalock

import (
	"go/token"
	"go/types"
)

// lockerType is sync.Locker.
var lockerType = func() *types.Interface {
	method := func(name string) *types.Func {
		return types.NewFunc(token.NoPos, nil, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
	}
	return types.NewInterfaceType([]*types.Func{method("Lock"), method("Unlock")}, nil).Complete()
}()

// locker returns the path from t to the first lock that it holds: types of which each holds the
// next, from t to the lock; nil if there is none. It does on source what untyped.Locker does at
// run time, as TestLocker pins.
func locker(t types.Type) []types.Type {
	t = types.Unalias(t)
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic" {
		return nil
	}
	var held []types.Type
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Interface: // also a type parameter
		return nil
	case *types.Array:
		if u.Len() > 0 {
			held = append(held, u.Elem())
		}
	case *types.Struct:
		for f := range u.Fields() {
			held = append(held, f.Type())
		}
	}
	if types.Implements(types.NewPointer(t), lockerType) {
		return []types.Type{t}
	}
	for _, h := range held {
		if path := locker(h); path != nil {
			return append([]types.Type{t}, path...)
		}
	}
	return nil
}
