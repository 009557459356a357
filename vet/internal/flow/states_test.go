package flow

import "testing"

// TestState checks what the functions say of every situation and of sets of them.
func TestState(t *testing.T) {
	var every State
	for phase := range phases {
		for pending := range pendings {
			s := At(phase, pending)
			if every&s != 0 {
				t.Errorf("phase %d with %d deferred is no situation of its own", phase, pending)
			}
			every |= s
			if InPhase(phase)&s == 0 || InPhase((phase+1)%phases)&s != 0 {
				t.Errorf("all does not know phase %d with %d deferred", phase, pending)
			}
			if got := s.IsReleased(); got != (phase == PhaseReleased) {
				t.Errorf("phase %d with %d deferred is released: %v", phase, pending, got)
			}
			if got, want := s.become(PhaseHanded, PhaseLive, PhaseMaybe), At(phase, pending); phase == PhaseLive || phase == PhaseMaybe {
				if got != At(PhaseHanded, pending) {
					t.Errorf("phase %d with %d deferred becomes %b", phase, pending, got)
				}
			} else if got != want {
				t.Errorf("phase %d with %d deferred becomes %b, though it is not among them", phase, pending, got)
			}
		}
	}
	same := func(phase Phase, pending Pending) (Phase, Pending) { return phase, pending }
	if got := every.Each(same); got != every {
		t.Errorf("each loses %b of %b", every&^got, every)
	}
	if got := State(0).Each(same); got != 0 {
		t.Errorf("each makes %b of nothing", got)
	}
	if got := every.Each(func(Phase, Pending) (Phase, Pending) { return PhaseDropped, PendingMaybe }); got != At(PhaseDropped, PendingMaybe) {
		t.Errorf("each does not join: %b", got)
	}
}

// TestIsReleased checks when sets of situations are certainly released.
func TestIsReleased(t *testing.T) {
	check := func(s State, want bool) {
		t.Helper()
		if s.IsReleased() != want {
			t.Errorf("%b is released: %v", s, !want)
		}
	}
	check(0, false)
	check(InPhase(PhaseReleased), true)
	check(At(PhaseReleased, PendingNone)|At(PhaseAbsent, PendingSure), true)
	check(At(PhaseAbsent, PendingNone), false)
	check(At(PhaseReleased, PendingNone)|At(PhaseLive, PendingNone), false)
	check(At(PhaseReleased, PendingNone)|At(PhaseMaybe, PendingNone), false)
	check(At(PhaseReleased, PendingSure)|At(PhaseDropped, PendingNone), false)
}

// TestEffect checks what actions make of situations.
func TestEffect(t *testing.T) {
	check := func(act EffectKind, from, want State) {
		t.Helper()
		if got := Apply(Effect{Kind: act}, from); got != want {
			t.Errorf("action %d makes %b of %b, want %b", act, got, from, want)
		}
	}
	check(EffectRelease, At(PhaseLive, PendingNone), At(PhaseReleased, PendingNone))
	check(EffectRelease, At(PhaseLive, PendingSure)|At(PhaseMaybe, PendingNone), At(PhaseReleased, PendingSure)|At(PhaseReleased, PendingNone))
	check(EffectRelease, At(PhaseAbsent, PendingNone), At(PhaseAbsent, PendingNone))
	check(EffectMayRelease, At(PhaseLive, PendingNone)|At(PhaseReleased, PendingNone), At(PhaseMaybe, PendingNone)|At(PhaseReleased, PendingNone))
	check(EffectHandOver, At(PhaseLive, PendingNone)|At(PhaseDropped, PendingNone), At(PhaseHanded, PendingNone)|At(PhaseDropped, PendingNone))
	check(EffectDefer, At(PhaseLive, PendingNone), At(PhaseLive, PendingSure))
	check(EffectDefer, At(PhaseLive, PendingMaybe), At(PhaseLive, PendingSure))
	check(EffectDefer, At(PhaseLive, PendingSure)|At(PhaseLive, PendingNone), At(PhaseLive, PendingTwice)|At(PhaseLive, PendingSure))
	check(EffectDefer, At(PhaseLive, PendingTwice), At(PhaseLive, PendingTwice))
	check(EffectMayDefer, At(PhaseLive, PendingNone)|At(PhaseLive, PendingSure), At(PhaseLive, PendingMaybe)|At(PhaseLive, PendingSure))
}

// TestStateString checks how states are written.
func TestStateString(t *testing.T) {
	check := func(s State, want string) {
		t.Helper()
		if got := s.String(); got != want {
			t.Errorf("%b is %q, want %q", uint32(s), got, want)
		}
	}
	check(0, "not reached")
	check(At(PhaseLive, PendingSure)|At(PhaseAbsent, PendingNone), "absent|live+deferred")
	check(At(PhaseMaybe, PendingMaybe)|At(PhaseReleased, PendingTwice), "released+deferred twice|perhaps released+perhaps deferred")
	check(At(PhaseHanded, PendingNone)|At(PhaseDropped, PendingNone), "handed over|dropped")
}
