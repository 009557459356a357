// Package heapdump finds the roots that retain objects of the heap, from a dump
// by [runtime/debug.WriteHeapDump]. Its format is described at
// https://go.dev/wiki/heapdump15-through-heapdump17; what Go 1.26 and 1.27 write is in
// runtime/heapdump.go.
package heapdump

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Path leads from a root of the collector to an object.
type Path struct {
	Root    Root
	Objects []Object // from the one that the root points to on; the last one is what was looked for
}

// An Object is one of the heap.
type Object struct{ Addr, Size uint64 }

// A Root is a pointer that the collector begins with: in a frame of a goroutine if Func is not
// empty, else in a package variable.
type Root struct {
	Addr      uint64 // of the pointer
	Func      string
	PC        uint64 // where Func goes on
	Goroutine uint64
	CreatedAt uint64 // PC of the goroutine's go statement, 0 if it has none
	Wait      string // what the goroutine waits for, "" if it does not
}

// Bounds of a search: how many objects there are on a path, and how many are looked at.
const (
	maxPath  = 64
	maxNodes = 1 << 20
)

// Find returns the shortest path to each of the objects that are at some addresses, nil where there is none:
// it is not reachable, or not in a way that the dump shows, such as by a cleanup. It reads the dump, of a
// heap of any size, once for each object of the longest path, and does not keep it in memory.
func Find(dump io.ReadSeeker, addrs []uint64) ([]*Path, error) {
	s := &search{nodes: map[uint64]*node{}, paths: make([]*Path, len(addrs))}
	for i, addr := range addrs {
		s.wanted = append(s.wanted, wanted{addr, i})
	}
	slices.SortFunc(s.wanted, func(a, b wanted) int { return cmp.Compare(a.addr, b.addr) })
	for range maxPath {
		if _, err := dump.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		if err := s.pass(dump); err != nil {
			return nil, fmt.Errorf("heap dump: %w", err)
		}
		s.resolve()
		if len(s.edge) == 0 || len(s.nodes) > maxNodes || !slices.Contains(s.paths, nil) {
			break
		}
	}
	return s.paths, nil
}

// A search goes from the objects that were looked for to those that point to them, and so on: one step
// in each pass.
type search struct {
	wanted []wanted         // by address, until the first pass has found the objects
	nodes  map[uint64]*node // all that were met, by address
	edge   []*node          // those of the last pass, by address
	rooted []*node          // that roots were found for
	paths  []*Path
}

type wanted struct {
	addr  uint64
	index int
}

// A node is an object that leads to one that is looked for.
type node struct {
	Object
	next  []*node // that it points to
	ends  []int   // what was looked for and is in it
	root  *Root
	depth int // of resolve
	from  *node
}

// pass reads the dump once. It finds the objects and roots that point to those of s.edge, which it replaces.
func (s *search) pass(dump io.Reader) error {
	var next []*node
	first := s.wanted != nil
	r := &reader{in: bufio.NewReaderSize(dump, 1<<20)}
	err := r.all(func(block *block) {
		if first {
			i, _ := slices.BinarySearchFunc(s.wanted, block.addr, func(w wanted, addr uint64) int { return cmp.Compare(w.addr, addr) })
			if i == len(s.wanted) || s.wanted[i].addr-block.addr >= uint64(len(block.bytes)) || block.root != nil {
				return
			}
			n := &node{Object: Object{block.addr, uint64(len(block.bytes))}}
			for ; i < len(s.wanted) && s.wanted[i].addr-n.Addr < n.Size; i++ {
				n.ends = append(n.ends, s.wanted[i].index)
			}
			s.nodes[n.Addr] = n
			next = append(next, n)
			return
		}
		for _, at := range block.pointers {
			to := s.at(r.word(block.bytes[at:]))
			switch {
			case to == nil:
			case block.root == nil:
				n := s.nodes[block.addr]
				if n == nil {
					n = &node{Object: Object{block.addr, uint64(len(block.bytes))}}
					s.nodes[n.Addr] = n
					next = append(next, n)
				}
				n.next = append(n.next, to)
			case to.root == nil:
				root := *block.root
				root.Addr = block.addr + at
				to.root = &root
				s.rooted = append(s.rooted, to)
			}
		}
	})
	s.wanted = nil
	slices.SortFunc(next, func(a, b *node) int { return cmp.Compare(a.Addr, b.Addr) })
	s.edge = next
	return err
}

// at returns the node of s.edge that addr is in, or nil.
func (s *search) at(addr uint64) *node {
	if len(s.edge) == 0 || addr < s.edge[0].Addr {
		return nil
	}
	i, found := slices.BinarySearchFunc(s.edge, addr, func(n *node, addr uint64) int { return cmp.Compare(n.Addr, addr) })
	if !found {
		i--
	}
	if n := s.edge[i]; addr-n.Addr < n.Size {
		return n
	}
	return nil
}

// resolve finds paths from the roots that were met to what is looked for.
func (s *search) resolve() {
	if len(s.rooted) == 0 {
		return
	}
	for _, n := range s.nodes {
		n.depth, n.from = 0, nil
	}
	queue := slices.Clone(s.rooted)
	for _, n := range queue {
		n.depth = 1
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, i := range n.ends {
			if s.paths[i] == nil {
				s.paths[i] = n.path()
			}
		}
		for _, to := range n.next {
			if to.depth == 0 {
				to.depth, to.from = n.depth+1, n
				queue = append(queue, to)
			}
		}
	}
}

// path returns the path to n that resolve has found.
func (n *node) path() *Path {
	var p Path
	for ; ; n = n.from {
		p.Objects = append(p.Objects, n.Object)
		if n.from == nil {
			p.Root = *n.root
			slices.Reverse(p.Objects)
			return &p
		}
	}
}

