package arena

import (
	"context"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"lessgc/internal/checked"
)

// The types of several tests: a list's element and a pair of pointers.
type (
	node struct {
		next, prev *node
		list       *int
		value      any
	}
	pair [2]*int
)

// TestNil checks that everything works on the heap.
func TestNil(t *testing.T) {
	var a *Arena
	m := a.Mark()
	a.Keep()
	*New[int](a) = 1
	*Of[int](a).New() = 2
	if s := Of[int](a).Make(1, 2); len(s) != 1 || cap(s) != 2 {
		t.Errorf("len %d, cap %d", len(s), cap(s))
	}
	if s := MakeSlice[int](a, 1, 2); len(s) != 1 || cap(s) != 2 {
		t.Errorf("len %d, cap %d", len(s), cap(s))
	}
	if s := Of[int](a).Append([]int{1}, 2); len(s) != 2 || s[0] != 1 || s[1] != 2 {
		t.Errorf("%v", s)
	}
	if got := Append(a, Append[byte](a, nil, 'a'), []byte("bc")...); string(got) != "abc" {
		t.Errorf("%q", got)
	}
	if got := a.String("a") + a.StringFrom([]byte("bc")) + string(a.Bytes([]byte("de"))); got != "abcde" {
		t.Errorf("%q", got)
	}
	if a.Child() != nil || FromContext(NewContext(context.Background(), a)) != nil {
		t.Error("not nil")
	}
	if s := a.Stats(); s.Bytes != 0 || s.Types != nil {
		t.Errorf("%+v", s)
	}
	a.Release(m)
	a.Reset()
	a.Free()
	a.Free()
}

// TestZero checks that every method works on the zero value, and gives what it gives on
// the heap.
func TestZero(t *testing.T) {
	called := map[string]bool{"Free": true}
	check := func(name string, f func(a *Arena) bool) {
		t.Helper()
		var a Arena
		if !f(&a) {
			t.Errorf("%s does not work", name)
		}
		a.Free()
		called[name] = true
	}
	check("New", func(a *Arena) bool { return *New[int](a) == 0 })
	check("Of", func(a *Arena) bool { return *Of[int](a).New() == 0 })
	check("MakeSlice", func(a *Arena) bool { s := MakeSlice[int](a, 1, 2); return len(s) == 1 && cap(s) == 2 && s[0] == 0 })
	check("Append", func(a *Arena) bool { s := Append(a, nil, 1); return len(s) == 1 && s[0] == 1 })
	check("Adopt", func(a *Arena) bool { a.Adopt(); return true })
	check("String", func(a *Arena) bool { return a.String("a") == "a" && a.String("") == "" })
	check("StringFrom", func(a *Arena) bool { return a.StringFrom([]byte("a")) == "a" })
	check("Bytes", func(a *Arena) bool { return string(a.Bytes([]byte("a"))) == "a" })
	check("Mark", func(a *Arena) bool { a.Release(a.Mark()); return true })
	check("Release", func(a *Arena) bool { m := a.Mark(); New[int](a); a.Release(m); return a.Stats().Objects == 0 })
	check("Reset", func(a *Arena) bool { New[int](a); a.Reset(); return a.Stats().Objects == 0 })
	check("Child", func(a *Arena) bool { return *New[int](a.Child()) == 0 })
	check("Share", func(a *Arena) bool { a.Share(); return *New[int](a) == 0 })
	check("Keep", func(a *Arena) bool { a.Keep(); return *New[int](a) == 0 })
	check("Len", func(a *Arena) bool { return a.Len() == 0 })
	check("Stats", func(a *Arena) bool { return a.Stats().Objects == 0 })
	all := reflect.TypeFor[*Arena]()
	for i := range all.NumMethod() {
		if name := all.Method(i).Name; !called[name] {
			t.Errorf("nothing checks %s", name)
		}
	}
}

// panicOf returns the message with which f panics, or "".
func panicOf(f func()) (message string) {
	defer func() {
		if err := recover(); err != nil {
			message = err.(string)
		}
	}()
	f()
	return ""
}

// TestFreed checks that a freed arena says so, with every policy.
func TestFreed(t *testing.T) {
	for _, policy := range policies {
		pool := &Pool{Policy: policy}
		check := func(name string, f func(a *Arena)) {
			t.Helper()
			a := pool.Get()
			New[int](a)
			a.String("a")
			a.Free()
			if got := panicOf(func() { f(a) }); !strings.HasPrefix(got, "arena: ") || !strings.Contains(strings.ToLower(got), "free") {
				t.Errorf("%v: %s after Free panics with %q", policy, name, got)
			}
		}
		check("New", func(a *Arena) { New[int](a) })
		check("New of another type", func(a *Arena) { New[node](a) })
		check("Of", func(a *Arena) { Of[int](a) })
		check("MakeSlice", func(a *Arena) { MakeSlice[int](a, 1, 1) })
		check("Append", func(a *Arena) { Append(a, nil, 1) })
		check("String", func(a *Arena) { a.String("a") })
		check("Bytes", func(a *Arena) { a.Bytes([]byte("a")) })
		check("Concat", func(a *Arena) { a.String("ab") })
		check("Sprintf", func(a *Arena) { a.String("a") })
		check("Mark", func(a *Arena) { a.Mark() })
		check("Reset", func(a *Arena) { a.Reset() })
		check("Child", func(a *Arena) { a.Child() })
		check("Keep", func(a *Arena) { a.Keep() })
		check("Stats", func(a *Arena) { a.Stats() })
		check("Free", func(a *Arena) { a.Free() })
	}
	a := recycled()
	s := Of[int](a)
	s.New()
	a.Free()
	if got := panicOf(func() { s.New() }); !strings.Contains(got, "Free") {
		t.Errorf("New of a slab of a freed arena panics with %q", got)
	}
}

