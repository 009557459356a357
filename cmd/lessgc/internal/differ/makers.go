package differ

import (
	"go/types"
	"slices"
	"strings"
)

// beginnings of the names of functions that make values.
var beginnings = []string{"New", "new", "Make", "make", "Parse", "parse", "From", "from"}

// findMakers finds the functions of the package that return a type of it, perhaps with an error.
func (a *asker) findMakers() {
	names := a.pkg.Scope().Names()
	for _, name := range names {
		f, ok := a.pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(name, b) }) {
			continue
		}
		sig := f.Signature()
		if sig.TypeParams() != nil || sig.Results().Len() == 0 || sig.Results().Len() > 2 || a.graph.harm(f) != "" {
			continue
		}
		if sig.Results().Len() == 2 && !types.Identical(sig.Results().At(1).Type(), types.Universe.Lookup("error").Type()) {
			continue
		}
		named := namedOf(sig.Results().At(0).Type())
		if named == nil || named.Obj().Pkg() != a.pkg || named.TypeArgs() != nil {
			continue
		}
		able := true
		for v := range sig.Params().Variables() {
			// A maker that takes what it makes, as a copy, is none.
			if n := namedOf(v.Type()); n == named || a.ask(v.Type()) != "" {
				able = false
			}
		}
		if able {
			a.makers[named.Obj()] = append(a.makers[named.Obj()], f)
			a.inputs.makers = append(a.inputs.makers, name)
		}
	}
	// What was asked before all of them were known may be wrong.
	clear(a.why)
	a.left, a.kinds = nil, nil
}

// An instance is a function with its type parameters replaced.
type instance struct {
	call
	signature *types.Signature
}

// mostInstances bounds with how many types a generic function is checked.
const mostInstances = 3

// instances returns how a function is called: once, or with a few types if it is generic.
func instances(f *types.Func) (all []instance) {
	sig := f.Signature()
	if recv := sig.Recv(); recv != nil {
		return instancesOfMethod(f, recv)
	}
	if sig.TypeParams() == nil {
		return []instance{{call{oldPrefix + f.Name(), f.Name()}, sig}}
	}
	for _, args := range combinations(sig.TypeParams()) {
		one, err := types.Instantiate(nil, sig, args, true)
		if err != nil {
			continue
		}
		suffix := typeList(args)
		all = append(all, instance{call{oldPrefix + f.Name() + suffix, f.Name() + suffix}, one.(*types.Signature)})
		if len(all) == mostInstances {
			break
		}
	}
	return all
}

func instancesOfMethod(f *types.Func, recv *types.Var) (all []instance) {
	named := namedOf(recv.Type())
	_, pointer := types.Unalias(recv.Type()).(*types.Pointer)
	if named == nil {
		return nil
	}
	name := named.Obj().Name()
	write := func(suffix string, sig *types.Signature) {
		t := name + suffix
		if pointer {
			t = "(*" + t + ")"
		}
		all = append(all, instance{call{t + "." + oldPrefix + f.Name(), t + "." + f.Name()}, sig})
	}
	origin := named.Origin()
	if origin.TypeParams() == nil {
		write("", f.Signature())
		return all
	}
	for _, args := range combinations(origin.TypeParams()) {
		one, err := types.Instantiate(nil, origin, args, true)
		if err != nil {
			continue
		}
		object, _, _ := types.LookupFieldOrMethod(types.NewPointer(one), true, f.Pkg(), f.Name())
		if method, ok := object.(*types.Func); ok {
			write(typeList(args), method.Signature())
		}
		if len(all) == mostInstances {
			break
		}
	}
	return all
}

func typeList(args []types.Type) string {
	var all []string
	for _, t := range args {
		all = append(all, t.String())
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// combinations returns lists of types to try for type parameters.
func combinations(params *types.TypeParamList) (all [][]types.Type) {
	integer, text := types.Typ[types.Int], types.Typ[types.String]
	candidates := []types.Type{integer, text, types.NewSlice(integer), types.NewSlice(types.Typ[types.Uint8]), types.NewSlice(text),
		types.NewMap(text, integer), types.Typ[types.Float64]}
	if params.Len() > 3 {
		candidates = candidates[:2]
	}
	all = [][]types.Type{nil}
	for range params.Len() {
		var longer [][]types.Type
		for _, t := range candidates {
			for _, list := range all {
				longer = append(longer, append(slices.Clone(list), t))
			}
		}
		all = longer
	}
	return all
}
