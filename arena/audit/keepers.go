package audit

import (
	"fmt"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"lessgc/internal/heapdump"
	"lessgc/internal/untyped"
)

// A Keeper describes the root that retains an object which audits have found.
type Keeper struct {
	Escape Escape // the object
	Count  int64  // objects of this escape that are kept in the same way, of those that were looked at

	// Root names the garbage collection root that the object is reachable from: a package variable, such as
	// "variable main.cache", or a function of a goroutine, with the line it is at. It is "" if the heap dump
	// shows none.
	Root string

	// Through has the sizes in bytes of the objects between Root and the object.
	Through []int64
}

// String returns the keeper as text, such as "main.User from main.load main/load.go:20 is kept by variable main.cache
// through 2 objects, of 48 and 208 bytes".
func (k Keeper) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s from %s", k.Escape.Type, k.Escape.Site)
	if k.Escape.Owner != "" {
		b.WriteString(" for " + k.Escape.Owner)
	}
	if k.Root == "" {
		b.WriteString(" is kept by nothing that a heap dump shows, such as a cleanup")
		return b.String()
	}
	b.WriteString(" is kept by " + k.Root)
	if n := len(k.Through); n > 0 {
		fmt.Fprintf(&b, " through %s, of ", count(int64(n), "object"))
		for i, size := range k.Through {
			switch {
			case i > 0 && i == n-1:
				b.WriteString(" and ")
			case i > 0:
				b.WriteString(", ")
			}
			b.WriteString(grouped(size))
		}
		b.WriteString(" bytes")
	}
	return b.String()
}

// Keepers looks for what keeps the objects that audits have found and that are still kept, of each [Escape] the
// last four. Objects that are only kept by another one of these are left out.
//
// It collects garbage, and writes the heap to a temporary file, which it reads several times and removes: the
// program stands still as long as that is written, some five seconds for a GiB of small objects. So it is for a
// test, or a service that does not mind. Names of variables need the program's symbol table, of an ELF file, which go run, go test
// and -ldflags=-s leave out.
func Keepers() ([]Keeper, error) {
	kept := untyped.KeptNow()
	if len(kept) == 0 {
		return nil, nil
	}
	runtime.GC()
	addrs := addrsOf(kept)
	f, err := os.CreateTemp("", "lessgc-heap-")
	if err != nil {
		return nil, fmt.Errorf("keepers: no file for the heap dump: %w", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	debug.WriteHeapDump(f.Fd())
	paths, err := heapdump.Find(f, addrs)
	if err != nil {
		return nil, fmt.Errorf("keepers: %s may be full: %w", path.Dir(f.Name()), err)
	}
	return keepersOf(kept, addrs, paths), nil
}

// addrsOf returns where the objects are. That it returns no pointers keeps them out of the frames that the
// heap dump has.
//
//go:noinline
func addrsOf(kept []untyped.Kept) (addrs []uint64) {
	for _, k := range kept {
		addrs = append(addrs, uint64(addressOf(k.Object.Value())))
	}
	return addrs
}

// keepersOf returns who keeps the objects at addrs, by the paths to them.
func keepersOf(kept []untyped.Kept, addrs []uint64, paths []*heapdump.Path) (all []Keeper) {
	is := map[uint64]bool{} // by address, also of what is inside an object
	for _, addr := range addrs {
		is[addr] = true
	}
	variables := heapdump.VariablesHere()
	for i, k := range kept {
		if addrs[i] == 0 || addressOf(k.Object.Value()) != uintptr(addrs[i]) {
			continue // it went meanwhile
		}
		keeper := Keeper{Escape: Escape(k.Escape), Count: 1}
		if p := paths[i]; p != nil {
			between := p.Objects[:len(p.Objects)-1]
			if slices.ContainsFunc(between, func(o heapdump.Object) bool { return is[o.Addr] }) {
				continue
			}
			keeper.Root = rootText(p.Root, variables)
			for _, o := range between {
				keeper.Through = append(keeper.Through, int64(o.Size))
			}
		}
		same := func(x Keeper) bool {
			return x.Escape == keeper.Escape && x.Root == keeper.Root && slices.Equal(x.Through, keeper.Through)
		}
		if at := slices.IndexFunc(all, same); at >= 0 {
			all[at].Count++
		} else {
			all = append(all, keeper)
		}
	}
	slices.SortFunc(all, func(a, b Keeper) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// rootText describes a root.
func rootText(r heapdump.Root, variables heapdump.Variables) string {
	if r.Func == "" {
		name, offset := variables.At(r.Addr)
		switch {
		case name == "":
			return "a package variable, whose name the program has not (go run, go test and -ldflags=-s leave names out)"
		case offset > 0:
			return fmt.Sprintf("variable %s, at byte %d", name, offset)
		}
		return "variable " + name
	}
	text := r.Func
	if function, position := untyped.CallAt(uintptr(r.PC)); function != "" {
		text += " " + position
	}
	text += fmt.Sprintf(", of goroutine %d", r.Goroutine)
	if r.Wait != "" {
		text += " [" + r.Wait + "]"
	}
	if function, position := untyped.CallAt(uintptr(r.CreatedAt)); function != "" {
		text += ", which " + function + " " + position + " has started"
	}
	return text
}