// A block is memory with pointers in it. It is valid during a call.
type block struct {
	addr     uint64
	bytes    []byte
	pointers []uint64 // offsets in bytes
	root     *Root    // nil of objects
}

// A reader reads the records of a dump.
type reader struct {
	in    *bufio.Reader
	err   error // the first one
	big   bool
	word8 bool

	block block
	names map[string]string
}

// The tags of records.
const (
	tagEOF = iota
	tagObject
	tagOtherRoot
	tagType
	tagGoroutine
	tagFrame
	tagParams
	tagFinalizer
	tagItab
	tagThread
	tagMemStats
	tagQueuedFinalizer
	tagData
	tagBSS
	tagDefer
	tagPanic
	tagMemProf
	tagAllocSample
)

// wrapper is in the names of functions of go statements with arguments. Those of the function that is called
// are in the wrapper's frame.
const wrapper = ".gowrap"

const header = "go1.7 heap dump\n"

// all calls f with each object, frame and segment of variables.
func (r *reader) all(f func(*block)) error {
	head := make([]byte, len(header))
	if _, err := io.ReadFull(r.in, head); err != nil || string(head) != header {
		return errors.New("it does not begin as those of Go 1.7 to 1.27 do")
	}
	var goroutine, variable Root
	for r.err == nil {
		switch tag := r.int(); tag {
		case tagEOF:
			return r.err
		case tagObject, tagData, tagBSS:
			if r.block.root = nil; tag != tagObject {
				r.block.root = &variable
			}
			r.block.addr = r.int()
			r.contents()
			r.fields()
			f(&r.block)
		case tagGoroutine:
			r.skip(2)
			goroutine = Root{Goroutine: r.int(), CreatedAt: r.int()}
			const waiting = 4
			waits := r.int()&0xfff == waiting
			r.skip(3)
			if goroutine.Wait = r.string(); !waits {
				goroutine.Wait = ""
			}
			r.skip(4)
		case tagFrame:
			r.block.addr = r.int()
			r.skip(2)
			r.contents()
			r.skip(1)
			frame := goroutine
			frame.PC = r.int()
			r.skip(1)
			frame.Func = r.string()
			if last := goroutine; strings.Contains(frame.Func, wrapper) && last.Func != "" {
				frame.Func, frame.PC = last.Func, last.PC
			}
			goroutine.Func, goroutine.PC = frame.Func, frame.PC // of the frame that was met last
			r.block.root = &frame
			r.fields()
			f(&r.block)
		case tagParams:
			r.big = r.int() != 0
			r.word8 = r.int() == 8
			r.skip(2)
			r.string()
			r.string()
			r.skip(1)
		case tagOtherRoot:
			r.string()
			r.skip(1)
		case tagType:
			r.skip(2)
			r.string()
			r.skip(1)
		case tagFinalizer, tagQueuedFinalizer:
			r.skip(5)
		case tagItab, tagAllocSample:
			r.skip(2)
		case tagThread:
			r.skip(3)
		case tagMemStats:
			r.skip(24 + 256 + 1)
		case tagDefer:
			r.skip(7)
		case tagPanic:
			r.skip(6)
		case tagMemProf:
			r.skip(2)
			for n := r.int(); n > 0 && r.err == nil; n-- {
				r.string()
				r.string()
				r.skip(1)
			}
			r.skip(2)
		default:
			r.fail(fmt.Errorf("it has a record of kind %d", tag))
		}
	}
	return r.err
}

func (r *reader) fail(err error) {
	if r.err == nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		r.err = err
	}
}

func (r *reader) int() uint64 {
	if r.err != nil {
		return 0
	}
	x, err := binary.ReadUvarint(r.in)
	if err != nil {
		r.fail(err)
	}
	return x
}

func (r *reader) skip(n int) {
	for range n {
		r.int()
	}
}

// read returns the bytes that follow their number, in b if they have room.
func (r *reader) read(b []byte) []byte {
	n := r.int()
	for b = b[:0]; n > 0 && r.err == nil; { // a dump that is cut off may say any number
		k := int(min(n, 64<<20))
		b = slices.Grow(b, k)[:len(b)+k]
		if _, err := io.ReadFull(r.in, b[len(b)-k:]); err != nil {
			r.fail(err)
		}
		n -= uint64(k)
	}
	return b
}

func (r *reader) contents() { r.block.bytes = r.read(r.block.bytes) }

func (r *reader) string() string {
	var small [256]byte
	return r.intern(r.read(small[:]))
}

// intern returns b as a string, of which there are few.
func (r *reader) intern(b []byte) string {
	if s, ok := r.names[string(b)]; ok {
		return s
	}
	if r.names == nil {
		r.names = map[string]string{}
	}
	r.names[string(b)] = string(b)
	return string(b)
}

// fields reads which words of the block are pointers.
func (r *reader) fields() {
	const pointer = 1
	size := uint64(4)
	if r.word8 {
		size = 8
	}
	r.block.pointers = r.block.pointers[:0]
	for {
		kind := r.int()
		if kind == 0 {
			return
		}
		at := r.int()
		switch {
		case kind != pointer:
			r.fail(fmt.Errorf("it has a field of kind %d", kind))
		case at <= uint64(len(r.block.bytes)) && uint64(len(r.block.bytes))-at >= size: // of frames some are not
			r.block.pointers = append(r.block.pointers, at)
		}
	}
}

func (r *reader) word(b []byte) uint64 {
	switch {
	case r.word8 && r.big:
		return binary.BigEndian.Uint64(b)
	case r.word8:
		return binary.LittleEndian.Uint64(b)
	case r.big:
		return uint64(binary.BigEndian.Uint32(b))
	}
	return uint64(binary.LittleEndian.Uint32(b))
}
