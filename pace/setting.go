package pace

import "os"

// The owners of a setting.
const (
	byPace        = "pace"
	byEnvironment = "environment"
	byProgram     = "program"
)

// A setting is GOGC or the memory limit, and who sets it. It is pace's until another party sets it.
type setting struct {
	set     func(int64) (before int64)
	owner   string
	initial int64 // restored in the end
	value   int64 // in effect, as far as is known
	changes uint64
}

// newSetting looks who has set the value that a setting has now.
func newSetting(variable string, value, unset int64, set func(int64) int64) setting {
	s := setting{set: set, owner: byPace, initial: value, value: value}
	switch {
	case os.Getenv(variable) != "":
		s.owner = byEnvironment
	case value != unset:
		s.owner = byProgram
	}
	return s
}

func (s *setting) own() bool { return s.owner == byPace }

// see hands the setting over if another party has changed it.
func (s *setting) see(value int64) {
	if value != s.value && s.own() {
		s.owner = byProgram
	}
	s.value = value
}

// to changes the setting, unless another party did since it was seen: that value is put back then.
func (s *setting) to(value int64) {
	if !s.own() || value == s.value {
		return
	}
	if before := s.set(value); before != s.value {
		s.set(before)
		s.see(before)
		return
	}
	s.value = value
	s.changes++
}
