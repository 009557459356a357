package arena

import (
	"reflect"
	"sync"
	"sync/atomic"

	"lessgc/internal/untyped"
)

// A maker makes arrays of one type. The only ones are nil pointers to typed[T]:
// the function that calls New knows T, those below it know how to make it.
type maker interface {
	array(n int) pointer // of a new []T of n elements
	elem() reflect.Type  // T
}

// A typed is the maker of T.
type typed[T any] struct{}

func (*typed[T]) array(n int) pointer {
	if n == 1 {
		var v T // as in New
		return pointerTo(&v)
	}
	return dataOf(make([]T, n))
}

func (*typed[T]) elem() reflect.Type { return reflect.TypeFor[T]() }

// A typeInfo describes an element type to arenas. It lives as long as the
// process and is never changed.
type typeInfo struct {
	word     uintptr // see typeInfos
	elem     reflect.Type
	slice    reflect.Type // []elem
	maker    maker        // nil if the type is only known at run time
	size     uintptr      // of an element, in bytes
	most     uintptr      // elements in a chunk that is left to the collector
	pointers bool         // elem holds pointers that the collector follows
	locker   string       // the first type in elem that is not to be reused, or ""
	loose    slab         // what slabs that belong to no arena are copies of
}

// typeInfos has what is known about T by the word of a *T, of a *typed[T] and of the
// reflect.Type, as far as there was one. recent has some of it.
var (
	typeInfos sync.Map // uintptr -> *typeInfo
	recent    [256]atomic.Pointer[typeInfo]
)

// infoOf returns what is known about T, where p is a nil *T or *typed[T], or T as a
// reflect.Type, and word stands for that.
func infoOf(word uintptr, p any) *typeInfo {
	at := &recent[(word>>3^word>>11)%uintptr(len(recent))]
	if info := at.Load(); info != nil && info.word == word {
		return info
	}
	info := findInfo(word, p)
	at.Store(info)
	return info
}

func findInfo(word uintptr, p any) *typeInfo {
	if info, ok := typeInfos.Load(word); ok {
		return info.(*typeInfo)
	}
	info := &typeInfo{word: word}
	switch p := p.(type) {
	case maker:
		info.maker, info.elem = p, p.elem()
	case reflect.Type:
		info.elem = p
	default:
		info.elem = reflect.TypeOf(p).Elem()
	}
	info.slice = reflect.SliceOf(info.elem)
	info.size = info.elem.Size()
	info.pointers = untyped.HasPointers(info.elem)
	info.most = max(1, maxDropped/max(info.size, 1))
	if info.pointers && info.most*info.size > headless {
		info.most = max(1, (maxDropped-headroom)/info.size)
	}
	info.locker = untyped.Locker(info.elem)
	info.loose = slab{size: info.size, record: newRecord(&loose, info)}
	known, _ := typeInfos.LoadOrStore(word, info)
	return known.(*typeInfo)
}
