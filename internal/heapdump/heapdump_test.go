package heapdump

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unsafe"
)

type link struct {
	next, other *link
	_           [6]uintptr
}

var (
	chain *link
	table = map[string]*link{}
)

// wait keeps l in its frame until the channel is closed.
//
//go:noinline
func wait(l *link, started, end chan bool) {
	started <- true
	<-end
	runtime.KeepAlive(l)
}

func addrOf(l *link) uint64 { return uint64(uintptr(unsafe.Pointer(l))) }

// made returns the addresses of objects that are kept in all ways that there are, in order: the third of
// a chain that a variable has, one in a map, one in a frame of another goroutine, inside another object, one that is
// only in a cycle, one that is free.
//
//go:noinline
func made(started, end chan bool) (addrs []uint64) {
	chain = &link{next: &link{next: &link{}}}
	chain.next.next.other = chain // and back
	table["a"] = &link{}
	l := &link{next: &link{}}
	go wait(l, started, end)
	<-started
	cycle := &link{next: &link{}}
	cycle.next.next = cycle
	return []uint64{addrOf(chain.next.next), addrOf(table["a"]), addrOf(l), addrOf(l.next) + 16, addrOf(cycle), addrOf(&link{})}
}

// write writes a dump of this process.
func write(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "dump"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	debug.WriteHeapDump(f.Fd())
	return f
}

// TestFind finds the keepers of objects of this process.
func TestFind(t *testing.T) {
	started, end := make(chan bool), make(chan bool)
	defer close(end)
	addrs := made(started, end)
	time.Sleep(time.Millisecond)
	paths, err := Find(write(t), addrs)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		objects int // 0 for no path, -1 for any
		name    string
		waits   string
	}{{3, "", ""}, {-1, "", ""}, {1, "heapdump.wait", "chan receive"}, {2, "heapdump.wait", "chan receive"}, {}, {}} {
		p := paths[i]
		switch {
		case p == nil && want.objects == 0:
		case p == nil:
			t.Errorf("object %d: nothing", i)
		case want.objects != -1 && len(p.Objects) != want.objects || !strings.Contains(p.Root.Func, want.name) || p.Root.Wait != want.waits || (p.Root.Func == "") != (want.name == ""):
			t.Errorf("object %d: %+v", i, p)
		}
	}
	if p := paths[0]; p != nil && p.Root.Addr != uint64(uintptr(unsafe.Pointer(&chain))) {
		t.Errorf("the chain's root is at %#x, want %#x", p.Root.Addr, uintptr(unsafe.Pointer(&chain)))
	}
	if p := paths[2]; p != nil && (runtime.FuncForPC(uintptr(p.Root.PC)) == nil || runtime.FuncForPC(uintptr(p.Root.CreatedAt)) == nil || p.Root.Goroutine == 0) {
		t.Errorf("%+v", p.Root)
	}
	runtime.KeepAlive(table)
}

// TestBroken checks dumps that are cut off, and what is none.
func TestBroken(t *testing.T) {
	for _, in := range []string{"", "go1.4 heap dump\n", header, header + "\x63", header + "\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		if p, err := Find(strings.NewReader(in), []uint64{16}); err == nil {
			t.Errorf("%q: %v", in, p)
		}
	}
	whole, err := os.ReadFile(write(t).Name())
	if err != nil {
		t.Fatal(err)
	}
	for n := 10; n < len(whole)-1; n += 1 + len(whole)/12 {
		if _, err := Find(bytes.NewReader(whole[:n]), []uint64{16}); err == nil || strings.Contains(err.Error(), "kind") {
			t.Errorf("cut off after %d of %d bytes: %v", n, len(whole), err)
		}
	}
}
