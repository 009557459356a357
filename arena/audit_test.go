package arena

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"lessgc/internal/checked"
)

type user struct {
	name  string
	next  *user
	roles []string
}

// request works as a server does for a request, and leaves nothing behind.
func request(a *Arena, i int) int {
	var last *user
	for j := range 5 {
		u := New[user](a)
		u.name, u.next = a.String(fmt.Sprintf("user %d of %d", j, i)), last
		u.roles = Append(a, u.roles, a.String("reader"))
		last = u
	}
	ids := Of[byte](a)
	n := 0
	for u := last; u != nil; u = u.next {
		*ids.New() = byte(len(u.name))
		n += len(u.roles)
	}
	m := a.Mark()
	a.Bytes([]byte("scratch"))
	a.Release(m)
	return n
}

// TestAuditClean checks that a program which makes no mistake has no escapes.
func TestAuditClean(t *testing.T) {
	check := func(p *Pool, requests int) {
		t.Helper()
		work := make(chan int)
		done := make(chan bool)
		for range 4 {
			go func() {
				for i := range work {
					a := p.Get()
					request(a, i)
					if i%10 == 0 {
						a.Reset()
						request(a, i)
					}
					child := a.Child()
					child.Adopt()
					request(child, i)
					a.Free()
				}
				done <- true
			}()
		}
		for i := range requests {
			work <- i
			if i%500 == 0 {
				runtime.GC()
			}
		}
		close(work)
		for range 4 {
			<-done
		}
		queue.settle()
		r := p.audit.report()
		if r.Pending != 0 || r.Skipped != 0 || len(r.Escapes) != 0 {
			t.Errorf("policy %v: %v", p.Policy, r)
		}
		every := max(p.AuditEvery, 1)
		if want := int64(requests) * 21 / 10; every == 1 && r.Arenas != want || r.Arenas < want/int64(every)/2 || r.Arenas > want/int64(every)*3/2 {
			t.Errorf("policy %v: %d arenas audited, want %d in %d", p.Policy, r.Arenas, want, every)
		}
		if every == 1 && r.Objects < 16*r.Arenas-16 && p.Policy != RecycleTyped { // strings need no audit there
			t.Errorf("policy %v: %d objects in %d arenas", p.Policy, r.Objects, r.Arenas)
		}
	}
	queue.settle() // what other tests left would exceed maxPending
	check(&Pool{AuditEvery: 1}, 2000)
	check(&Pool{Policy: RecycleAll, AuditEvery: 1}, 1000)
	check(&Pool{Policy: RecycleTyped, AuditEvery: 1}, 1000)
	if !checked.Strict {
		check(&Pool{AuditEvery: 10}, 5000)
	}
}

// held retains memory of freed arenas.
var held struct {
	users  []*user
	names  map[string]int
	bytes  [][]byte
	lists  []string
	more   [][]user
	call   func() string
	heap   *struct{ u *user }
	number *byte
}

