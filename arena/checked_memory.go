package arena

import (
	"sync"
	"sync/atomic"
	"weak"
)

// poison makes the object useless.
func (o *target) poison(e *ending) {
	if info := o.site.info; info.pointers {
		n := int(o.bytes / info.size)
		clearWords(o.held, o.bytes)
		page := poisoningOf(nil, nil, nil)
		if o.holding != nil {
			page = poisoningOf(o.site, o.life, e)
			o.page = page
		}
		info.poison(page, o.held, n)
	} else {
		for b := sliceAt[byte](o.held, o.bytes); len(b) > 0; {
			b = b[copy(b, poisonBlock):]
		}
	}
	raceWrite(o.held, o.bytes)
	sanitize(o.held, o.bytes)
	if o.holding != nil {
		o.holding.ended.Store(e)
	}
}

// verify complains if the freed object, which is at p, was written to. It
// reports whether it was.
func (b *batch) verify(o *target, p pointer) bool {
	if b.ended == nil || o.site.info.poisoned(o.page, sliceAt[byte](p, o.bytes)) {
		return false
	}
	findings.fault(o.site.typ + " from " + o.site.location() + " was written to after " + b.ended.by + ": " + b.life.story(b.ended))
	return true
}

// kept notes that the object is still reachable, and whether it was written to.
func (b *batch) kept(o *target, p pointer) {
	if b.ended != nil && !b.verify(o, p) {
		findings.doubt(o.site.typ + " from " + o.site.location() + " is still reachable after " + b.ended.by + ": " + b.life.story(b.ended))
	}
}

// A holding is the owner of the memory at an address.
type holding struct {
	there weak.Pointer[byte]
	life  *life
	site  *site
	page  poisoning // that its pointers lead to, once it is freed
	ended atomic.Pointer[ending]
}

// holdings has the memory of all arenas with a policy that recycles, by the
// address of the object.
var holdings sync.Map // uintptr -> *holding

// holdingAt returns whose memory p points into, nil if it is nobody's.
func holdingAt(p pointer) *holding {
	v, _ := holdings.Load(chunkOf(p))
	if h, ok := v.(*holding); ok && h.there.Value() != nil { // else something else is there now
		return h
	}
	return nil
}

// checkForeign panics if p, of a slice that a is asked to append to, is in
// memory that is free or belongs to another arena.
func (a *Arena) checkForeign(p pointer) {
	st := &loose
	if a != nil {
		st = a.state()
		if sh := a.sharing(); sh != nil {
			st = sh.arena.st
		}
	}
	st.checkForeign(p)
}

func (st *state) checkForeign(p pointer) {
	h := holdingAt(p)
	if h == nil {
		return
	}
	where := h.site.typ + " from " + h.site.location() + ": "
	if e := h.ended.Load(); e != nil {
		panic("arena: " + operation() + " to freed memory, " + where + h.life.story(e) + ", used at " + callers().location())
	}
	if st != &loose && st.life != h.life {
		panic("arena: " + operation() + " to memory of another arena, " + where + h.life.begun() +
			", used at " + callers().location())
	}
}
