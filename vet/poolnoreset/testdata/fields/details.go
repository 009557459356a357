package fields

import "sync"

type badDetails struct{ name, text string }

// What a field points to is only read: the details of the last error are logged with the next request.
type badOutcome struct {
	failed  bool
	details *badDetails
}

var badOutcomes = sync.Pool{New: func() any { return new(badOutcome) }}

func (o *badOutcome) SetDetails(d *badDetails) {
	if d == nil {
		return
	}
	o.details = d
}

func handleBadOutcome(run func(*badOutcome) error, log func(name, text string)) error {
	o := badOutcomes.Get().(*badOutcome) // want `details of the \*badOutcome of badOutcomes is reset neither after Get nor before Put`
	defer badOutcomes.Put(o)
	o.failed = false
	err := run(o)
	if o.details != nil {
		log(o.details.name, o.details.text)
	}
	return err
}

func failBadOutcome(log func(name, text string)) error {
	return handleBadOutcome(func(o *badOutcome) error {
		o.SetDetails(&badDetails{"fail", "no"})
		return nil
	}, log)
}

// A function that is only called.
type badHooks struct {
	name string
	done func(name string)
}

var badHookPool = sync.Pool{New: func() any { return new(badHooks) }}

func (h *badHooks) OnDone(f func(name string)) { h.done = f }

func runBadHooks(name string, f func(name string)) {
	h := badHookPool.Get().(*badHooks) // want `done of the \*badHooks of badHookPool`
	h.name = name
	if f != nil {
		h.OnDone(f)
	}
	if h.done != nil {
		h.done(h.name)
	}
	badHookPool.Put(h)
}

// An element of an array that a field points to.
type badCorner struct{ at *[2]int }

var badCorners = sync.Pool{New: func() any { return new(badCorner) }}

func (c *badCorner) SetAt(at *[2]int) { c.at = at }

func useBadCorner(at *[2]int) (sum int) {
	c := badCorners.Get().(*badCorner) // want `at of the \*badCorner of badCorners`
	if at != nil {
		c.SetAt(at)
	}
	if c.at != nil {
		sum = c.at[0]
	}
	badCorners.Put(c)
	return sum
}

// What it points to is emptied.
type goodOutcome struct{ details *badDetails }

var goodOutcomes = sync.Pool{New: func() any { return &goodOutcome{details: new(badDetails)} }}

func (o *goodOutcome) SetDetails(d *badDetails) { o.details = d }

func handleGoodOutcome(run func(*goodOutcome) error, log func(name, text string), d *badDetails) error {
	o := goodOutcomes.Get().(*goodOutcome)
	defer goodOutcomes.Put(o)
	if d != nil {
		o.SetDetails(d)
	}
	err := run(o)
	log(o.details.name, o.details.text)
	o.details.name, o.details.text = "", ""
	return err
}

// What it points to gets to a function that may empty it.
type goodShownOn struct{ details *badDetails }

var goodShownOnPool = sync.Pool{New: func() any { return &goodShownOn{details: new(badDetails)} }}

func (o *goodShownOn) SetDetails(d *badDetails) { o.details = d }

func handleGoodShownOn(log func(d *badDetails), d *badDetails) {
	o := goodShownOnPool.Get().(*goodShownOn)
	if d != nil {
		o.SetDetails(d)
	}
	log(o.details)
	goodShownOnPool.Put(o)
}

// The caller resets it before the helper that puts.
type goodHooks struct {
	name string
	done func(name string)
}

var goodHookPool = sync.Pool{New: func() any { return new(goodHooks) }}

func (h *goodHooks) OnDone(f func(name string)) { h.done = f }

func putGoodHooks(h *goodHooks) { goodHookPool.Put(h) }

func runGoodHooks(name string, f func(name string)) {
	h := goodHookPool.Get().(*goodHooks)
	h.name = name
	if f != nil {
		h.OnDone(f)
	}
	if h.done != nil {
		h.done(h.name)
	}
	h.done = nil
	putGoodHooks(h)
}

// A function of the package makes all fields new.
type goodMade struct {
	name string
	done func(name string)
}

var goodMadePool = sync.Pool{New: func() any { return new(goodMade) }}

func (h *goodMade) OnDone(f func(name string)) { h.done = f }

func newGoodMade(name string) *goodMade {
	h := goodMadePool.Get().(*goodMade)
	h.name, h.done = name, func(string) {}
	return h
}

func runGoodMade(name string, f func(name string)) {
	h := newGoodMade(name)
	if f != nil {
		h.OnDone(f)
	}
	h.done(h.name)
	goodMadePool.Put(h)
}

// What is in what it points to is emptied.
type goodNames struct{ seen *goodSeen }

type goodSeen struct{ names map[string]bool }

var goodNamesPool = sync.Pool{New: func() any { return &goodNames{&goodSeen{map[string]bool{}}} }}

func (g *goodNames) SetSeen(s *goodSeen) { g.seen = s }

func useGoodNames(names []string, s *goodSeen) int {
	g := goodNamesPool.Get().(*goodNames)
	if s != nil {
		g.SetSeen(s)
	}
	for _, n := range names {
		g.seen.names[n] = true
	}
	n := len(g.seen.names)
	clear(g.seen.names)
	goodNamesPool.Put(g)
	return n
}