// TestAuditEscapes checks that each way to keep a value past Free is reported
// with its type, site and count.
func TestAuditEscapes(t *testing.T) {
	queue.settle() // what other tests left would exceed maxPending
	stop := make(chan bool)
	check := func(typ string, count int64, keep func(*Arena)) {
		t.Helper()
		p := &Pool{AuditEvery: 1}
		for i := range 3 {
			a := p.Get()
			request(a, i)
			keep(a)
			a.Free()
		}
		queue.settle()
		r := p.audit.report()
		if r.Arenas != 3 || r.Pending != 0 || len(r.Escapes) != 1 {
			t.Fatalf("want one escape of %s in 3 arenas: %v", typ, r)
		}
		e := r.Escapes[0]
		_, file, line, _ := runtime.Caller(1)
		if e.Type != typ || e.Count != count || !strings.Contains(file, "audit_test.go") ||
			!strings.Contains(e.Site, fmt.Sprintf(" arena/audit_test.go:%d", line)) {
			t.Errorf("want %d of %s from line %d: %v", count, typ, line, r)
		}
		if !strings.HasPrefix(e.Site, "lessgc/arena.TestAuditEscapes.func") {
			t.Errorf("site %q does not name the function", e.Site)
		}
	}
	held.names = map[string]int{}
	check("arena.user", 3, func(a *Arena) { held.users = append(held.users, New[user](a)) })
	check("arena.user", 1, func(a *Arena) { held.users = []*user{Of[user](a).New()} })
	check("string", 3, func(a *Arena) { held.names[a.String(fmt.Sprintf("key %d", len(held.names)))] = 1 })
	check("string", 3, func(a *Arena) { held.names[a.String("other "+fmt.Sprint(len(held.names)))] = 1 })
	check("[]byte", 3, func(a *Arena) { held.bytes = append(held.bytes, a.Bytes([]byte("abc"))) })
	check("[]arena.user", 3, func(a *Arena) { wait(stop, MakeSlice[user](a, 2, 2)) })
	check("[]string", 1, func(a *Arena) { held.lists = Append(a, nil, "x") }) // has room for one
	check("[]arena.user", 3, func(a *Arena) { held.more = append(held.more, MakeSlice[user](a, 1, 1)) })
	check("arena.user", 1, func(a *Arena) { u := New[user](a); held.call = func() string { return u.name } })
	check("arena.user", 1, func(a *Arena) { held.heap = &struct{ u *user }{New[user](a)} })
	check("uint8", 1, func(a *Arena) { held.number = New[byte](a) }) // would share its block on the heap
	close(stop)
	held.users, held.names, held.bytes, held.lists, held.more = nil, nil, nil, nil, nil
}

// TestAuditSampled checks that the same is found, with type and site, if one arena in
// some is audited and one object in it watched, however the arena is used: given enough
// arenas.
func TestAuditSampled(t *testing.T) {
	if checked.Strict || sanitized {
		t.Skip("all objects are watched")
	}
	const lines = 5
	keep := func(a *Arena, at int) any { // each in a line of its own, at the given index among others
		const n = 10
		for i := range n {
			New[user](a)
			a.String("text")
			Of[user](a).New()
			a.Bytes([]byte("b"))
			MakeSlice[*user](a, 3, 3)
			if i == at {
				u := New[user](a)
				s := a.String("kept" + "text")
				h := Of[user](a).New()
				b := a.Bytes([]byte("kept"))
				l := MakeSlice[*user](a, 3, 3)
				return []any{u, s, h, b, l}
			}
		}
		return nil
	}
	for _, policy := range policies {
		for _, every := range []int{2, 10, 100} {
			if every == 100 && testing.Short() {
				continue
			}
			queue.settle()
			p := &Pool{Policy: policy, AuditEvery: every}
			want := map[string]bool{"arena.user": true, "[]byte": true, "[]*arena.user": true}
			if policy != RecycleTyped {
				want["string"] = true
			}
			found := map[string]map[string]bool{}
			all := make([]any, 0, 1000)
			for range 3000 { // mostly a dozen; small slices are chosen seldom
				all = all[:0]
				for i := range 20 * every {
					a := p.Get()
					all = append(all, keep(a, i%5))
					a.Free()
				}
				queue.settle()
				runtime.KeepAlive(all)
				clear(found)
				n := 0
				for _, e := range p.audit.report().Escapes {
					if !want[e.Type] || !strings.Contains(e.Site, "arena.TestAuditSampled.func1 arena/audit_test.go:") {
						t.Fatalf("policy %v, one in %d: %v", policy, every, e)
					}
					if found[e.Type] == nil {
						found[e.Type] = map[string]bool{}
					}
					found[e.Type][e.Site] = true
					n++
				}
				if n == lines || n == lines-1 && policy == RecycleTyped {
					break
				}
			}
			for typ := range want {
				sites := 1
				if typ == "arena.user" {
					sites = 2
				}
				if len(found[typ]) != sites {
					t.Errorf("policy %v, one in %d: %s kept at %d sites: %v", policy, every, typ, sites, p.audit.report())
				}
			}
		}
	}
}

// wait starts a goroutine that holds users until stop is closed.
func wait(stop chan bool, users []user) {
	started := make(chan bool)
	go func() {
		close(started)
		<-stop
		runtime.KeepAlive(users)
	}()
	<-started
}

