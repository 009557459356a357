package closures

import (
	"bytes"
	"sort"
	"sync"
)

var lists = sync.Pool{New: func() any { return new([][]byte) }}

func each(data, sep []byte, f func([]byte)) {
	for _, item := range bytes.Split(data, sep) {
		f(item)
	}
}

func badPassedClosure(data []byte, out *bytes.Buffer) {
	items := lists.Get().(*[][]byte) // want "is not put back"
	each(data, []byte{','}, func(b []byte) { *items = append(*items, b) })
	if len(*items) == 0 {
		out.WriteString("null")
		return
	}
	for _, b := range *items {
		out.Write(b)
	}
	*items = (*items)[:0]
	lists.Put(items)
}

func badPassedToSort(data []byte, out *bytes.Buffer) {
	items := lists.Get().(*[][]byte) // want "is not put back"
	*items = append((*items)[:0], bytes.Fields(data)...)
	sort.Slice(*items, func(i, j int) bool { return len((*items)[i]) < len((*items)[j]) })
	if out == nil {
		return
	}
	out.Write((*items)[0])
	lists.Put(items)
}

func goodPassedClosure(data []byte, out *bytes.Buffer) {
	items := lists.Get().(*[][]byte)
	defer lists.Put(items)
	each(data, []byte{','}, func(b []byte) { *items = append(*items, b) })
	if len(*items) == 0 {
		out.WriteString("null")
		return
	}
	out.Write((*items)[0])
}

// The closure puts it.
func goodPutByClosure(data []byte) {
	items := lists.Get().(*[][]byte)
	each(data, nil, func(b []byte) { lists.Put(items) })
}

// Who gets the closure gets the list.
func goodHandedOut(data []byte, with func(func() *[][]byte)) {
	items := lists.Get().(*[][]byte)
	if len(data) == 0 {
		lists.Put(items)
		return
	}
	with(func() *[][]byte { return items })
}

func goodStoredByClosure(data []byte, to *[]*[][]byte) {
	items := lists.Get().(*[][]byte)
	if len(data) == 0 {
		lists.Put(items)
		return
	}
	each(data, nil, func(b []byte) { *to = append(*to, items) })
}
