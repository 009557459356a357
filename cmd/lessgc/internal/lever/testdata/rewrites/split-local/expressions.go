//go:build go1.22

package parts

import (
	"fmt"
	"strings"
)

// What follows splits what an expression is. A comment behind the statement would keep it.

// request has a path.
type request struct{ path string }

// reads counts the calls of read.
var reads int

func (r *request) read() string {
	reads++
	return r.path
}

func ofField(r *request) (out []string) {
	// rewritten
	parts := strings.Split(r.path, "/")
	for _, part := range parts {
		r.path = "changed"
		out = append(out, part)
	}
	return out
}

func ofCall(r *request) (out []string) {
	var last string
	// rewritten
	parts := strings.Split(r.read(), "/")
	for i, part := range parts {
		last = fmt.Sprint(i, part)
		out = append(out, last)
	}
	return out
}

func ofParameter(text string) (n int) {
	// rewritten
	parts := strings.Split(text, "/")
	for _, part := range parts {
		text += part
		n += len(part) + len(text)
	}
	return n
}

func behindLabel(r *request) (n int) {
	// rewritten
	parts := strings.Split(r.read()+"/", "/")
outer:
	for i, part := range parts {
		for range 3 {
			if part == "" {
				continue outer
			}
		}
		n += i + len(part)
	}
	return n
}

func inCase(r *request, n int) int {
	switch {
	case n > 0:
		// rewritten
		parts := strings.Split(r.read(), "/")
		for _, part := range parts {
			n += len(part)
		}
	}
	return n
}

func commentBetween(r *request) (n int) {
	n++
	parts := strings.Split(r.read(), "/")

	// The first is counted, too.
	for _, part := range parts {
		n += len(part)
	}
	return n
}

// What follows keeps the variable.

func effectBetween(r *request) (n int) {
	// rewritten
	parts := strings.Split(r.path, "/")
	r.path = "changed"
	for _, part := range parts {
		n += len(part)
	}
	return n
}

func callBetween(r *request) (n int) {
	// rewritten
	parts := strings.Split(r.read(), "/")
	n = reads
	for _, part := range parts {
		n += len(part)
	}
	return n
}

func counted(r *request) (n int) {
	// rewritten
	parts := strings.Split(r.path, "/")
	for _, part := range parts {
		n += len(part)
	}
	return n + 100*len(parts)
}

func commentAbove(r *request) (n int) {
	// rewritten
	parts := strings.Split(r.path, "/")

	for _, part := range parts {
		n += len(part)
	}
	return n
}

func commentBehind(r *request) (n int) {
	parts := strings.Split(r.path, "/") // rewritten
	for _, part := range parts {
		n += len(part)
	}
	return n
}

func ofConcatenation(r *request, text string) (n int) {
	// rewritten
	parts := strings.Split(text+"/"+r.read(), "/")
	for i, part := range parts {
		n += i * len(part)
	}
	return n
}

func labelAbove(r *request) (n int) {
	for n == 0 {
		// refused: the loop may come again
		parts := strings.Split(r.read(), "/")
	again:
		for _, part := range parts {
			n += len(part)
		}
		if n < 5 {
			goto again
		}
	}
	return n
}

func severalLines(r *request) (n int) {
	// rewritten
	parts := strings.Split(r.path+
		"/", "/")
	for _, part := range parts {
		n += len(part)
	}
	return n
}

func literal(r *request) (n int) {
	// rewritten
	parts := strings.Split(request{path: r.path}.path, "/")
	for _, part := range parts {
		n += len(part)
	}
	return n
}

func ofItself(parts string) (n int) {
	if n == 0 {
		// rewritten
		parts := strings.Split(parts+"/", "/")
		for _, part := range parts {
			n += len(part)
		}
	}
	return n
}

func wide(r *request) (n int) {
	// rewritten
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(r.path, "a long prefix"), "a suffix"), "/")
	for _, part := range parts {
		n += len(part)
	}
	return n
}
