package differ

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// folder makes a package p with a file p.go.
func folder(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/p\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "p.go"), text)
	return dir
}

// TestCannot checks which functions are refused, and with what reason.
func TestCannot(t *testing.T) {
	const text = `package p

import (
	"context"
	"log"
	"net"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"unsafe"
)

type worker interface{ work() }

type port interface{ open() error }

type file struct{ f *os.File }

func (f file) open() error { return os.WriteFile("x", nil, 0o666) }

type guarded struct {
	mu    sync.Mutex
	n     int
	done  chan bool
}

func (g *guarded) Add(n int) { g.mu.Lock(); g.n += n; g.mu.Unlock() }
func (g *guarded) Close()    { close(g.done) }

type pattern regexp.Regexp

var exit = os.Exit

func channel(c chan int) int              { return <-c }
func result() <-chan int                  { return nil }
func lock(mu *sync.Mutex)                 { mu.Lock() }
func read(f *os.File)                     {}
func address(c net.Conn)                  {}
func own(w worker)                        { w.work() }
func raw(p unsafe.Pointer)                {}
func matches(p *pattern, s string) bool   { return (*regexp.Regexp)(p).MatchString(s) }
func remove(s string)                     { helper(s) }
func helper(s string)                     { os.RemoveAll(s) }
func write(s string) error                { return file{}.open() }
func leave(n int)                         { exit(n) }
func start(s string) error                { return exec.Command(s).Run() }
func fatal(s string)                      { log.Fatal(s) }
func dial(s string) (net.Conn, error)     { return net.Dial("tcp", s) }
func inContext(_ context.Context, n int) int { return n }
func number[T interface{ ~uint8; m() }](x T) {}
func dynamic(n int) error                 { return opener(n).open() }
func opener(n int) port                   { return file{} }
`
	dir := folder(t, text)
	for fn, want := range map[string]string{
		"channel": "parameter c: a channel cannot be made", "result": "a result is a channel", "lock": "parameter mu: no value of type sync.Mutex",
		"read": "no value of type os.File", "address": "no type that implements net.Conn", "own": "no type that implements worker",
		"raw": "an unsafe.Pointer", "matches": "field expr is unexported, and of package regexp", "remove": "remove leads to os.RemoveAll, which example.com/p.helper calls", "write": "os.WriteFile",
		"leave": "os.Exit", "start": "os/exec", "fatal": "log.Fatal", "dial": "net.Dial", "inContext": "", "number": "no types are known",
		"dynamic": "os.WriteFile", "(*guarded).Add": "", "guarded.Close": "the receiver: field done: a channel",
	} {
		_, err := New(t.Context(), Source{Dir: dir}, Source{Dir: dir}, fn)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", fn, err)
		case want != "" && (!errors.Is(err, ErrCannot) || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", fn, err, want)
		}
	}
}

// TestChangedType checks that a function of another type, and one that is not there, are no pair.
func TestChangedType(t *testing.T) {
	dir := folder(t, "package p\n\nfunc F(n int) int { return n }\n")
	before := Source{dir, map[string][]byte{"p.go": []byte("package p\n\nfunc F(m int32) int { return int(m) }\n")}}
	if _, err := New(t.Context(), before, Source{Dir: dir}, "F"); !errors.Is(err, ErrCannot) {
		t.Error(err)
	}
	before.Files["p.go"] = []byte("package p\n\nfunc F(m int) int { return m }\n")
	if _, err := New(t.Context(), before, Source{Dir: dir}, "F"); err != nil {
		t.Error("with another name of the parameter: ", err)
	}
	if _, err := New(t.Context(), before, Source{Dir: dir}, "G"); err == nil || errors.Is(err, ErrCannot) {
		t.Error(err)
	}
}