// TestAuditThrough checks that what an escaped object points to is an escape.
func TestAuditThrough(t *testing.T) {
	p := &Pool{AuditEvery: 1}
	a := p.Get()
	u := New[user](a)
	u.next = New[user](a)
	u.next.next = u
	held.users = []*user{u}
	a.Free()
	queue.settle()
	if r := p.audit.report(); len(r.Escapes) != 2 || r.Objects != 2 {
		t.Errorf("want both users: %v", r)
	}
	held.users = nil
}

// TestAuditMarks checks that what is kept past Release or Reset is reported,
// whether or not the arena is freed.
func TestAuditMarks(t *testing.T) {
	check := func(want int, f func(*Arena)) {
		t.Helper()
		p := &Pool{AuditEvery: 1}
		a := p.Get()
		f(a)
		queue.settle()
		if r := p.audit.report(); len(r.Escapes) != want {
			t.Errorf("want %d escapes: %v", want, r)
		}
		a.Free()
		held.users = nil
	}
	check(0, func(a *Arena) {
		held.users = append(held.users, New[user](a))
		m := a.Mark()
		New[user](a)
		a.Release(m)
	})
	check(1, func(a *Arena) {
		New[user](a)
		m := a.Mark()
		a.Mark()
		held.users = append(held.users, New[user](a))
		a.Release(m)
		a.Release(m)
	})
	check(1, func(a *Arena) {
		held.users = append(held.users, New[user](a))
		a.Reset()
	})
}

// TestAuditDoubt checks that what two collections in a row find on a stack is looked at again,
// as both may have come upon a dead value there, and that what stays is an escape.
func TestAuditDoubt(t *testing.T) {
	for _, stays := range []bool{false, true} {
		x := &user{name: strings.Repeat("x", 100)}
		var a audit
		b := batch{audits: []*audit{&a}, objects: []target{{weak: weak.Make((*byte)(unsafe.Pointer(x))), site: new(site)}}, arenas: 1}
		looks := 0
		for more := true; more; looks++ {
			if looks > settleCycles+doubtCycles {
				t.Fatalf("not judged by %d collections", looks)
			}
			runtime.GC()
			if looks <= settleCycles || stays { // as interrupted functions do
				runtime.KeepAlive(x)
			} else {
				x = nil
			}
			more = b.look()
		}
		if r := a.report(); (len(r.Escapes) == 1) != stays || r.Pending != -1 {
			t.Errorf("stays: %v; %d collections, %+v", stays, looks, r)
		}
	}
}

// TestAuditFirst checks that the collection which ends first after Free does not
// count: it may have marked an object while the arena still had it.
func TestAuditFirst(t *testing.T) {
	old := user{name: strings.Repeat("x", 100)}
	x := &old
	var a audit
	b := batch{audits: []*audit{&a}, objects: []target{{weak: weak.Make((*byte)(unsafe.Pointer(x)))}}}
	runtime.GC()
	if !b.look() {
		t.Fatal("judged by what was there before")
	}
	runtime.GC()
	runtime.KeepAlive(x) // as an interrupted function does, once
	if !b.look() {
		t.Fatal("judged by one collection")
	}
	x = nil
	runtime.GC()
	if b.look() {
		t.Fatal("not judged by two collections")
	}
	if r := a.report(); len(r.Escapes) > 0 {
		t.Errorf("%v", r)
	}
}

// TestAuditLarge checks that of a large arena the first objects are watched one
// by one, and all others by chunk.
func TestAuditLarge(t *testing.T) {
	if checked.Strict || sanitized {
		t.Skip("every object is by itself, or on the heap")
	}
	p := &Pool{AuditEvery: 1}
	a := p.Get()
	for range 3 * maxAlone {
		held.users = append(held.users[:0], New[user](a))
	}
	a.Free()
	queue.settle()
	r := p.audit.report()
	if r.Objects < maxAlone || r.Objects > maxAlone+1000 {
		t.Errorf("%d objects and chunks watched, want a few more than %d", r.Objects, maxAlone)
	}
	if len(r.Escapes) != 1 || r.Escapes[0].Type != "chunk of arena.user" {
		t.Errorf("want one chunk: %v", r)
	}
	held.users = nil
}

