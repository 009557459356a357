package flow

import (
	"encoding/json"
	"go/ast"
	"go/types"
)

// A record is the fact of a package that was looked at: what its exported functions do.
// Those that are not in it do nothing that matters. A package's fact goes to all that
// import it, directly or not, most of which ask it nothing: it stays packed until one does.
type record struct{ Data []byte }

func (*record) AFact()         {}
func (*record) String() string { return "looked" }

// summaries are those of a package, by the function's name and that of its receiver's type.
type summaries map[string]*Summary

// key is the name of a function within its package.
func key(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	t := recv.Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name() + "." + f.Name()
	}
	return "." + f.Name()
}

// imported is what a function of another package does; nil if nobody knows.
func (a *analyzer) imported(f *types.Func) *Summary {
	pkg := f.Pkg()
	if pkg == nil {
		return nil
	}
	known, ok := a.packages[pkg]
	if !ok {
		var r record
		if a.pass.ImportPackageFact(pkg, &r) && json.Unmarshal(r.Data, &known) != nil {
			known = nil
		}
		a.packages[pkg] = known
	}
	if s := known[key(f)]; s != nil || known == nil {
		return s
	}
	return new(Summary)
}

// export makes a fact of what callers in other packages need to know.
func (a *analyzer) export() error {
	all := summaries{}
	add := func(f *types.Func, s *Summary) {
		if s = s.abroad(); f.Exported() && !s.zero() {
			all[key(f)] = s
		}
	}
	for _, f := range a.order {
		if obj, ok := f.Object().(*types.Func); ok && obj.Pkg() == a.pass.Pkg && a.sums[f.Function] != nil {
			add(obj, a.sums[f.Function])
		}
	}
	for _, file := range a.pass.Files {
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Body == nil {
				if obj, ok := a.pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
					add(obj, blind(obj.Signature()))
				}
			}
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	a.pass.ExportPackageFact(&record{data})
	return nil
}

// abroad is what other packages are told: not whether a function only reads, as most do.
func (s *Summary) abroad() *Summary {
	t := &Summary{Params: append([]Param(nil), s.Params...), Acquires: s.Acquires, Requests: s.Requests}
	for i := range t.Params {
		t.Params[i].Use = false
	}
	return t
}

// blind is the summary of a function without a body.
func blind(sig *types.Signature) *Summary {
	s := new(Summary)
	n := sig.Params().Len()
	if sig.Recv() != nil {
		n++
	}
	for i := range n {
		s.grow(i).Unknown = true
	}
	return s
}

func (s *Summary) zero() bool {
	for i := range s.Params {
		if !s.Params[i].zero() {
			return false
		}
	}
	for _, r := range s.Acquires {
		if r.Kind != None {
			return false
		}
	}
	return s.Requests == ""
}
