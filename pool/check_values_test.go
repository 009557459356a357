package pool

import (
	"runtime"
	"testing"
)

// TestLoansForget checks that the checked build forgets a value that is gone, and
// not the new one at its address.
func TestLoansForget(t *testing.T) {
	var l loans
	old := departed{&l, 4096, l.add(4096)}
	now := departed{&l, 4096, l.add(4096)}
	old.forget()
	if l.end(4096, t) != now.record.loan {
		t.Error("the loan of the new value is not the one that ended")
	}
	now.forget()
	if n := l.count(); n != 0 {
		t.Errorf("%d values known, want none", n)
	}
}

// TestEnrollCleanup checks that a value is forgotten when it is collected.
func TestEnrollCleanup(t *testing.T) {
	var p Pool[[64]byte]
	for range 100 {
		enroll(&p, new([64]byte))
	}
	l := watchOf(&p.watch).loans
	for range 10_000 {
		if l.count() == 0 {
			return
		}
		runtime.GC()
		runtime.Gosched()
	}
	t.Errorf("%d values known after many collections, want none", l.count())
}

func (l *loans) count() (n int) {
	for i := range l {
		l[i].mu.Lock()
		n += len(l[i].values)
		l[i].mu.Unlock()
	}
	return n
}
