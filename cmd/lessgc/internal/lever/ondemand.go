package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var onDemand = &Lever{
	Name:  "on-demand",
	Title: "make it when it is first needed",
	Looks: "what a line makes for each operation or object and stores in a field or variable, when the benchmarks, counted statement by statement, read that at most a fourth as often as it is made.",
	Wrong: "when the benchmarks do not do what the program does: there it may be needed each time. When several goroutines read the field: the first read then writes, and needs sync.OnceValue or a lock.",
	Before: `func NewDecoder(b []byte) *Decoder {
	return &Decoder{buf: b, escaped: make([]byte, 0, 512)}
}`,
	After: `func NewDecoder(b []byte) *Decoder { return &Decoder{buf: b} }

func (d *Decoder) unescape() {
	if d.escaped == nil {
		d.escaped = make([]byte, 0, 64)
	}
	...`,
	Model: "What is never read is never made; with it goes the work of making it.",
	Risk:  NoRisk,
	Asks:  "Is it needed as seldom in the program as in the benchmarks, and is what it is made of still there, and the same, when it is first needed? Then leave the field nil, and make it where it is read, in a method of its own.",
	Saves: Saves{Alloc: Range{0.7, 1}, Collect: Range{0.7, 1}, Work: Range{0.5, 1}},
	find:  findOnDemand,
}

func findOnDemand(p *Line) (f Finding) {
	for _, m := range p.makings() {
		if m.share < 0.5 || extends(m.in) {
			continue
		}
		if evidence, share := p.seldom(m, p.demandsOf(m.in, m.expr, m.made)); evidence != nil {
			return Finding{Evidence: evidence, Share: share, Calls: m.calls}
		}
		if evidence, share := p.seldomRead(m); evidence != nil {
			return Finding{Evidence: evidence, Share: share, Calls: m.calls}
		}
	}
	return f
}

// extends reports whether an instruction is a call that is given what it makes larger.
func extends(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	return ok && slices.ContainsFunc(call.Call.Args, func(v ssa.Value) bool {
		_, slice := v.Type().Underlying().(*types.Slice)
		return slice && types.Identical(v.Type(), call.Type())
	})
}

// seldomRead is the evidence that the field which a making is stored in is read seldom; nil if it is not so, or
// others may read it.
func (p *Line) seldomRead(m making) ([]Evidence, float64) {
	to := p.storedIn(m.in.(ssa.Value), 0)
	if to == nil {
		return nil, 0
	}
	field, owner := fieldOf(to), namedOf(to.X.Type())
	if field == nil || owner == nil || field.Exported() && owner.Obj().Exported() || field.Embedded() {
		return nil, 0
	}
	most, reads, ok := p.readsOf(field, isEmpty(m.in.(ssa.Value)))
	if !ok || reads > m.made/seldomUsed {
		return nil, 0
	}
	evidence := []Evidence{p.at(m.expr.Pos(), fmt.Sprintf("made %d times in the benchmarks", m.made)),
		p.at(to.Pos(), fmt.Sprintf("it is stored in field %s of %s", field.Name(), owner.Obj().Name()))}
	if most.IsValid() {
		evidence = append(evidence, p.at(most, fmt.Sprintf("the benchmarks read the field %d times, here and elsewhere", reads)))
	}
	return evidence, m.share * (1 - float64(reads)/float64(m.made))
}

// storedIn is the only field that a value is stored in, here or by a function that gives it back; nil if there is
// none, or something else is done with it.
func (p *Line) storedIn(v ssa.Value, depth int) (to *ssa.FieldAddr) {
	for _, in := range *v.Referrers() {
		var found *ssa.FieldAddr
		switch in := in.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Store:
			found, _ = in.Addr.(*ssa.FieldAddr)
		case *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Slice:
			found = p.storedIn(in.(ssa.Value), depth)
		case *ssa.FieldAddr, *ssa.IndexAddr: // a literal gets its parts
			if _, literal := v.(*ssa.Alloc); literal && onlyStored(in.(ssa.Value)) {
				continue
			}
		case *ssa.MapUpdate:
			if in.Map == v {
				continue
			}
		}
		if found == nil || to != nil {
			return nil
		}
		to = found
	}
	return to
}

// onlyStored reports whether an address is only stored to.
func onlyStored(address ssa.Value) bool {
	for _, in := range *address.Referrers() {
		if store, ok := in.(*ssa.Store); !ok || store.Addr != address {
			return false
		}
	}
	return true
}

// readsOf returns how often the benchmarks read a field for its contents, and the line that does so most; ok is
// false if that is not known. Of a map or slice that is made empty, reads for which nil would do are not counted.
func (p *Line) readsOf(field *types.Var, empty bool) (most token.Pos, sum int64, ok bool) {
	top := int64(-1)
	for _, address := range p.addressesOf(field) {
		if !readsContents(address, empty) {
			continue
		}
		pos := address.Pos()
		n, known := p.executed(pos)
		if !known {
			n, known = p.executedIn(address.Block())
		}
		if !known {
			return most, 0, false
		}
		if sum += n; n > top && pos.IsValid() {
			top, most = n, pos
		}
	}
	return most, sum, true
}

// readsContents reports whether the address of a field is used for more than storing to it and looking whether
// there is something.
func readsContents(address *ssa.FieldAddr, empty bool) bool {
	return slices.ContainsFunc(*address.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store:
			return in.Addr != address
		case *ssa.UnOp:
			return slices.ContainsFunc(*in.Referrers(), func(use ssa.Instruction) bool { return !servedByNil(in, use, empty) })
		}
		return true
	})
}

// servedByNil reports whether nil would do for a use of what a field has.
func servedByNil(v ssa.Value, in ssa.Instruction, empty bool) bool {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.BinOp:
		return isNilConst(in.X) || isNilConst(in.Y)
	case *ssa.Slice:
		return isInt(in.High, 0)
	case *ssa.Lookup, *ssa.Range:
		return empty
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		return ok && empty && b.Name() != "append" && servesNil(b.Name(), in.Call.Args, v)
	}
	return false
}
