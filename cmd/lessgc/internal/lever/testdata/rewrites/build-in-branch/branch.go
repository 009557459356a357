// Package branch builds what a branch needs, each time.
package branch

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// A cache holds texts by number.
type cache struct {
	mu     sync.Mutex
	recent map[int]string
	text   []byte
	misses int
}

func (c *cache) get(id int) string {
	key := fmt.Sprintf("item/%d", id) // rewritten
	if _, ok := c.recent[id]; !ok {
		c.misses++
		c.recent[id] = key
	}
	return c.recent[id]
}

func check(kind, name string, i int) error {
	where := "the " + strings.ToUpper(kind) + " of " + name // rewritten
	if i == 7 {
		// It is the last.
		name := "seven"
		return fmt.Errorf("%s: %s", where, name)
	}
	return nil
}

func counted(values []int, i int) int {
	seen := make([]bool, len(values)+1) // rewritten
	if i == 7 {
		n := 0
		for _, v := range values {
			if !seen[v] {
				n++
			}
			seen[v] = true
		}
		return n
	}
	return 0
}

func repeated(name string, n, i int) string {
	text := strings.Repeat(name, n) // refused: it panics for a negative number
	if i == 7 {
		return text
	}
	return ""
}

func based(n int64, base, i int) string {
	text := strconv.FormatInt(n, base) + " in some base or other" // refused: it panics for a base that there is not
	if i == 7 {
		return text
	}
	return ""
}

func made(n, i int) []byte {
	all := make([]byte, n) // refused: it panics for a negative number
	if i == 7 {
		return all
	}
	return nil
}

func divided(n, by, i int) string {
	text := fmt.Sprintf("%d of the items that there are", n/by) // refused: it panics for zero
	if i == 7 {
		return text
	}
	return ""
}

func asserted(x any, i int) string {
	text := x.(string) + " is the text that it has" // refused: it panics for what is no string
	if i == 7 {
		return text
	}
	return ""
}

func (c *cache) locked(i int) string {
	c.mu.Lock()
	text := string(c.text) // refused: others write to the bytes as soon as they have the lock
	c.mu.Unlock()
	if i == 7 {
		return text
	}
	return ""
}

func joined(names []string, i int) string {
	text := strings.Join(names, ", ") // refused: an element changes before it is needed
	names[0] = "other"
	if i == 7 {
		return text
	}
	return ""
}

func set(kind string, i int) string {
	text := kind + " is what it was before, not after" // refused: the variable is set again
	kind = "other"
	if i == 7 {
		return text + kind
	}
	return ""
}

func pointed(kind string, i int, change func(*string)) string {
	text := kind + " is what it was before, not after" // refused: something points to the variable
	change(&kind)
	if i == 7 {
		return text
	}
	return ""
}

func (c *cache) renamed(i int) string {
	text := fmt.Sprint("after so many misses: ", c.misses) // refused: a field changes before it is needed
	c.misses++
	if i == 7 {
		return text
	}
	return ""
}

func printed(x fmt.Stringer, i int) string {
	text := fmt.Sprintf("%v and some more text behind it", x) // refused: a method may do anything
	if i == 7 {
		return text
	}
	return ""
}

type number int

func (n number) String() string {
	calls++
	return strconv.Itoa(int(n))
}

var calls int

func stringed(n number, i int) string {
	text := fmt.Sprintf("%v and some more text behind it", n) // refused: the type has a method that counts
	if i == 7 {
		return text
	}
	return ""
}

func labels(i int) (n int) {
	table := map[int]string{} // refused: a goto leads to the branch again, which would make it anew
again:
	if i == 7 {
		table[n] = "seven"
		if n++; n < 3 {
			goto again
		}
		n = len(table)
	}
	return n
}

func loop(kind string, i int) (all []*string) {
	text := kind + " is what all of them point to" // refused: each iteration would have one of its own
	for n := range 3 {
		if i == 7 || n == 7 {
			all = append(all, &text)
		}
	}
	return all
}

func literal(kind string, i int) func() *string {
	text := kind + " is what all calls return" // refused: a function literal would make it in each call
	return func() *string {
		if i == 7 {
			return &text
		}
		return nil
	}
}

func shadowed(kind string, i int) (n int) {
	text := kind + " is what the outer one is" // refused: the branch has another variable of the name
	if i == 7 {
		n = len(text)
		text, m := "x", 1
		n += len(text) + m
	}
	return n
}

func renames(kind string, i int) string {
	text := kind + " is what was given" // refused: the name means something else where it is needed
	if i == 7 {
		kind := "other"
		{
			return text + kind
		}
	}
	return ""
}
