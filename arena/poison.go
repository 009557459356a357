package arena

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

// poisonByte fills freed memory without pointers. In memory with pointers each
// pointer leads to memory that cannot be accessed, strings and slices are long and
// lead there, too, and all else is zero: a number that is not a value of its type
// would do more than show the mistake.
const poisonByte = 0xDB

const (
	// poisonLen is the length of poisoned strings and slices.
	poisonLen = 1 << 20

	// faultPage is the size of a page of inaccessible memory.
	faultPage = 2 * poisonLen

	// maxFaultPages bounds the number of pages. It takes 32 GiB of addresses, and no memory.
	maxFaultPages = 1 << 14
)

var poisonBlock = bytes.Repeat([]byte{poisonByte}, 1<<10)

// A faultKey groups freed objects that are reported in the same words.
type faultKey struct {
	site          *site
	opened, ended uintptr // calls
	by, owned     string
}

// faults has the pages that pointers of freed objects lead to. These are not of Go's heap, so
// the collector takes no notice of pointers to them. The address of a fault tells which
// objects it comes from: those of its page. The first page is for all that have none of
// their own.
var faults struct {
	mu    sync.Mutex
	base  uintptr // 0 where there are none
	pages int
	keys  map[faultKey]uintptr // -> page
	texts []string             // of each page
	list  *os.File             // that these are written to, with their addresses; nil if they are not
}

// faultsFile is the file that the checked build writes down which addresses stand for which freed
// objects: for who sees no more of a fault than "unexpected fault address", as the runtime ends a program
// where nothing recovers.
var faultsFile = os.Getenv("LESSGC_FAULTS")

// A poisoning is the address of the page that freed objects point to.
type poisoning uintptr

// poisoningOf returns the page for an object from a site, of a life that ended; all may be nil.
func poisoningOf(s *site, l *life, e *ending) poisoning {
	f := &faults
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.texts == nil {
		f.texts = []string{""}
		if f.pages = maxFaultPages; wordSize > 4 {
			f.base = reserve(f.pages * faultPage) // which 32 bits cannot hold
		}
		if f.base == 0 {
			f.pages, f.base = 1, reserve(faultPage)
		}
		f.keys = map[faultKey]uintptr{}
		if faultsFile != "" {
			var err error
			if f.list, err = os.Create(faultsFile); err != nil {
				fmt.Fprintf(os.Stderr, "arena: LESSGC_FAULTS: %v\n", err)
			}
		}
	}
	if f.base == 0 {
		return 0
	}
	if l == nil || e == nil {
		return poisoning(f.base)
	}
	key := faultKey{s, l.opened[0], e.at[0], e.by, l.owned}
	page, ok := f.keys[key]
	if !ok && len(f.texts) < f.pages {
		page = f.base + uintptr(len(f.texts))*faultPage
		f.keys[key] = page
		text := s.typ + " from " + s.location() + ", " + l.story(e)
		f.texts = append(f.texts, text)
		if f.list != nil {
			fmt.Fprintf(f.list, "%#x to %#x: %s\n", page, page+faultPage-1, text)
		}
	}
	return poisoning(max(page, f.base))
}

// faultAt returns what is known of the objects that lead to an address, "" if there are none.
func faultAt(addr uintptr) string {
	f := &faults
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.base == 0 || addr < f.base || addr-f.base >= uintptr(len(f.texts))*faultPage {
		return ""
	}
	return f.texts[(addr-f.base)/faultPage]
}

// explain is untyped.Fault.
func explain(recovered any) string {
	fault, ok := recovered.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !ok {
		return ""
	}
	text := faultAt(fault.Addr())
	if text == "" {
		return ""
	}
	if f := faulty(); f.PC != 0 {
		text += ", used at " + locationOf(f)
	}
	return text
}

// faulty returns the call that the fault is in which the program recovers from: the first
// outside of the standard library. It is zero if there is none.
func faulty() runtime.Frame {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	library, signal := "", false // where the standard library's files are
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.sigpanic":
			signal = true
			library = strings.TrimSuffix(f.File, path.Join("runtime", path.Base(f.File)))
		case signal && (library == "" || !strings.HasPrefix(f.File, library)):
			return f
		case !more:
			return runtime.Frame{}
		}
	}
}

// An image holds the bytes of a poisoned value whose pointers lead to 0.
type image struct {
	bytes    []byte
	pointers []uintptr // their offsets
}

var images sync.Map // reflect.Type -> *image

// imageOf returns the image of a poisoned value of type t.
func imageOf(t reflect.Type) *image {
	if i, ok := images.Load(t); ok {
		return i.(*image)
	}
	i := &image{bytes: make([]byte, t.Size())}
	i.paint(t, 0)
	images.Store(t, i)
	return i
}

// paint adds a poisoned value of type t at an offset.
func (i *image) paint(t reflect.Type, at uintptr) {
	const word = wordSize
	long := func(n uintptr) { *as[uintptr](pointerTo(&i.bytes[at+n*word])) = poisonLen }
	switch t.Kind() {
	case reflect.Struct:
		for n := range t.NumField() {
			f := t.Field(n)
			i.paint(f.Type, at+f.Offset)
		}
	case reflect.Array:
		for n := range uintptr(t.Len()) {
			i.paint(t.Elem(), at+n*t.Elem().Size())
		}
	case reflect.Slice:
		long(2)
		fallthrough
	case reflect.String:
		long(1)
		i.pointers = append(i.pointers, at)
	case reflect.Interface:
		i.pointers = append(i.pointers, at, at+word)
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func:
		i.pointers = append(i.pointers, at)
	}
}

// of returns the bytes of a value whose pointers lead to a page.
func (i *image) of(page poisoning) []byte {
	b := bytes.Clone(i.bytes)
	if page == 0 { // nothing is poisoned here
		clear(b)
		return b
	}
	for _, at := range i.pointers {
		*as[uintptr](pointerTo(&b[at])) = uintptr(page)
	}
	return b
}

// poison makes n elements at p useless, which were zeroed.
func (info *typeInfo) poison(page poisoning, p pointer, n int) {
	b := imageOf(info.elem).of(page)
	for i := range n {
		copy(sliceAt[byte](plus(p, i*len(b)), len(b)), b)
	}
}

// poisoned reports whether all of b, of elements of type info, is as poison left
// it.
func (info *typeInfo) poisoned(page poisoning, b []byte) bool {
	if !info.pointers {
		for _, v := range b {
			if v != poisonByte {
				return false
			}
		}
		return true
	}
	for image := imageOf(info.elem).of(page); len(b) >= len(image) && len(b) > 0; b = b[len(image):] {
		if !bytes.Equal(b[:len(image)], image) {
			return false
		}
	}
	return true
}
