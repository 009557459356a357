package calls

import (
	"bytes"

	"lessgc/arena"
)

var pool arena.Pool // recycled once: it compiles

type server struct {
	a       *arena.Arena
	scratch arena.Arena
	pool    arena.Pool
	audits  *arena.Pool
}

type request struct{ *arena.Arena }

type ints []int

func next() []byte { return nil }

func badAppendSlice(a *arena.Arena, s, v []int) []int {
	return arena.AppendSlice(a, s, v) // want `^arena.AppendSlice is gone: use arena.Append\(a, s, v...\)$`
}

func badAppendSliceInstantiated(a *arena.Arena, s []int, v ints) []int {
	return arena.AppendSlice[int](a, s, v /* all of it */) // want `arena.AppendSlice is gone`
}

func badAppendSliceLines(a *arena.Arena) []byte {
	return arena.AppendSlice( // want `arena.AppendSlice is gone`
		a, // the arena
		nil,
		// what is appended
		next(),
	)
}

func badAppendSliceNested(a *arena.Arena, s, v []byte) []byte {
	return arena.AppendSlice(a, arena.AppendSlice(a, s, v), arena.AppendSlice(a, v, a.Bytes(s, v))) // want `AppendSlice` `AppendSlice` `AppendSlice` `Bytes`
}

func badBytes(a *arena.Arena, b, c []byte) []byte {
	return a.Bytes(b, c) // want `^arena.Arena.Bytes\(b, c\) is gone: use arena.Append\(a, a.Bytes\(b\), c...\)$`
}

func badBytesThree(s *server, b, c []byte) []byte {
	return s.a.Bytes(next(), []byte("x"), c[1:]) // want `Bytes`
}

func badBytesValue(s *server, b, c []byte) []byte {
	return s.scratch.Bytes(b, c) // want `Bytes`
}

func badBytesNested(a *arena.Arena, b, c []byte) []byte {
	return a.Bytes(a.Bytes(b, c), c) // want `Bytes` `Bytes`
}

func badKeepAll(a *arena.Arena) {
	a.KeepAll()               // want `^arena.Arena.KeepAll is gone: use a.Keep\(\)$`
	defer a.KeepAll()         // want `KeepAll`
	f := a.KeepAll            // want `KeepAll`
	(*arena.Arena).KeepAll(a) // want `KeepAll`
	f()
}

func badPromoted(r request) string {
	r.KeepAll()               // want `arena.Arena.KeepAll is gone`
	return r.Concat("a", "b") // want `arena.Arena.Concat is gone: use a.String\(x \+ y\)`
}

func badConcat(s *server, x string) string {
	_ = s.a.Concat(x)                        // want `Concat`
	_ = s.a.Concat(x+x, "y", string(next())) // want `Concat`
	_ = s.a.Concat(                          // want `Concat`
		x,
		"y",
	)
	return s.a.Concat(s.a.Concat(x, x), s.a.Concat(x, "z")) // want `Concat` `Concat` `Concat`
}

func badAudit(s *server, pools []arena.Pool) {
	_ = pool.Audit()             // want `^arena.Pool.Audit is gone: use audit.Of\(p\), package lessgc/arena/audit$`
	_ = s.pool.Audit()           // want `Audit`
	_ = s.audits.Audit()         // want `Audit`
	_ = pools[1].Audit().Objects // want `Audit`
}

func badAuditNames() (arena.Report, error) { // want `^arena.Report is gone: use audit.Report, package lessgc/arena/audit$`
	f := arena.Verify // want `arena.Verify is gone`
	if err := f(); err != nil {
		return arena.Report{}, err // want `arena.Report is gone`
	}
	var all []arena.Escape                        // want `arena.Escape is gone`
	all = append(all, arena.Escapes().Escapes...) // want `arena.Escapes is gone`
	return arena.Escapes(), nil                   // want `arena.Escapes is gone`
}

func badConstants() arena.Pool {
	return arena.Pool{Policy: arena.Default, AuditEvery: 2 * arena.DefaultAuditEvery} // want `^arena.Default is gone: use RecycleTyped$` `^arena.DefaultAuditEvery is gone: use 100$`
}

func goodBytes(a *arena.Arena, b []byte) []byte { return a.Bytes(b) }

func goodKeep(a *arena.Arena) { a.Keep() }

func goodAppend(a *arena.Arena, s, v []int) []int { return arena.Append(a, s, v...) }

// log has methods of the same names.
type log struct{ bytes.Buffer }

func (*log) KeepAll()            {}
func (*log) Concat(...string)    {}
func (*log) Keep(any)            {}
func (*log) Audit()              {}
func (*log) Bytes(...[]byte) int { return 0 }

type noisy struct {
	*arena.Arena
	log
}

func goodOthers(l *log, n noisy) {
	l.KeepAll()
	l.Concat("x", "y")
	l.Keep(1)
	l.Audit()
	l.Bytes(nil, nil)
	n.KeepAll()
	n.log.Keep(2)
}

func goodShadow(a *arena.Arena) {
	type t struct{ AppendSlice, Map int }
	arena := t{}
	_ = arena.AppendSlice + arena.Map
}
