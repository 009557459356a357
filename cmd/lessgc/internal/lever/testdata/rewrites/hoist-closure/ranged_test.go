package hoisted

import "testing"

func TestRanged(t *testing.T) {
	a, b := new(noter), new(noter)
	ranged([]*noter{a, b}, "x")
	c := make(chan *noter, 2)
	c <- a
	c <- b
	close(c)
	received(c, "y")
	if len(a.all) != 2 || len(b.all) != 2 {
		t.Error(a.all, b.all)
	}
}
