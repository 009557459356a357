package programs

import (
	"context"
	"time"
)

func weight(name string) int {
	table := map[string]int{"thin": 100, "light": 300, "normal": 400, "medium": 500, "semi": 600, "bold": 700, "extra": 800, "black": 900, "ultra": 950} // want constant-table
	return table[name]
}

func isKeyword(word string) bool {
	keywords := map[string]bool{ // want constant-table
		"break": true, "case": true, "chan": true, "const": true, "continue": true, "default": true, "defer": true, "else": true,
		"fallthrough": true, "for": true, "func": true, "go": true, "goto": true, "if": true, "import": true, "interface": true,
		"map": true, "package": true, "range": true, "return": true, "select": true, "struct": true, "switch": true, "type": true,
		"var": true, "true": true, "false": true,
	}
	return keywords[word]
}

// An element depends on the call.
func weightOf(name string, n int) int {
	table := map[string]int{"thin": n, "light": 300, "normal": 400, "medium": 500, "semi": 600, "bold": 700, "extra": 800, "black": 900, "ultra": 950} // no constant-table
	return table[name]
}

// The caller gets it.
func weights() map[string]int {
	table := map[string]int{"thin": 100, "bold": 700} // no constant-table
	return table
}

// It is changed.
func weightsAnd(name string) map[string]int {
	table := map[string]int{"thin": 100, "bold": 700} // no constant-table
	table[name] = 400
	return table
}

func drain(values chan int, idle time.Duration) int {
	n := 0
	for {
		select {
		case v := <-values:
			n += v
		case <-time.After(idle): // want reuse-timer
			return n
		}
	}
}

// Nothing goes on after it.
func onceOf(values chan int, idle time.Duration) int {
	for {
		select {
		case v := <-values:
			return v
		case <-time.After(idle): // no reuse-timer
			return 0
		}
	}
}

func polls(n int) int {
	for range n {
		t := time.NewTimer(time.Microsecond) // want reuse-timer
		<-t.C
		t.Stop()
	}
	return n
}

// All of them run at the same time.
func pollsKept(n int) (all []*time.Timer) {
	for range n {
		t := time.NewTimer(time.Microsecond) // no reuse-timer
		all = append(all, t)
	}
	return all
}

type contextKey int

const (
	userKey contextKey = iota
	traceKey
)

func incoming(ctx context.Context, user, trace string) context.Context {
	ctx = context.WithValue(ctx, userKey, user)
	ctx = context.WithValue(ctx, traceKey, trace) // want one-context-value
	return ctx
}

// It is the only one.
func withUser(ctx context.Context, user string) context.Context {
	return context.WithValue(ctx, userKey, user) // no one-context-value
}

// Others may look for these.
func withStrings(ctx context.Context, user string) context.Context {
	ctx = context.WithValue(ctx, "user", user)
	ctx = context.WithValue(ctx, "name", user) // no one-context-value
	return ctx
}

// The first is used in between.
func withCheck(ctx context.Context, user string) context.Context {
	ctx = context.WithValue(ctx, userKey, user)
	sink = ctx.Value(userKey)
	ctx = context.WithValue(ctx, traceKey, user) // no one-context-value
	return ctx
}

func outgoing(ctx context.Context, user, trace string) context.Context {
	return context.WithValue(context.WithValue(ctx, userKey, user), traceKey, trace) // want one-context-value
}