// TestBadArguments checks what make would refuse.
func TestBadArguments(t *testing.T) {
	for _, a := range []*Arena{nil, NewArena()} {
		check := func(name string, f func()) {
			t.Helper()
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic, nil is %v", name, a == nil)
				}
			}()
			f()
		}
		n := -1
		check("negative length", func() { MakeSlice[int](a, n, 0) })
		check("negative capacity", func() { MakeSlice[int](a, 0, n) })
		check("length above capacity", func() { MakeSlice[int](a, 2, -n) })
		check("too large", func() { MakeSlice[[1 << 20]byte](a, 0, 1<<30*-n) })
		a.Free()
	}
}

// TestRelease checks that Release refuses marks that are not valid.
func TestRelease(t *testing.T) {
	check := func(name, want string, f func(a, b *Arena)) {
		t.Helper()
		a, b := NewArena(), NewArena()
		New[int](a)
		if got := panicOf(func() { f(a, b) }); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%s panics with %q, want %q", name, got, want)
		}
	}
	afterReset := "no longer valid"
	if checked.Strict { // in which Reset makes another arena
		afterReset = "another arena"
	}
	check("a mark, twice", "", func(a, _ *Arena) { m := a.Mark(); a.Release(m); New[int](a); a.Release(m) })
	check("another arena", "another arena", func(a, b *Arena) { a.Release(b.Mark()) })
	check("the heap", "another arena", func(a, _ *Arena) { (*Arena)(nil).Release(a.Mark()) })
	check("a later mark", "no longer valid", func(a, _ *Arena) {
		first := a.Mark()
		second := a.Mark()
		a.Release(first)
		a.Release(second)
	})
	check("a later mark, replaced", "no longer valid", func(a, _ *Arena) {
		first := a.Mark()
		second := a.Mark()
		a.Release(first)
		a.Mark()
		a.Release(second)
	})
	check("after Reset", afterReset, func(a, _ *Arena) { m := a.Mark(); a.Reset(); a.Release(m) })
	check("after Free", "freed", func(a, _ *Arena) { m := a.Mark(); a.Free(); a.Release(m) })
}

// TestRefused checks that what someone may wait for is not recycled, and that
// everything else is.
func TestRefused(t *testing.T) {
	check := func(name string, refused bool, f func(a *Arena)) {
		t.Helper()
		for _, policy := range policies {
			a := (&Pool{Policy: policy}).Get()
			got := panicOf(func() { f(a) })
			if want := refused && policy != Safe; strings.Contains(got, "sync.") != want {
				t.Errorf("%s with policy %v panics with %q", name, policy, got)
			}
			a.Free()
		}
	}
	check("mutex", true, func(a *Arena) { New[sync.Mutex](a) })
	check("once", true, func(a *Arena) { New[sync.Once](a) })
	check("wait group in an array in a struct", true, func(a *Arena) {
		New[struct {
			n int
			w [2]sync.WaitGroup
		}](a)
	})
	check("slice of maps", true, func(a *Arena) { MakeSlice[sync.Map](a, 1, 1) })
	check("pointer to a mutex", false, func(a *Arena) { New[struct{ m *sync.Mutex }](a) })
	check("locker", false, func(a *Arena) { New[sync.Locker](a) })
	check("nothing but a word to go vet", false, func(a *Arena) { New[struct{ _ [0]sync.Mutex }](a) }) // as protobuf's messages have it
	check("builder", false, func(a *Arena) { New[strings.Builder](a) })
}

// TestFinalizer pins what the runtime says to a finalizer on an arena object:
// only the first object of a chunk could have one.
func TestFinalizer(t *testing.T) {
	out, err := exec.Command("go", "run", "./testdata/finalizer").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "runtime.SetFinalizer: pointer not at beginning of allocated block") {
		t.Errorf("%v:\n%s", err, out)
	}
}

