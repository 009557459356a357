package flow

import "testing"

// TestState checks what the functions say of every situation and of sets of them.
func TestState(t *testing.T) {
	var every state
	for phase := range phases {
		for pending := range pendings {
			s := at(phase, pending)
			if every&s != 0 {
				t.Errorf("phase %d with %d deferred is no situation of its own", phase, pending)
			}
			every |= s
			if all(phase)&s == 0 || all((phase+1)%phases)&s != 0 {
				t.Errorf("all does not know phase %d with %d deferred", phase, pending)
			}
			if got := s.isReleased(); got != (phase == released) {
				t.Errorf("phase %d with %d deferred is released: %v", phase, pending, got)
			}
			if got, want := s.become(handed, live, counted), at(phase, pending); phase == live || phase == counted {
				if got != at(handed, pending) {
					t.Errorf("phase %d with %d deferred becomes %b", phase, pending, got)
				}
			} else if got != want {
				t.Errorf("phase %d with %d deferred becomes %b, though it is not among them", phase, pending, got)
			}
		}
	}
	same := func(phase, pending int) (int, int) { return phase, pending }
	if got := every.each(same); got != every {
		t.Errorf("each loses %b of %b", every&^got, every)
	}
	if got := state(0).each(same); got != 0 {
		t.Errorf("each makes %b of nothing", got)
	}
	if got := every.each(func(int, int) (int, int) { return dropped, maybe }); got != at(dropped, maybe) {
		t.Errorf("each does not join: %b", got)
	}
}

// TestIsReleased checks when sets of situations are certainly released.
func TestIsReleased(t *testing.T) {
	check := func(s state, want bool) {
		t.Helper()
		if s.isReleased() != want {
			t.Errorf("%b is released: %v", s, !want)
		}
	}
	check(0, false)
	check(all(released), true)
	check(at(released, nothing)|at(absent, surely), true)
	check(at(absent, nothing), false)
	check(at(released, nothing)|at(live, nothing), false)
	check(at(released, nothing)|at(counted, nothing), false)
	check(at(released, surely)|at(dropped, nothing), false)
}

// TestEffect checks what actions make of situations.
func TestEffect(t *testing.T) {
	check := func(act act, from, want state) {
		t.Helper()
		if got := effect(action{act: act}, from); got != want {
			t.Errorf("action %d makes %b of %b, want %b", act, got, from, want)
		}
	}
	check(release, at(live, nothing), at(released, nothing))
	check(release, at(live, surely)|at(counted, nothing), at(released, surely)|at(released, nothing))
	check(release, at(absent, nothing), at(absent, nothing))
	check(perhaps, at(live, nothing)|at(released, nothing), at(counted, nothing)|at(released, nothing))
	check(handOver, at(live, nothing)|at(dropped, nothing), at(handed, nothing)|at(dropped, nothing))
	check(deferred, at(live, nothing), at(live, surely))
	check(deferred, at(live, maybe), at(live, surely))
	check(deferred, at(live, surely)|at(live, nothing), at(live, twice)|at(live, surely))
	check(deferred, at(live, twice), at(live, twice))
	check(maybeDeferred, at(live, nothing)|at(live, surely), at(live, maybe)|at(live, surely))
}
