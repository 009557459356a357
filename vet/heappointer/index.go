package heappointer

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A world holds what is known about a package.
type world struct {
	pass  *analysis.Pass
	funcs []*ssa.Function

	calls    map[*ssa.Function][]ssa.CallInstruction // calls of functions of the package
	values   map[*ssa.Function]bool                  // functions that are used as values
	invoked  map[string]bool                         // names of methods that are called through interfaces
	fields   map[*types.Var][]ssa.Value              // values stored in fields
	globals  map[*ssa.Global][]ssa.Value             // values stored in package-level variables
	elements map[*types.Var][]ssa.Value              // values stored in elements of slices that are fields
	results  map[*ssa.Function]*summary

	within map[string]bool // types for which memory of regions is taken; see allocated
}

// look collects what the functions of a package store and call.
func look(pass *analysis.Pass) *world {
	w := &world{
		pass:     pass,
		calls:    map[*ssa.Function][]ssa.CallInstruction{},
		values:   map[*ssa.Function]bool{},
		invoked:  map[string]bool{},
		fields:   map[*types.Var][]ssa.Value{},
		globals:  map[*ssa.Global][]ssa.Value{},
		elements: map[*types.Var][]ssa.Value{},
		results:  map[*ssa.Function]*summary{},
	}
	in := pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA)
	w.funcs = ssautil.Functions(in)
	for _, fn := range w.funcs {
		for instr := range ssautil.Instructions(fn) {
			w.instruction(instr)
		}
	}
	return w
}

func (w *world) instruction(instr ssa.Instruction) {
	var callee *ssa.Value
	switch instr := instr.(type) {
	case *ssa.Store:
		w.store(instr)
	case ssa.CallInstruction:
		call := instr.Common()
		if call.IsInvoke() {
			w.invoked[call.Method.Name()] = true
			break
		}
		if f := call.StaticCallee(); f != nil {
			w.calls[ssautil.Generic(f)] = append(w.calls[ssautil.Generic(f)], instr)
			if _, closure := call.Value.(*ssa.MakeClosure); !closure {
				callee = &call.Value
			}
		}
	}
	for _, op := range instr.Operands(nil) {
		if op == callee {
			continue
		}
		if f, ok := (*op).(*ssa.Function); ok {
			w.values[source(f)] = true
		}
	}
}

// source is the function that a wrapper calls, or the generic one, or fn.
func source(fn *ssa.Function) *ssa.Function {
	if f, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" {
		if s := fn.Prog.FuncValue(f.Origin()); s != nil {
			return s
		}
	}
	return ssautil.Generic(fn)
}

func (w *world) store(s *ssa.Store) {
	switch addr := s.Addr.(type) {
	case *ssa.FieldAddr:
		f := ssautil.Field(addr)
		w.fields[f] = append(w.fields[f], s.Val)
	case *ssa.Global:
		w.globals[addr] = append(w.globals[addr], s.Val)
	case *ssa.IndexAddr:
		if f := ssautil.LoadedField(addr.X); f != nil {
			w.elements[f] = append(w.elements[f], s.Val)
		}
	}
}

// callers are all calls of fn; ok is false if there may be others.
func (w *world) callers(fn *ssa.Function) (calls []ssa.CallInstruction, ok bool) {
	calls = w.calls[ssautil.Generic(fn)]
	if w.values[ssautil.Generic(fn)] || w.open(fn) {
		return calls, false
	}
	return calls, len(calls) > 0
}

// open reports whether code outside of the package may call fn: other packages, or through an
// interface.
func (w *world) open(fn *ssa.Function) bool {
	if fn.Parent() != nil {
		return false
	}
	if fn.Signature.Recv() != nil && w.invoked[fn.Name()] {
		return true
	}
	return token.IsExported(fn.Name()) && w.pass.Pkg.Name() != "main"
}

// argument returns the value that a call passes for a parameter of its callee, or nil.
func argument(call *ssa.CallCommon, p *ssa.Parameter) ssa.Value {
	for i, q := range p.Parent().Params {
		if q == p && i < len(call.Args) {
			return call.Args[i]
		}
	}
	return nil
}

// binding is the variable that a function literal captured.
func (w *world) binding(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	for i, free := range fn.FreeVars {
		if free != v || fn.Parent() == nil {
			continue
		}
		for c := range ssautil.InstructionsOf[*ssa.MakeClosure](fn.Parent()) {
			if c.Fn == fn {
				return c.Bindings[i]
			}
		}
	}
	return nil
}

// cell is the local variable that addr is the address of, also in a function literal that
// captured it; nil if it is something else.
func (w *world) cell(addr ssa.Value) *ssa.Alloc {
	for {
		switch a := addr.(type) {
		case *ssa.Alloc:
			return a
		case *ssa.FreeVar:
			if addr = w.binding(a); addr == nil {
				return nil
			}
		default:
			return nil
		}
	}
}

// stored returns the values that are stored in a local variable; ok is false if its address
// goes elsewhere.
func (w *world) stored(cell ssa.Value) (list []ssa.Value, ok bool) {
	ok = true
	for r := range ssautil.Uses[ssa.Instruction](cell) {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == cell {
				list = append(list, r.Val)
			} else {
				ok = false
			}
		case *ssa.UnOp, *ssa.DebugRef, *ssa.Convert:
		case *ssa.FieldAddr, *ssa.IndexAddr:
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == cell {
					more, fine := w.stored(r.Fn.(*ssa.Function).FreeVars[i])
					list, ok = append(list, more...), ok && fine
				}
			}
		default:
			ok = false
		}
	}
	return list, ok
}

// fieldsOf returns the values that are stored in the fields of a local variable.
func fieldsOf(cell ssa.Value) (list []ssa.Value) {
	for r := range ssautil.Uses[ssa.Instruction](cell) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			list = append(list, storesTo(r)...)
			list = append(list, fieldsOf(r)...)
		case *ssa.IndexAddr:
			list = append(list, storesTo(r)...)
			list = append(list, fieldsOf(r)...)
		case *ssa.Slice:
			list = append(list, fieldsOf(r)...)
		}
	}
	return list
}

func storesTo(addr ssa.Value) (list []ssa.Value) {
	for s := range ssautil.StoresTo(addr) {
		list = append(list, s.Val)
	}
	return list
}

// nilAt reports whether v is nil in a block because a condition says so, or always.
func nilAt(v ssa.Value, b *ssa.BasicBlock) bool {
	if c, ok := v.(*ssa.Const); ok && c.IsNil() {
		return true
	}
	for ; b != nil && b.Idom() != nil; b = b.Idom() {
		d := b.Idom()
		branch, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		cond, ok := branch.Cond.(*ssa.BinOp)
		if !ok || cond.Op != token.EQL && cond.Op != token.NEQ || cond.X != v {
			continue
		}
		if c, ok := cond.Y.(*ssa.Const); ok && c.IsNil() && (d.Succs[0] == b) == (cond.Op == token.EQL) {
			return true
		}
	}
	return false
}
