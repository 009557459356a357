package errs

import (
	"errors"
	"testing"
)

func TestErrors(t *testing.T) {
	if err := both([]byte{1}); err == nil || err.Error() != "both: short header" || errors.Unwrap(err).Error() != "short header" {
		t.Error(err)
	}
	if err := both([]byte{1, 2, 3, 4}); err != nil {
		t.Error(err)
	}
	if _, err := trailer(nil); err == nil || err.Error() != shortTrailer {
		t.Error(err)
	}
	if _, err := new(decoder).next(); err == nil || err.Error() != "no more data" {
		t.Error(err)
	}
	if twoTickets() || twice() || sameToken(token()) || repeated() || repeated() || pairs() || recovered() {
		t.Error("two errors are one")
	}
	if marks(3) != 3 || count(3) != 3 {
		t.Error("keys")
	}
	if end := errors.New("the last one"); !last([]error{end}) {
		t.Error("found")
	}
	a, b := new(journal), new(journal)
	a.fail()
	if b.fail(); !a.changed(b.err) {
		t.Error("not changed")
	}
	var all []error
	reported(func(err error) { all = append(all, err) })
	reported(func(err error) { all = append(all, err) })
	if all[0] == all[1] || earlyError != "too early" {
		t.Error(all, earlyError)
	}
	if changeable() == changeable() || named("x").Error() != "no x" || numbered(1).Error() != "error 1" {
		t.Error("other errors")
	}
}
