package main

import (
	"runtime"
	"unsafe"

	"lessgc/bench/internal/service"
)

// A stress takes more and more memory. Its fields are reached by one goroutine only.
type stress struct {
	service *service.Service
	taken   int64 // bytes
	kept    [][]byte
	class   int
}

// stresses take a number of bytes more, by case. One may take less, and nothing for too few.
var stresses = map[string]func(s *stress, bytes int64) (taken int64){
	"creep":      (*stress).creep,
	"nonheap":    (*stress).fragment,
	"goroutines": (*stress).park,
	"stacks":     (*stress).deepen,
	"lowered":    func(*stress, int64) int64 { return 0 }, // what starts the service lowers the limit
	"outside":    (*stress).leave,
}

// to takes memory until it is a number of bytes.
func (s *stress) to(bytes int64, take func(*stress, int64) int64) {
	if more := bytes - s.taken; more > 0 {
		s.taken += take(s, more)
	}
}

func (s *stress) creep(bytes int64) int64 {
	n := bytes / service.SessionBytes
	s.service.Add(int(n))
	return n * service.SessionBytes
}

const (
	pageSize     = 8192 // of the runtime's heap
	fragmentStep = 8 << 20
)

// classes are sizes of objects without pointers that have spans of one page, in the runtime/sizeclasses.go of
// Go 1.25 to 1.27, and that requests hardly use.
var classes = []int{208, 240, 288, 352, 416, 480, 576, 704, 1024, 160, 224, 256, 320, 384, 448, 512, 640, 192, 176, 144, 128, 2048, 112, 96}

// fragment keeps one object of each page of a few mebibytes, so that the rest is garbage, but cannot be used for
// objects of other sizes. Each step has another size: with the same it would reuse the rest.
func (s *stress) fragment(bytes int64) (taken int64) {
	for ; bytes >= fragmentStep && s.class < len(classes); bytes -= fragmentStep {
		all := make([][]byte, fragmentStep/classes[s.class])
		page := uintptr(0)
		for i := range all {
			all[i] = make([]byte, classes[s.class])
			all[i][0] = 1                                                         // so that the memory is there
			if at := uintptr(unsafe.Pointer(&all[i][0])) / pageSize; at != page { // a number only: nothing is found by it
				s.kept, page = append(s.kept, all[i]), at
			}
		}
		runtime.KeepAlive(all)
		s.class++
		taken += fragmentStep
	}
	return taken
}

const parkedBytes = 8<<10 + 512 // a stack of 8 KiB, and what the runtime has for a goroutine

func (s *stress) park(bytes int64) int64 {
	n := bytes / parkedBytes
	for range n {
		go func() {
			var frame [640]*int // 5 KiB: a stack of 2 or 4 KiB has no room for it
			hold(frame[:], 0)
		}()
	}
	return n * parkedBytes
}

const (
	deepBytes = 512 << 10
	deep      = 420 // calls with 1 KiB and a little each: most of a stack of 512 KiB
)

func (s *stress) deepen(bytes int64) int64 {
	n := bytes / deepBytes
	for range n {
		go descend(deep)
	}
	return n * deepBytes
}

//go:noinline
func descend(depth int) {
	var frame [128]*int
	if depth > 0 {
		descend(depth - 1)
	}
	hold(frame[:], depth)
}

// hold uses the frame and blocks for good at depth 0.
//
//go:noinline
func hold(frame []*int, depth int) {
	n := depth
	frame[depth%len(frame)] = &n
	if depth == 0 {
		select {}
	}
	runtime.KeepAlive(frame)
}

func (s *stress) leave(bytes int64) int64 {
	bytes &^= 1<<20 - 1
	if bytes > 0 {
		outside(bytes)
	}
	return bytes
}