// TestChild checks that children work in goroutines of their own, and end with
// their parent.
func TestChild(t *testing.T) {
	for _, policy := range policies {
		pool := &Pool{Policy: policy}
		for range 20 {
			a := pool.Get()
			var wg sync.WaitGroup
			var children []*Arena
			for i := range 4 {
				c := a.Child()
				children = append(children, c)
				wg.Go(func() {
					var last *node
					for j := range 1000 {
						n := New[node](c)
						n.prev, n.value = last, i*1000+j
						last = n
					}
					for j := range 1000 {
						if last.value != i*1000+999-j {
							t.Errorf("child %d: %v", i, last.value)
						}
						last = last.prev
					}
					if i%2 == 0 {
						c.Free()
					}
				})
			}
			wg.Wait()
			a.Free()
			for i, c := range children {
				if c != nil && panicOf(func() { c.Free() }) == "" {
					t.Errorf("child %d is not freed", i)
				}
			}
		}
	}
}

func TestContext(t *testing.T) {
	a := NewArena()
	defer a.Free()
	if got := FromContext(NewContext(context.Background(), a)); got != a {
		t.Errorf("%p, want %p", got, a)
	}
	if got := FromContext(context.Background()); got != nil {
		t.Errorf("%p from a context without an arena", got)
	}
}

// TestConcurrent checks a pool that many goroutines use.
func TestConcurrent(t *testing.T) {
	for _, policy := range policies {
		pool := &Pool{Policy: policy, MaxKept: 1 << 20}
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range 200 {
					a := pool.Get()
					s := MakeSlice[*int](a, g*i, g*i)
					for j := range s {
						s[j] = New[int](a)
						*s[j] = g
					}
					for _, p := range s {
						if *p != g {
							t.Errorf("%d, want %d", *p, g)
						}
					}
					a.Free()
				}
			})
		}
		wg.Wait()
	}
}

// TestTypeWord checks that types are told apart by one word, also those that
// have the same memory, and that many types in one arena are.
func TestTypeWord(t *testing.T) {
	type celsius float64
	type kelvin float64
	words := map[uintptr]bool{}
	for _, p := range []any{(*celsius)(nil), (*kelvin)(nil), (*float64)(nil), (**celsius)(nil), (*any)(nil), (*error)(nil), (*struct{})(nil), (*[0]int)(nil)} {
		words[typeWord(p)] = true
	}
	if len(words) != 8 {
		t.Errorf("%d words for 8 types", len(words))
	}
	if typeWord((*celsius)(nil)) != typeWord(any(new(celsius))) {
		t.Error("two words for one type")
	}
	for _, p := range []any{(*celsius)(nil), celsius(1), []kelvin(nil), error(nil), struct{}{}} {
		if typ := reflect.TypeOf(p); typ != nil && reflectWord(typ) != typeWord(p)|1 {
			t.Errorf("a reflect.Type of %v is not its descriptor", typ)
		}
	}
}

// TestManyTypes checks an arena with more types than its table has slots.
func TestManyTypes(t *testing.T) {
	a := (&Pool{}).Get()
	defer a.Free()
	var checks []func() bool
	for range 3 {
		checks = append(checks, sixteen[int8](a)...)
		checks = append(checks, sixteen[int16](a)...)
		checks = append(checks, sixteen[*int](a)...)
		checks = append(checks, sixteen[string](a)...)
	}
	for i, ok := range checks {
		if !ok() {
			t.Errorf("object %d changed", i)
		}
	}
}

// sixteen allocates objects of 16 types made of T.
func sixteen[T comparable](a *Arena) []func() bool {
	return []func() bool{
		object[[1]T](a), object[[2]T](a), object[[3]T](a), object[[4]T](a),
		object[[5]T](a), object[[6]T](a), object[[7]T](a), object[[8]T](a),
		object[struct{ a T }](a), object[struct{ a, b T }](a), object[struct{ a, b, c T }](a), object[*T](a),
		object[struct{ b T }](a), object[struct{ b, c T }](a), object[struct{ b, c, d T }](a), object[[2]*T](a),
	}
}

// object allocates a T and marks its memory, without pointers, as its own.
func object[T comparable](a *Arena) func() bool {
	p := New[T](a)
	zero := *p == *new(T)
	return func() bool { return zero && *p == *new(T) && uintptr(unsafe.Pointer(p))%unsafe.Alignof(*p) == 0 }
}

// TestEnvironment checks that LESSGC_ARENA=heap turns arenas off from the start.
func TestEnvironment(t *testing.T) {
	cmd := exec.Command("go", "run", "./testdata/finalizer") // which is fine on the heap
	cmd.Env = append(cmd.Environ(), "LESSGC_ARENA=heap")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// TestNilSlabs checks that goroutines may have slabs of the heap at once.
func TestNilSlabs(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			s := Of[node](nil)
			var last *node
			for i := range 1000 {
				n := s.New()
				n.prev, n.value = last, g+i
				last = n
			}
			for i := range 1000 {
				if last.value != g+999-i {
					t.Errorf("%v, want %d", last.value, g+999-i)
				}
				last = last.prev
			}
		})
	}
	wg.Wait()
}
