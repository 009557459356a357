package presizemap

type set struct {
	rules map[string]int
	named table
}

type table map[string]int

func (s *set) inner() map[string]int { // clone
	if s == nil || len(s.rules) == 0 {
		return make(map[string]int)
	}
	all := make(map[string]int)
	for k, v := range s.rules {
		all[k] = v
	}
	return all
}

func (s *set) compared() map[string]int { // clone
	if s == nil {
		return nil
	}
	if nil == s.rules {
		return map[string]int{}
	}

	all := map[string]int{}
	for k, v := range s.rules {
		all[k] = v
	}

	return all
}

func within(from map[string]int) (out *set) { // clone
	if len(from) > 0 {
		var all = map[string]int{}
		for k, v := range from {
			all[k] = v
		}
		out = &set{rules: all}
	}
	return out
}

func made(keys []string) (first, second map[string]int) { // clone
	first = nil
	all := map[string]int{}
	all["a"] = len(keys)
	for _, key := range keys {
		all[key]++
	}
	more := make(map[string]int)
	for k, v := range all {
		more[k] = v
	}
	return all, more
}

func notANumber(from map[float64]any) map[float64]any { // clone
	if from == nil {
		return map[float64]any{}
	}
	all := map[float64]any{}
	for k, v := range from {
		all[k] = v
	}
	return all
}

func boxed(from map[any]int) map[any]int { // clone
	if from == nil {
		return map[any]int{}
	}
	all := map[any]int{}
	for k, v := range from {
		all[k] = v
	}
	return all
}

func generic[M ~map[K]V, K comparable, V any](from M) M { // none: the size of an entry is not known
	if from == nil {
		return M{}
	}
	all := M{}
	for k, v := range from {
		all[k] = v
	}
	return all
}

func (s *set) maybeNil() map[string]int { // size: a clone of nil is nil
	all := map[string]int{}
	for k, v := range s.rules {
		all[k] = v
	}
	return all
}

func (s *set) oneOfTwo(ok bool) map[string]int { // size: both are asked for
	if s.rules == nil && ok {
		return nil
	}
	all := map[string]int{}
	for k, v := range s.rules {
		all[k] = v
	}
	return all
}

func (s *set) stays(ok bool) map[string]int { // size: the branch does not leave
	if s.rules == nil {
		ok = !ok
	}
	if ok {
		return nil
	}
	more := map[string]int{}
	for k, v := range s.rules {
		more[k] = v
	}
	return more
}

func (s *set) called() map[string]int { // size: a call may make it nil
	if s.rules == nil {
		return nil
	}
	s.forget()
	all := map[string]int{}
	for k, v := range s.rules {
		all[k] = v
	}
	return all
}

func (s *set) forget() { s.rules = nil }

func (s *set) forgetful() bool { s.rules = nil; return false }

func (s *set) calledBehind() map[string]int { // size: a call behind the comparison may make it nil
	if s.rules == nil || s.forgetful() {
		return nil
	}
	all := map[string]int{}
	for k, v := range s.rules {
		all[k] = v
	}
	return all
}

func (s *set) assigned(more map[string]int) map[string]int { // size: it is assigned since then
	if s.rules == nil {
		return nil
	}
	s.rules = more
	all := map[string]int{}
	for k, v := range s.rules {
		all[k] = v
	}
	return all
}

func redeclared(from map[string]int) map[string]int { // size: it is assigned since then, by :=
	if from == nil {
		return nil
	}
	from, n := map[string]int(nil), len(from)
	all := map[string]int{}
	for k, v := range from {
		all[k] = v
	}
	all[""] = n
	return all
}

func otherField(s, t *set) map[string]int { // size: another map was compared
	if t.rules == nil {
		return nil
	}
	all := map[string]int{}
	for k, v := range s.rules {
		all[k] = v
	}
	return all
}

func (s *set) otherType() map[string]int { // size: a clone has the other type
	if s.named == nil {
		return nil
	}
	all := map[string]int{}
	for k, v := range s.named {
		all[k] = v
	}
	return all
}

func widened(from map[string]int) map[string]any { // size: each value is converted
	if from == nil {
		return nil
	}
	all := map[string]any{}
	for k, v := range from {
		all[k] = v
	}
	return all
}

func commented(from map[string]int) map[string]int { // size: a comment would go
	if from == nil {
		return nil
	}
	all := map[string]int{}
	for k, v := range from {
		// The last one wins.
		all[k] = v
	}
	return all
}

func commentedBefore(from map[string]int) map[string]int { // size: a comment would go
	if from == nil {
		return nil
	}
	all := map[string]int{} // a copy
	for k, v := range from {
		all[k] = v
	}
	return all
}

func more(from map[string]int) (all map[string]int, n int) { // size: the loop counts
	if from == nil {
		return nil, 0
	}
	m := map[string]int{}
	for k, v := range from {
		m[k] = v
		n++
	}
	return m, n
}

func doubled(from map[string]int) map[string]int { // size: the values are others
	if from == nil {
		return nil
	}
	all := map[string]int{}
	for k, v := range from {
		all[k] = v + v
	}
	return all
}

func apart(from map[string]int) map[string]int { // size: it has an entry before
	if from == nil {
		return nil
	}
	all := map[string]int{}
	all["first"] = 1
	for k, v := range from {
		all[k] = v
	}
	return all
}

func local(from map[string]int, keys []string) (n int) { // size: the map may be on the stack
	if from == nil {
		return -1
	}
	all := map[string]int{}
	for k, v := range from {
		all[k] = v
	}
	for _, key := range keys {
		n += all[key]
		delete(all, key)
	}
	return n + len(all)
}

func shadowedMaps(from map[string]int) map[string]int { // size: maps is another name here
	if from == nil {
		return nil
	}
	all := map[string]int{}
	for k, v := range from {
		all[k] = v
	}
	maps := []string{"a"}
	all[maps[0]] += 0
	return all
}

func outer(from map[string]int) (map[string]int, string) { // size: the loop leaves the last key
	if from == nil {
		return nil, ""
	}
	k, v := "", 0
	all := map[string]int{}
	for k, v = range from {
		all[k] = v
	}
	return all, k[:min(v, 1)]
}

func assignedByLoop(all []map[string]int) map[string]int { // size: a loop assigns the other map
	from := map[string]int{}
	for _, from = range all {
		from["seen"] = 1
	}
	to := map[string]int{}
	for k, v := range from {
		to[k] = v
	}
	return to
}

func pointed(change func(*map[string]int)) map[string]int { // size: the other map may be assigned by its address
	from := map[string]int{}
	change(&from)
	to := map[string]int{}
	for k, v := range from {
		to[k] = v
	}
	return to
}

func captured() map[string]int { // none: a function literal assigns the other map
	from := map[string]int{}
	func() { from = nil }()
	to := map[string]int{}
	for k, v := range from {
		to[k] = v
	}
	return to
}

func again(from map[string]int) map[string]int { // size: a goto leads between
	if from == nil {
		return nil
	}
	from = nil
next:
	all := map[string]int{}
	for k, v := range from {
		all[k] = v
	}
	if len(all) > 100 {
		goto next
	}
	return all
}

func received(from map[string]int, ready chan bool, s *set) map[string]int { // size: another goroutine may have set it meanwhile
	if s.rules == nil {
		return from
	}
	if <-ready {
		return nil
	}
	all := map[string]int{}
	for k, v := range s.rules {
		all[k] = v
	}
	return all
}
