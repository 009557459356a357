package multi

import "strings"

// A code says how something has gone; zero is well.
type code int32

const (
	fine code = iota
	short
	foreign
)

func isFail(c code) bool { return c != fine }

func checked(s string) code {
	if strings.HasPrefix(s, "x") {
		return foreign
	}
	return fine
}

// getCoded returns a text of the pool, or none and why.
func getCoded(s string) (*text, code) {
	if c := checked(s); c != fine {
		return nil, c
	}
	if s == "" {
		return nil, short
	}
	return newText(s), fine
}

func goodCoded(s string) (int, code) {
	t, c := getCoded(s)
	if c != fine {
		return 0, c
	}
	n := len(t.s)
	texts.Put(t)
	return n, fine
}

func goodCodedCall(s string) (int, code) {
	t, c := getCoded(s)
	if isFail(c) {
		return 0, c
	}
	n := len(t.s)
	texts.Put(t)
	return n, fine
}

func goodCodedSwitch(s string) (int, code) {
	t, c := getCoded(s)
	switch c {
	case short:
		return 1, c
	case foreign:
		return 2, c
	}
	n := len(t.s)
	texts.Put(t)
	return n, fine
}

// badCoded loses it when all is well.
func badCoded(s string) (int, code) {
	t, c := getCoded(s) // want "t is not put back on the path"
	if c == fine {
		return len(t.s), c
	}
	if len(s) > 1 {
		return 0, c
	}
	texts.Put(t)
	return 0, fine
}

// getAlways returns a text of the pool whatever the code is.
func getAlways(s string) (*text, code) {
	if s == "" {
		return newText("-"), short
	}
	return newText(s), fine
}

func badAlways(s string) (int, code) {
	t, c := getAlways(s) // want "t is not put back on the path"
	if c != fine {
		return 0, c
	}
	n := len(t.s)
	texts.Put(t)
	return n, fine
}
