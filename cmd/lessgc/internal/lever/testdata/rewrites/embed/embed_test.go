package embed

import (
	"sync"
	"testing"
)

func TestEmbed(t *testing.T) {
	equal := func(what string, got, want any) {
		if got != want {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	s := newScanner("abc")
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { s.run() })
	}
	all.Wait()
	equal("run", s.run(), "4:25:46:67:8")
	equal("name", s.name, "abc!")
	equal("apart", newScanner("x").run(), "2:2")
	equal("plainly", plainly(1), 2)
	equal("equalAt", equalAt(1), false)
	equal("setAt", setAt(1), true)
	equal("always", always(3).line(), 3)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("never does not panic")
			}
		}()
		never().line()
	}()
	equal("twice", twice(1), 2)
	equal("alias", alias(1), 2)
	equal("replace", replace(1), 8)
	equal("pass", pass(1), 1)
	equal("start", start(1), 2)
	equal("key", key(1), 1)
	equal("print", print(1), "*embed.printed true")
	equal("values", values(1), 2)
	equal("convert", convert(1), 1)
	equal("insideOf", insideOf(1), 2)
	equal("later", later(1), -1)
	equal("tag", tag(1), 1)
	equal("finalize", finalize(1), 1)
	x := newTested(1)
	x.pos = nil
	equal("tested", x.pos == nil, true)
	y := NewExported(2)
	z := *y
	z.pos.next()
	equal("exported", y.pos.line, 3)
	equal("instance", instance(1), 2)
	equal("link", link(1), 1)
}

func TestKept(t *testing.T) {
	c := newConn()
	if meters[0] != c.meter {
		t.Error("another meter")
	}
	if *held() != 0 {
		t.Error("not zero")
	}
}
