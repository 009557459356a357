package arena

import "lessgc/internal/untyped"

// An owner identifies the purpose of arenas: with package arenagrpc, a method. It has
// audits of its own.
type owner struct {
	name  string
	audit audit
}

// own makes o the owner of a, as far as somebody will ask: if it is watched.
func (a *Arena) own(o *owner) {
	if a.st == nil || a.st.watch == nil {
		return
	}
	w := a.st.watch
	if w.life != nil {
		w.life.owned = o.name
	}
	w.owner = o
	if w.audits != nil {
		w.audits = []*audit{&o.audit, &a.st.pool.audit, &everything}
	}
}

func init() {
	untyped.NewOwner = func(name string) *untyped.Owner {
		o := &owner{name: name}
		return &untyped.Owner{Audit: o.audit.report, Own: func(p untyped.Arena) { as[Arena](p).own(o) }}
	}
}
