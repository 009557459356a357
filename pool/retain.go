package pool

import (
	"runtime"
	"sync/atomic"

	"lessgc/internal/checked"
)

const (
	small        = 4 << 10  // capacity that is always worth keeping
	large        = 64 << 10 // capacity that has to be needed twice before it is kept
	utilization  = 4        // a use needs the memory if it needs one part in so many
	maxStrikes   = 64       // uses in a row that do not need it
	largeStrikes = 4        // the same of large memory
	defaultBytes = 64 << 20
)

// settle decides whether the memory of h is worth keeping after this use, and pays for
// it. Put calls it after each use but of memory that is small and paid for: that is kept
// whatever its uses need, and they need no more than that.
func (p *Buffers) settle(h *body) {
	need := max(h.asked, h.high, len(h.buf))
	if !h.worthKeeping(need) || cap(h.buf) != h.charged && !p.charge(h) {
		p.letGo(h, need)
	}
	h.last, h.high, h.settled = need, 0, -1
	if 0 < h.charged && h.charged <= small {
		h.settled = h.charged
	}
}

// worthKeeping reports whether the uses of h, the last of which needed need
// bytes, are worth its capacity. It counts the strikes.
func (h *body) worthKeeping(need int) bool {
	size := cap(h.buf)
	if size <= small {
		return true
	}
	if size > largestClass {
		return false
	}
	if size > large && size != h.charged && min(need, h.last) < size/utilization {
		return false
	}
	if need >= size/utilization {
		h.strikes = 0
		return true
	}
	h.strikes++
	return h.strikes < largeStrikes || h.strikes < maxStrikes && size <= large
}

// letGo takes the memory from h, of which the present use needed need bytes. The
// header stays, for it knows what a next use is likely to need: what the last
// two needed both, or the capacity that was worth keeping until this use
// exceeded it, but not so much that guessing wrong is dear.
func (p *Buffers) letGo(h *body, need int) {
	h.want = min(need, h.last)
	if cap(h.buf) != h.charged {
		h.want = max(h.want, h.charged)
	}
	h.want = min(h.want, large)
	a := p.account.Load()
	if h.charged != 0 {
		h.share.take() // has counted h as dropped
	} else {
		a.dropped.Add(1)
	}
	if checked.Enabled {
		p.spoil(h)
	}
	h.buf, h.charged, h.strikes = nil, 0, 0
	h.left, h.turn = 0, h.left
}

// A share is the part of an account that one buffer is responsible for. It is
// apart from the buffer because it is settled when the buffer is gone.
type share struct {
	account *account
	bytes   atomic.Int64
}

// charge makes the account pay for the capacity of h instead of what it has paid
// so far. It reports whether the limit allows that; if not, it changes nothing.
func (p *Buffers) charge(h *body) bool {
	a := p.account.Load()
	size := cap(h.buf)
	if !a.pay(int64(size-h.charged), p.limit()) {
		return false
	}
	if h.share == nil {
		h.share = &share{account: a}
		runtime.AddCleanup(h, (*share).take, h.share)
	}
	if h.charged == 0 {
		a.kept.Add(1)
	}
	h.share.bytes.Store(int64(size))
	h.charged = size
	return true
}

// pay adds n to the bytes kept unless that would exceed the limit. An addition
// that is taken back could make another Put fail for no reason.
func (a *account) pay(n, limit int64) bool {
	for {
		bytes := a.bytes.Load()
		if n > 0 && bytes+n > limit {
			return false
		}
		if a.bytes.CompareAndSwap(bytes, bytes+n) {
			return true
		}
	}
}

// take counts the memory out, if it is counted. It is also the cleanup of the
// buffer.
func (s *share) take() {
	if n := s.bytes.Swap(0); n != 0 {
		s.account.bytes.Add(-n)
		s.account.kept.Add(-1)
		s.account.dropped.Add(1)
	}
}

// moved makes heir responsible for what h was.
func (a *account) moved(h, heir *body) {
	heir.share, heir.charged = &share{account: a}, h.charged
	heir.share.bytes.Store(h.share.bytes.Swap(0))
	runtime.AddCleanup(heir, (*share).take, heir.share)
}

func (p *Buffers) limit() int64 {
	if p.MaxBytes == 0 {
		return defaultBytes
	}
	return p.MaxBytes
}
