// Package builder has loops that make a string longer.
package builder

import (
	"errors"
	"strings"
)

func joined(words []string) string {
	s := ""
	for _, w := range words {
		s += strings.ToUpper(w) + "\n" // rewritten
	}
	return s
}

func listed(words []string) (string, int) {
	var s string
	for i, w := range words {
		if i > 0 {
			s += ", " // rewritten
		}
		s += w // rewritten
	}
	if s == "" {
		return "none", 0
	}
	return "[" + s + "]", len(s)
}

var errEmpty = errors.New("empty")

func checked(words []string) (string, error) {
	out := ""
	for _, w := range words {
		if w == "" {
			return out, errEmpty
		}
		out += w // rewritten
	}
	return out[:len(out)-1], nil
}

type name string

func named(words []name) name {
	var s name
	for _, w := range words {
		s += w // refused: a type of its own is no string
	}
	return s
}

func begun(words []string) string {
	s := "<"
	for _, w := range words {
		s += w // refused: it begins with a text
	}
	return s
}

func given(s string, words []string) string {
	for _, w := range words {
		s += w // refused: a parameter has a text already
	}
	return s
}

func result(words []string) (s string) {
	for _, w := range words {
		s += w // refused: a result is a string
	}
	return
}

func doubled(words []string) string {
	s := ""
	for _, w := range words {
		s += w + s // refused: what is added is made of it
	}
	return s
}

func mirrored(words []string) string {
	s := ""
	for _, w := range words {
		s = w + s // refused: it grows at the front
	}
	return s
}

func deferred(words []string, use func(string)) string {
	s := ""
	defer func() { use(s) }()
	for _, w := range words {
		s += w // refused: a function literal has the variable
	}
	return s
}

func lines(words []string) (all []string) {
	s := ""
	for _, w := range words {
		s += w // refused: it is set anew
		if strings.HasSuffix(w, ".") {
			all = append(all, s)
			s = ""
		}
	}
	return append(all, s)
}

func pointed(words []string) string {
	s := ""
	p := &s
	for _, w := range words {
		s += w // refused: a pointer sets it
		if w == "" {
			*p = "again"
		}
	}
	return s
}

func both(words []string) (string, string) {
	s, t := "", ""
	for _, w := range words {
		s += w // refused: two variables are declared at once
		t = w
	}
	return s, t
}

func shadowed(words []string) string {
	strings := 0
	s := ""
	for _, w := range words {
		s += w // refused: strings is a variable here
		strings++
	}
	return s[strings:]
}

func noted(words []string) string {
	s := /* nothing yet */ ""
	for _, w := range words {
		s += w // refused: a comment would go
	}
	return s
}

func remarked(words []string) string {
	s := ""
	for _, w := range words {
		s += /* with its space */ w // refused: so it would here
	}
	return s
}

func kept(words []string) string {
	s := ""
	last := s
	for _, w := range words {
		s += w // refused: another variable is assigned to it
		if w == "" {
			s = last
		}
		last = w
	}
	return s
}

func ended(words []string) string {
	s := ""
	for _, w := range words {
		s += w // refused: a loop assigns it
	}
	for _, s = range words {
	}
	return s
}
