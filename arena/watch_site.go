package arena

import (
	"path"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A site is a call in the program that asks arenas for values of a type.
type site struct {
	info *typeInfo
	typ  string
	pc   uintptr // of the call, as runtime.Callers returns it
}

// A siteKey identifies a site.
type siteKey struct {
	info *typeInfo
	form form
	pc   uintptr
}

// A form is the way in which values of a type were allocated.
type form uint8

const (
	single form = iota
	sliced
	text
	chunked
)

var sites sync.Map // siteKey -> *site: as many as the program has sites

// siteOf returns the site at which memory for n elements of r is made.
func siteOf(r *record, n int) *site {
	key := siteKey{info: r.info, form: formOf(r, n), pc: r.arena.watch.from}
	if key.pc == 0 {
		var near [10]uintptr // enough for most, from the call that makes the chunk
		pcs := near[:runtime.Callers(5, near[:])]
		key.pc = firstCaller(pcs)
		if r.raw && r.arena.str.record == r && !slices.ContainsFunc(pcs, isBytes) {
			key.form = text
		}
	}
	if key.pc == 0 { // package arenapb goes as deep as messages are nested
		var all [200]uintptr
		n := runtime.Callers(2, all[:])
		if key.pc = firstCaller(all[:n]); key.pc == 0 {
			key.pc = all[n-1]
		}
	}
	if s, ok := sites.Load(key); ok {
		return s.(*site)
	}
	s, _ := sites.LoadOrStore(key, &site{info: r.info, typ: key.form.typ(r.info.elem), pc: key.pc})
	return s.(*site)
}

// isBytes reports whether the call at pc is in [Arena.Bytes].
func isBytes(pc uintptr) bool { return callOf(pc) == bytesCall }

// callerOfNew returns the call that takeSlow is busy with, or 0 if it does not find
// it. A stack takes the longer the more of it there is: here it is short yet.
func callerOfNew() uintptr {
	var near [5]uintptr // what New consists of, where it is called, and once more for the containers
	return firstCaller(near[:runtime.Callers(5, near[:])])
}

func formOf(r *record, n int) form {
	switch {
	case r.arena.watched() && !r.arena.alone():
		return chunked
	case r.isText():
		return text
	case r.raw || r.arena.watch.sliced:
		return sliced
	}
	return single
}

// typ returns the name of what was allocated.
func (f form) typ(elem reflect.Type) string {
	switch f {
	case text:
		return "string"
	case sliced:
		return strings.Replace("[]"+elem.String(), "[]uint8", "[]byte", 1)
	case chunked:
		return "chunk of " + elem.String()
	}
	return elem.String()
}

// location returns the file and line of the call.
func (s *site) location() string { return locationOf(frameOf(s.pc)) }

// name returns the function, file and line of the call.
func (s *site) name() string {
	f := frameOf(s.pc)
	return f.Function + " " + locationOf(f)
}

// A stack holds the callers of a call to this package, innermost first.
type stack [8]uintptr

// callers returns the stack of the one who called this package.
func callers() *stack {
	s := new(stack)
	var pcs [32]uintptr
	n := runtime.Callers(2, pcs[:])
	for i, pc := range pcs[:n] {
		if !isOwn(pc) {
			copy(s[:], pcs[i:n])
			break
		}
	}
	return s
}

// location returns the file and line of the call.
func (s *stack) location() string { return locationOf(frameOf(s[0])) }

// String returns the calls, one per line.
func (s *stack) String() string {
	var b strings.Builder
	for _, pc := range s {
		if pc != 0 {
			f := frameOf(pc)
			b.WriteString("\n\t" + f.Function + " " + locationOf(f))
		}
	}
	return b.String()
}

// operation returns the name of the exported function or method of this package, or of
// one below it, that is being called, such as "New", "Arena.String" or "deep.Detach".
func operation() string {
	var pcs [32]uintptr
	name := ""
	for _, pc := range pcs[:runtime.Callers(2, pcs[:])] {
		if !isOwn(pc) {
			break
		}
		name = frameOf(pc).Function
		name = strings.TrimPrefix(name[strings.LastIndexByte(name, '/')+1:], "arena.")
	}
	return strings.NewReplacer("[...]", "", "(*", "", ")", "").Replace(name)
}

// firstCaller returns the first of pcs that is not in this package, or one that
// allocates for its callers as this one does.
func firstCaller(pcs []uintptr) uintptr {
	for _, pc := range pcs {
		if !isOwn(pc) {
			return pc
		}
	}
	return 0
}

// ownPackage is the prefix of names of functions of this package; ownPackages adds
// the prefixes of packages whose calls are as good as calls of this one.
var (
	ownPackage  = reflect.TypeFor[Arena]().PkgPath() + "."
	module      = path.Dir(ownPackage) + "/"
	ownPackages = []string{ownPackage, module + "arena/", module + "internal/untyped.", module + "internal/outline.", module + "rpc/arenapb."}
)

// A call classifies a call site.
type call uint8

const (
	otherCall call = iota
	ownCall        // in this package, its tests excepted, or as good as that
	bytesCall      // in [Arena.Bytes]
)

var calls sync.Map // pc -> call

// isOwn reports whether the call at pc is in this package, its tests excepted.
func isOwn(pc uintptr) bool { return callOf(pc) != otherCall }

func callOf(pc uintptr) call {
	if c, ok := calls.Load(pc); ok {
		return c.(call)
	}
	f, c := frameOf(pc), otherCall
	switch {
	case f.Function == ownPackage+"(*Arena).Bytes":
		c = bytesCall
	case !strings.HasSuffix(f.File, "_test.go") && slices.ContainsFunc(ownPackages, func(p string) bool { return strings.HasPrefix(f.Function, p) }):
		c = ownCall
	}
	calls.Store(pc, c)
	return c
}

// frameOf describes the call at pc. runtime.Callers returns one pc per call,
// inlined ones included; each of them can be looked up alone.
func frameOf(pc uintptr) runtime.Frame {
	f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return f
}

// locationOf returns the folder, file and line of a frame: "server/handle.go:12".
func locationOf(f runtime.Frame) string {
	if f.File == "" {
		return "an unknown location"
	}
	dir, file := path.Split(f.File)
	return path.Join(path.Base(dir), file) + ":" + strconv.Itoa(f.Line)
}