// TestWrite checks that no file is replaced.
func TestWrite(t *testing.T) {
	dir := folder(t, "package p\n")
	name := filepath.Join(dir, FileName)
	write(t, name, "mine")
	if _, err := (&Check{Text: []byte("package p\n")}).Write(dir); !errors.Is(err, os.ErrExist) {
		t.Error(err)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != "mine" {
		t.Errorf("%s, %v", data, err)
	}
}

// TestOutcomes checks what is said of functions that vary, take long, or end the process.
func TestOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		old, changed, imports string
		want                  func(Result) bool
	}{
		"map order": {
			"func F(m map[string]int) (all []string) {\n\tfor k := range m {\n\t\tall = append(all, k)\n\t}\n\treturn all\n}",
			"func F(m map[string]int) []string {\n\tvar all []string\n\tfor k := range m {\n\t\tall = append(all, k)\n\t}\n\treturn all\n}", "",
			func(r Result) bool {
				return r.Difference == "" && r.Varied > 0 && strings.Contains(r.Unstable, "varies by itself")
			},
		},
		"map order with a mistake": {
			"func F(m map[string]int) (all []string) {\n\tfor k := range m {\n\t\tall = append(all, k)\n\t}\n\treturn all\n}",
			"func F(m map[string]int) []string {\n\tall := []string{}\n\tfor k := range m {\n\t\tall = append(all, k)\n\t}\n\treturn all\n}", "",
			func(r Result) bool { return strings.Contains(r.Difference, "returns []string{}, and was") },
		},
		"time": {
			"func F() int64 { return time.Now().UnixNano() }", "func F() int64 { return time.Now().UnixNano() + 1 }", "time",
			func(r Result) bool { return r.Difference == "" && r.Unstable != "" && r.Varied == r.Inputs },
		},
		"both slow": {
			"func F(n int) { time.Sleep(time.Hour) }", "func F(n int) { time.Sleep(2 * time.Hour) }", "time",
			func(r Result) bool { return r.Difference == "" && strings.Contains(r.Slow, "takes more than 1s") },
		},
		"new one slow": {
			"func F(n uint8) {}", "func F(n uint8) {\n\tif n > 100 {\n\t\tselect {}\n\t}\n}", "",
			func(r Result) bool { return strings.Contains(r.Difference, "the new function takes more than 1s") },
		},
		"large numbers slow": {
			"func F(n int) (sum int) {\n\tfor i := range n {\n\t\tsum += i % 7\n\t}\n\treturn sum\n}",
			"func F(n int) int {\n\tsum := 0\n\tfor i := range n {\n\t\tsum += i % 7\n\t}\n\treturn sum\n}", "",
			func(r Result) bool { return r.Difference == "" && r.Slow == "" && r.Inputs > 100 },
		},
		"stack overflow": {
			"func F(n uint8) int {\n\tif n > 100 {\n\t\treturn F(n)\n\t}\n\treturn 1\n}", "func F(n uint8) int {\n\tif n > 100 {\n\t\treturn F(n) + 0\n\t}\n\treturn 1\n}", "",
			func(r Result) bool { return r.Difference == "" && strings.Contains(r.Slow, "one of the functions") },
		},
		"deadlock of several": {
			"func F(n int) int { return n }",
			"var a, b = make(chan int, 1), make(chan int, 1)\n\nfunc F(n int) int {\n\tselect {\n\tcase a <- n:\n\tdefault:\n\t\tselect {}\n\t}\n\ttime.Sleep(time.Microsecond)\n\treturn <-a\n}", "time",
			func(r Result) bool { return strings.Contains(r.Difference, "at the same time do not end") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := func(body string) string {
				if strings.Contains(body, c.imports+".") && c.imports != "" {
					return "package p\n\nimport \"" + c.imports + "\"\n\n" + body + "\n"
				}
				return "package p\n\n" + body + "\n"
			}
			r, err := checked(t, folder(t, file(c.changed)), []byte(file(c.old)), "F", Options{Duration: time.Second})
			if err != nil || !c.want(r) {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// TestCopies checks which declarations are copied with the old function.
func TestCopies(t *testing.T) {
	const old = `package p

import . "strings"

type node struct {
	base
	next *node
}

type base struct{ s string }

func (b base) text() string { return b.s }

const (
	first = iota + 1
	second
)

var names, others = []string{"a"}, 2

func F(in []string) string {
	var list *node
	for _, s := range in {
		list = &node{base{s}, list}
	}
	return walk(list, second) + names[0] + ToUpper("x")
}

func walk(n *node, depth int) string {
	if n == nil || depth > 10 {
		return kept()
	}
	return n.text() + n.base.s + walk(n.next, depth+others)
}

func kept() string { return "." }
`
	const changed = `package p

import . "strings"

type node struct {
	base
	next int
}

type base struct{ t string }

func (b base) text() string { return b.t }

const first, second = 1, 2

func F(in []string) string {
	var list []node
	for i, s := range in {
		list = append(list, node{base{s}, i - 1})
	}
	var b Builder
	for i, depth := len(in)-1, second; i >= 0 && depth <= 10; i, depth = list[i].next, depth+2 {
		b.WriteString(list[i].text() + list[i].t)
	}
	return b.String() + kept() + "a" + ToUpper("x")
}

func kept() string { return "." }
`
	dir := folder(t, changed)
	c, err := New(t.Context(), Source{dir, map[string][]byte{"p.go": []byte(old)}}, Source{Dir: dir}, "F")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"type lessgcOldnode", "type lessgcOldbase", "lessgcOldsecond", "var lessgcOldnames, lessgcOldothers", "func lessgcOldwalk"} {
		if !strings.Contains(string(c.Text), name) {
			t.Errorf("%s is not copied", name)
		}
	}
	if strings.Contains(string(c.Text), "lessgcOldkept") {
		t.Error("what did not change is copied")
	}
	if r, err := checked(t, dir, []byte(old), "F", Options{Duration: time.Second / 2}); err != nil || r.Difference != "" || r.Inputs < 10 {
		t.Errorf("%+v, %v", r, err)
	}
	wrong := strings.Replace(changed, "depth+2", "depth+3", 1)
	write(t, filepath.Join(dir, "p.go"), wrong)
	if r, err := checked(t, dir, []byte(old), "F", Options{Duration: 3 * time.Second}); err != nil || r.Difference == "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestPackages checks functions of other kinds of packages: of old versions of Go, and commands; with receivers that
// are generic, that have locks, and that a constructor makes.
func TestPackages(t *testing.T) {
	const plain = `package main

import "sync"

type ring struct {
	mu   sync.Mutex
	buf  []int
	next int
	done chan bool
}

func newRing(n uint8) *ring { return &ring{buf: make([]int, int(n)+1), done: make(chan bool)} }

// Put takes the place of the oldest value.
func (r *ring) Put(x int) (old int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old = r.buf[r.next]
	r.buf[r.next] = x
	r.next = (r.next + 1) % len(r.buf)
	return old
}

func main() {}
`
	const generic = `package p

type pair[K comparable, V any] struct {
	key   K
	value V
}

type list[K comparable, V any] struct{ all []pair[K, V] }

func (l *list[K, V]) Put(k K, v V) (n int) {
	for i, p := range l.all {
		if p.key == k {
			l.all[i].value = v
			return i
		}
	}
	l.all = append(l.all, pair[K, V]{k, v})
	return len(l.all) - 1
}
`
	for _, c := range []struct{ version, fn, old, from, to, want string }{
		{"1.17", "ring.Put", plain, "(r.next + 1) % len(r.buf)", "(1 + r.next) % len(r.buf)", ""},
		{"1.17", "ring.Put", plain, "(r.next + 1) % len(r.buf)", "(r.next + 2) % len(r.buf)", "the receiver"},
		{"1.21", "list.Put", generic, "return len(l.all) - 1", "n = len(l.all) - 1\n\treturn n", ""},
		{"1.21", "list.Put", generic, "\t\t\tl.all[i].value = v\n", "\t\t\tp.value = v\n", "the receiver"},
	} {
		dir := folder(t, strings.Replace(c.old, c.from, c.to, 1))
		write(t, filepath.Join(dir, "go.mod"), "module example.com/p\n\ngo "+c.version+"\n")
		r, err := checked(t, dir, []byte(c.old), c.fn, Options{Duration: time.Second})
		if err != nil || c.want == "" && (r.Difference != "" || r.Panicked > r.Inputs/2) || !strings.Contains(r.Difference, c.want) {
			t.Errorf("%s with %s: %+v, %v", c.fn, c.to, r, err)
		}
	}
}
