package programs

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// A lazyTx keeps what it has to undo.
type lazyTx struct {
	done    map[string]int
	undo    map[string]int
	notes   []string
	scratch map[string]int
	seen    map[int]bool
	marks   map[int]bool
	levels  map[string]int
}

// lazyNewTx makes a map that hardly any transaction puts something into.
func lazyNewTx(n int) *lazyTx {
	t := &lazyTx{
		done: make(map[string]int, 16), // no make-on-write
		undo: make(map[string]int, 16), // want make-on-write
	}
	t.notes = make([]string, 0, 4)      // want make-on-write
	t.marks = make(map[int]bool, n)     // no make-on-write
	t.levels = make(map[string]int, 16) // no make-on-write
	return t
}

func (t *lazyTx) set(key string, v int) {
	t.done[key] = v
	if v == 7 {
		t.undo[key] = v
		t.undo[key+"?"]++
		t.notes = append(t.notes, key)
		t.marks[v] = true
		lazyRaise(t.levels, key)
	}
}

// lazyRaise is given the map each time, and puts something in seldom.
func lazyRaise(levels map[string]int, key string) { levels[key]++ }

func (t *lazyTx) close() int {
	n := len(t.undo) + len(t.notes) + len(t.marks)
	for key := range t.undo {
		n += t.undo[key]
	}
	if t.marks == nil { // who asks wants an answer
		return 0
	}
	lazyRaise(t.levels, "closed")
	return n + len(t.done)
}

// lazyRun does one transaction.
func lazyRun(n int) int {
	t := lazyNewTx(n + 16)
	t.set("a", n)
	return t.close()
}

// A lazyCopied is copied with its map.
type lazyCopied struct{ seen map[int]bool }

func lazyNewCopied() lazyCopied {
	return lazyCopied{seen: make(map[int]bool, 16)} // no make-on-write
}

func (c *lazyCopied) see(i int) {
	if i == 7 {
		c.seen[i] = true
	}
}

// lazyShare copies what it points to: both have the same map.
func lazyShare(c *lazyCopied, i int) bool {
	other := *c
	other.see(i)
	return c.seen[i]
}

// lazyErrors collects errors, of which there are hardly any.
func lazyErrors(values []int) (n int) {
	bad := make(map[int]error, len(values)+8) // want make-on-write
	for i, v := range values {
		if v < 0 {
			bad[i] = errors.New("negative")
		}
	}
	for range bad {
		n++
	}
	return n + len(bad)
}

// lazyReturned hands its map on: nil would be another answer.
func lazyReturned(values []int) map[int]error {
	bad := make(map[int]error, len(values)+8) // no make-on-write
	for i, v := range values {
		if v < 0 {
			bad[i] = errors.New("negative")
		}
	}
	return bad
}

// lazyGet makes a key that only a miss needs.
func lazyGet(recent map[int]*lazyTx, id int) int {
	key := fmt.Sprintf("item/%d", id) // want build-in-branch
	if t := recent[id]; t != nil {
		return len(t.done)
	} else if id > 7 {
		recent[id] = lazyNewTx(id)
		return len(key)
	}
	return 0
}

// lazyMiss makes a text in front of the only branch that needs it.
func lazyMiss(kind string, id int) (n int) {
	key := kind + "/of the items that are missing" // want build-in-branch
	if n = id * id; id == 7 {
		for _, c := range key {
			n += int(c)
		}
		n += lazyRun(len(key))
	}
	return n
}

// lazyShadow has another kind where the text is needed.
func lazyShadow(kind string, id int) (n int) {
	key := kind + "/of the items that are missing" // want build-in-branch
	if kind := 7; id == kind {
		n = lazyRun(len(key))
	}
	return n
}

// lazyCheck makes a text for who may call it.
func lazyCheck(name, kind string, i int) error {
	where := "the " + kind + " of " + name // want build-in-branch
	return lazyReport(where, i)
}

func lazyReport(where string, i int) error {
	if i == 7 {
		return errors.New(where + ": seven")
	}
	return nil
}

// lazyCommon needs its text most of the time.
func lazyCommon(name string, i int) string {
	text := strings.Repeat(name, 3) // no build-in-branch
	if i != 7 {
		return text
	}
	return name
}

// lazySnapshot keeps what was there before it is changed.
func lazySnapshot(values []byte, i int) string {
	before := string(values) // no build-in-branch
	values[0] = byte('a' + i%7)
	if i == 7 {
		return before
	}
	return ""
}

// lazyNumber has an effect each time.
func lazyNumber(last *int, i int) string {
	text := strings.Repeat("x", lazyNext(last)) // no build-in-branch
	if i == 7 {
		return text
	}
	return ""
}

func lazyNext(last *int) int {
	*last++
	return *last%4 + 40
}

type lazyNamed struct{ name string }

// lazyRenamed changes what the text is made of.
func lazyRenamed(n *lazyNamed, i int) string {
	text := n.name + "/of the items that are missing" // no build-in-branch
	n.name = "other"
	if i == 7 {
		return text
	}
	return ""
}

// lazyMethod calls a method that may do anything.
func lazyMethod(x fmt.Stringer, i int) string {
	text := fmt.Sprintf("%v of 100 and some more", x) // no build-in-branch
	if i == 7 {
		return text
	}
	return ""
}

// lazyKept keeps the object each time.
func lazyKept(all *[]*lazyTx, i int) {
	t := &lazyTx{} // no build-in-branch
	*all = append((*all)[:0], t)
	if i == 7 {
		t.notes = append(t.notes, "seven")
	}
}

// lazyLog is given a function that it hardly ever calls.
func lazyLog(name string, i int) int {
	return lazyIf(i == 7, func() int { return len(name) + i }) // want build-in-branch
}

//go:noinline
func lazyIf(really bool, f func() int) int {
	if really {
		lazySink = f
		return f()
	}
	return 0
}

var lazySink func() int

// lazyTable is asked for by who hardly ever looks at it.
func lazyTable(names []string) map[string]int {
	table := make(map[string]int, len(names)+16) // want build-in-branch
	for i, name := range names {
		table[name] = i
	}
	return table
}

func lazyFind(names []string, last *int, i int) int {
	table := lazyTable(names)
	table["none"] = *last
	*last = i
	return lazyIn(table, i)
}

//go:noinline
func lazyIn(table map[string]int, i int) int {
	if i == 7 {
		return len(table)
	}
	return 0
}

// lazyOrder reads what its caller changes before it needs the result.
func lazyOrder(names []string) map[string]int {
	order := make(map[string]int, len(names)+16) // no build-in-branch
	for i, name := range names {
		order[name] = i
	}
	return order
}

func lazySwap(names []string, i int) int {
	order := lazyOrder(names)
	names[0], names[1] = names[1], names[0]
	return lazyIn(order, i)
}

// lazyLocked may see what others have changed, after it has waited for them.
func lazyLocked(mu *sync.Mutex, names []string, i int) int {
	text := strings.Join(names, ", ") // no build-in-branch
	mu.Lock()
	defer mu.Unlock()
	if i == 7 {
		return lazyRun(len(text))
	}
	return 0
}
