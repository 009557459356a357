package flow

import (
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Does a function that may pass a value on to others tell its caller whether it has?
//
//	func (m *mailbox) post(b []byte) error {
//		select {
//		case m.queue <- b:
//			return nil // another owner's
//		default:
//			return errFull // still the caller's, who has to release it
//		}
//	}
//
// The same goes for what a struct keeps on some paths only:
//
//	func (r *request) take(b *block, n int) bool {
//		if n < small {
//			return false // still the caller's
//		}
//		r.block = b
//		return true // the request's
//	}
//
// With m.queue <- b alone there is nothing to tell: it is handed over. It takes the states at the
// returns and gives a Told of the summary. Where a result does not tell the two apart the value is
// handed over in all cases, which is silence.

// handsOver adds what a parameter that f sends, or hands to a callee that may, is to callers. Whoever
// receives it may release it, whatever else holds the channel. If a select statement may do something
// else instead, and a result tells which, it is the caller's as long as it was not sent.
func (f *Function) handsOver(p *Param, d *Tracked) {
	tells := d.Has(EffectHandOverIf)
	for i, list := range d.Effects {
		switch i.(type) {
		case *ssa.Send, *ssa.Select:
		default:
			continue
		}
		for _, x := range list {
			if x.Kind == EffectKeep {
				p.Unknown = true
				_, chosen := i.(*ssa.Select)
				tells = tells || chosen
			}
		}
	}
	if !tells && p.KeptIn == 0 {
		return
	}
	p.Unknown = p.Unknown || p.KeptIn == 0
	if d.captured == nil && p.Release == ReleaseNever {
		r := d.states(d.Effects, nil, false)
		p.Told = r.toldHanded(r.outcomes())
	}
}

// handOverIf adds that others may release the origin from the call on: if a result tells that they may, in
// that case only.
func (a *argument) handOverIf(d *Aliases, p *Param) {
	if !p.toldHanded() || !a.sure || a.mark&(MarkSame|MarkAlias) == 0 {
		a.handOver()
		return
	}
	if _, cond := d.toldBy(a, p); cond != nil {
		a.effect(Effect{Kind: EffectHandOverIf, Sure: true, Cond: cond, Told: p.Told})
		return
	}
	a.handOver()
}

// toldHanded reports whether a result tells that others have the parameter.
func (p *Param) toldHanded() bool { return p.Told != nil && p.Release == ReleaseNever }

// tellsHanded reports whether v tells whether others have the origin, or it is still the function's.
func (r *States) tellsHanded(v ssa.Value) bool {
	t := r.toldOf(v)
	return t != nil && (t.Zero == PhaseHanded || t.Other == PhaseHanded)
}

// fillIfTold notes that a call stores its argument v in base only if a result tells so: base does not
// surely hold it.
func (d *Aliases) fillIfTold(base ssa.Value, v ssa.Value, c *ssa.Call, p *Param) {
	d.fill(base, 0, v, c)
	if !p.toldHanded() {
		return
	}
	// The result does not derive, so base is weak as long as it is needed.
	if cond := firstResult(c, 1<<p.Told.Result); cond != nil {
		d.needs(base, []ssa.Value{cond})
	}
}

// filledIfTold reports whether the argument holds the origin because of the call itself alone, which tells
// whether it does.
func (d *Aliases) filledIfTold(a *argument) bool {
	fills := d.fills[ssautil.Root(a.value)]
	if len(fills) != 1 || fills[0] != ssa.Instruction(a.call) {
		return false
	}
	for i, arg := range a.callee.Args {
		if p := a.callee.Summary.Param(i); p.KeptIn&(1<<a.index) != 0 && d.Sure(arg)&(MarkSame|MarkAlias) != 0 && p.toldHanded() {
			return true
		}
	}
	return false
}
