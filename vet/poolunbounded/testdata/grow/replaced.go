package grow

import "sync"

type scope struct {
	parent *scope
	vars   map[string]any
}

type runtime struct {
	*scope
	depth int
}

var runtimes = sync.Pool{New: func() any { return &runtime{scope: &scope{}} }}

func (r *runtime) set(name string, v any) { r.scope.vars[name] = v }

// What has grown is replaced before it goes back.
func goodRuntime(names []string, vars map[string]any) {
	r := runtimes.Get().(*runtime)
	r.scope.vars = vars
	for _, n := range names {
		r.set(n, 1)
	}
	r.scope = &scope{}
	runtimes.Put(r)
}

type machine struct {
	*scope
	depth int
}

var machines = sync.Pool{New: func() any { return &machine{scope: &scope{vars: map[string]any{}}} }}

func (m *machine) set(name string, v any) { m.scope.vars[name] = v }

func badMachine(names []string) {
	m := machines.Get().(*machine)
	for _, n := range names {
		m.set(n, 1)
	}
	m.depth = 0
	machines.Put(m) // want "whatever its capacity"
}