// TestAuditBound checks that nothing is sampled while too much is pending.
func TestAuditBound(t *testing.T) {
	if checked.Strict || sanitized {
		t.Skip("not sampled")
	}
	queue.objects.Add(2 * maxPending)
	p := &Pool{AuditEvery: 1}
	p.Get().Free()
	queue.objects.Add(-2 * maxPending)
	p.Get().Free()
	queue.settle()
	if r := p.audit.report(); r.Arenas != 1 || r.Skipped != 1 {
		t.Errorf("want one audited, one skipped: %v", r)
	}
}

// TestAuditEvery checks which arenas are sampled.
func TestAuditEvery(t *testing.T) {
	check := func(p *Pool, want int) {
		t.Helper()
		if got := p.auditEvery(); got != want {
			t.Errorf("policy %v, AuditEvery %d: %d, want %d", p.Policy, p.AuditEvery, got, want)
		}
	}
	if auditAll {
		t.Skip("LESSGC_ARENA=audit")
	}
	check(&Pool{}, 0)
	check(&Pool{AuditEvery: 7}, 7)
	check(&Pool{AuditEvery: -1}, 0)
	check(&Pool{Policy: RecycleAll, AuditEvery: 7}, 7)
	auditAll = true
	defer func() { auditAll = false }()
	check(&safeArenas, defaultAuditEvery)
	check(&Pool{AuditEvery: -1}, 0)
}

// TestEscapes checks that the report of the process has that of each pool.
func TestEscapes(t *testing.T) {
	queue.settle()
	before := everything.report()
	for range 2 {
		p := &Pool{AuditEvery: 1}
		a := p.Get()
		New[user](a)
		a.Free()
	}
	if got := everything.report().Pending - before.Pending; got != 2 {
		t.Errorf("%d arenas are pending, want 2", got)
	}
	queue.settle()
	if r := everything.report(); r.Arenas-before.Arenas != 2 || r.Objects-before.Objects != 2 || r.Pending != 0 {
		t.Errorf("before %v, after %v", before, r)
	}
}

// TestKeepAll checks that an arena lets go of all that it has, for one life, and
// that nobody complains about what is kept.
func TestKeepAll(t *testing.T) {
	verify() // what other tests left
	for _, policy := range policies {
		p := &Pool{Policy: policy, AuditEvery: 1}
		for _, p := range []*Pool{p, {Policy: policy}} {
			for i := range 20 {
				a := p.Get()
				u := New[user](a)
				u.name, u.roles = a.String("kept"), Append(a, u.roles, a.String("reader"))
				n := Of[int](a).New()
				*n = i
				big := MakeSlice[*user](a, maxChunk, maxChunk)
				big[0] = u
				b := a.Bytes([]byte("kept"))
				a.Keep()
				last := New[user](a)
				last.name = u.name
				if i%2 == 0 {
					a.Free()
				} else {
					a.Reset()
					New[user](a).name = a.String("lost")
					a.Free()
				}
				other := p.Get()
				for range 100 {
					New[user](other).name = other.String("other")
					*New[int](other) = -1
					other.Bytes([]byte("other"))
				}
				MakeSlice[*user](other, maxChunk, maxChunk)
				other.Free()
				if u.name != "kept" || u.roles[0] != "reader" || *n != i || big[0] != u || string(b) != "kept" || last.name != "kept" {
					t.Fatalf("policy %v, life %d: %v, %d, %q, %v", policy, i, u, *n, b, last)
				}
				u.name, *n, b[0], big[1] = "mine", 0, 'K', last
				if checked.Strict {
					u.roles = append(u.roles, "more")
					u.roles = Append(nil, u.roles, "more")
				}
			}
		}
		queue.settle()
		if r := p.audit.report(); len(r.Escapes) > 0 {
			t.Errorf("policy %v: %v", policy, r)
		}
	}
	if err := verify(); err != nil {
		t.Error(err)
	}
}
