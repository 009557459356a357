package owner

import "lessgc/arena"

// A table lies in its own arena, with its header and its rows.
type table struct {
	mem  *arena.Arena
	head *heading
	rows []int
	name string
	old  []int
}

type heading struct{ lines []string }

var tables = arena.Pool{Policy: arena.RecycleAll}

func newTable(name string, n int, old []int) *table {
	a := tables.Get()
	return &table{
		mem:  a,
		head: arena.New[heading](a),
		rows: arena.MakeSlice[int](a, n, n),
		name: name,
		old:  old,
	}
}

func (t *table) close() { t.mem.Free() }

func badHead(n int) int {
	t := newTable("head", n, nil)
	t.head.lines = arena.Append(t.mem, t.head.lines, "first")
	t.close()
	return len(t.head.lines) // want "is used after"
}

func badRows(n int) int {
	t := newTable("rows", n, nil)
	t.mem.Free()
	return t.rows[0] // want "is used after"
}

func goodRows(n int) int {
	t := newTable("rows", n, nil)
	first := t.rows[0]
	t.mem.Free()
	return first
}

// The name and the old rows are not memory of the arena.
func goodOthers(n int, old []int) (string, int) {
	t := newTable("others", n, old)
	t.close()
	return t.name, t.old[0]
}

// The rows are others by then.
func goodRowsReplaced(n int) int {
	t := newTable("rows", n, nil)
	t.mem.Free()
	t.rows = make([]int, n)
	return t.rows[0]
}

type view struct {
	*arena.Arena
	*heading
}

func newView() view {
	a := tables.Get()
	return view{Arena: a, heading: arena.New[heading](a)}
}

func (v view) drop() { v.Free() }

func badView() int {
	v := newView()
	v.lines = arena.Append(v.Arena, v.lines, "first")
	v.drop()
	return len(v.lines) // want "is used after"
}

func goodView() int {
	v := newView()
	v.lines = arena.Append(v.Arena, v.lines, "first")
	n := len(v.lines)
	v.drop()
	return n
}

// One of two is in the arena.
func newEither(heap bool) *table {
	a := tables.Get()
	t := &table{mem: a}
	if heap {
		t.rows = make([]int, 4)
	} else {
		t.rows = arena.MakeSlice[int](a, 4, 4)
	}
	return t
}

func goodEither(heap bool) int {
	t := newEither(heap)
	t.close()
	return t.rows[0]
}
