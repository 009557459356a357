package pools

import (
	"bytes"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/valyala/bytebufferpool"

	"lessgc/pool"
)

// sizes lists the bytes that the uses of mixed and sized need: half of them less than
// 400 bytes, one in a thousand more than 64 KiB.
var sizes = func() (sizes [1 << 12]int) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range sizes {
		sizes[i] = min(1<<20, int(400*math.Exp(1.65*rnd.NormFloat64())))
	}
	return sizes
}()

// contents has the bytes that are written.
var contents = bytes.Repeat([]byte("contents"), 1<<17)

// short is the i-th write of 16 to 100 bytes.
func short(i int) []byte { return contents[i&7 : i&7+16+(i*37&0xff)*84/255] }

// sumOf is a checksum of the contents of a buffer.
func sumOf(p []byte) uint64 { return uint64(len(p))<<8 + uint64(p[len(p)-1]) }

// maxPooled bounds what a sync.Pool is given back.
const maxPooled = 64 << 10

var (
	syncBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	poolBuffers pool.Buffers
	bytebuffers bytebufferpool.Pool
)

var write = []impl{
	{"syncpool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			b := syncBuffers.Get().(*bytes.Buffer)
			b.Reset()
			b.Write(short(i))
			sum += sumOf(b.Bytes())
			syncBuffers.Put(b)
		}
		return sum
	}},
	{"pool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			b := poolBuffers.Get(0)
			b.Write(short(i))
			sum += sumOf(b.Bytes())
			poolBuffers.Put(b)
		}
		return sum
	}},
	{"bytebufferpool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			b := bytebuffers.Get()
			b.Write(short(i))
			sum += sumOf(b.B)
			bytebuffers.Put(b)
		}
		return sum
	}},
}

var writes = []impl{
	{"syncpool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			b := syncBuffers.Get().(*bytes.Buffer)
			b.Reset()
			for j := range 5 {
				b.Write(short(i + j))
				b.WriteByte(',')
			}
			sum += sumOf(b.Bytes())
			syncBuffers.Put(b)
		}
		return sum
	}},
	{"pool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			b := poolBuffers.Get(0)
			for j := range 5 {
				b.Write(short(i + j))
				b.WriteByte(',')
			}
			sum += sumOf(b.Bytes())
			poolBuffers.Put(b)
		}
		return sum
	}},
	{"bytebufferpool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			b := bytebuffers.Get()
			for j := range 5 {
				b.Write(short(i + j))
				b.WriteByte(',')
			}
			sum += sumOf(b.B)
			bytebuffers.Put(b)
		}
		return sum
	}},
}

// The pools of mixed are not those of write, which teach a pool what is needed.
var (
	mixedSync  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	mixedPool  pool.Buffers
	mixedBytes bytebufferpool.Pool
)

var mixed = []impl{
	{"syncpool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			b := mixedSync.Get().(*bytes.Buffer)
			b.Reset()
			for left := sizes[i%len(sizes)]; left >= 0; left -= 512 {
				b.Write(contents[:1+min(left, 512)])
			}
			sum += sumOf(b.Bytes())
			if b.Cap() <= maxPooled {
				mixedSync.Put(b)
			}
		}
		return sum
	}},
	{"pool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			b := mixedPool.Get(0)
			for left := sizes[i%len(sizes)]; left >= 0; left -= 512 {
				b.Write(contents[:1+min(left, 512)])
			}
			sum += sumOf(b.Bytes())
			mixedPool.Put(b)
		}
		return sum
	}},
	{"bytebufferpool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			b := mixedBytes.Get()
			for left := sizes[i%len(sizes)]; left >= 0; left -= 512 {
				b.Write(contents[:1+min(left, 512)])
			}
			sum += sumOf(b.B)
			mixedBytes.Put(b)
		}
		return sum
	}},
}

var (
	sizedSync  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	sizedPool  pool.Buffers
	sizedBytes bytebufferpool.Pool
)

var sized = []impl{
	{"syncpool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			b := sizedSync.Get().(*bytes.Buffer)
			size := 1 + sizes[i%len(sizes)]
			b.Reset()
			b.Grow(size)
			b.Write(contents[:size])
			sum += sumOf(b.Bytes())
			if b.Cap() <= maxPooled {
				sizedSync.Put(b)
			}
		}
		return sum
	}},
	{"pool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			size := 1 + sizes[i%len(sizes)]
			b := sizedPool.Get(size)
			b.Write(contents[:size])
			sum += sumOf(b.Bytes())
			sizedPool.Put(b)
		}
		return sum
	}},
	{"bytebufferpool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			size := 1 + sizes[i%len(sizes)]
			b := sizedBytes.Get()
			b.Write(contents[:size])
			sum += sumOf(b.B)
			sizedBytes.Put(b)
		}
		return sum
	}},
}
