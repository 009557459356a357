// Keptstrings is a service with peaks and valleys that keeps one short string of each
// request, as a cache of names or a metrics library does, and says what that costs by where
// requests live:
//
//	go run ./workloads/keptstrings -alloc typed
//
// Two seconds with 64 requests at a time, two with one every millisecond, and so on. It prints
// the latency of requests at the peak (they wait for one of GOMAXPROCS processors: what
// counts is the comparison), CPU time per request, what the program has from the operating
// system at the peak and after the last valley, and the live heap with the strings that
// were kept.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"lessgc/arena"
)

// An order is the data of a request: text and objects, about 4 KB.
type order struct {
	customer string
	lines    []*line
}

type line struct {
	product, note string
	amount        int
	next          *line
}

var word = strings.Repeat("product name of some length ", 4)

// handle makes an order and returns the one string of it that is kept.
func handle(a *arena.Arena, i int) string {
	o := arena.New[order](a)
	o.customer = a.String(word[i%20 : i%20+40])
	for j := range 30 {
		l := arena.New[line](a)
		l.product, l.note, l.amount = a.String(word[j:j+20]), a.String(word[j:j+30]), j
		o.lines = arena.Append(a, o.lines, l)
		if j > 0 {
			o.lines[j-1].next = l
		}
	}
	total := 0
	for l := o.lines[0]; l != nil; l = l.next {
		total += l.amount + len(l.note)
	}
	if total < 0 {
		panic("no order")
	}
	return o.customer
}

func main() {
	alloc := flag.String("alloc", "typed", "where requests live: `heap`, safe, typed or all")
	cycles := flag.Int("cycles", 4, "peaks and valleys")
	flag.Parse()
	pools := map[string]*arena.Pool{
		"heap":  nil,
		"safe":  {Policy: arena.Safe},
		"typed": {Policy: arena.RecycleTyped},
		"all":   {Policy: arena.RecycleAll}, // keeps strings that change: for comparison
	}
	pool, ok := pools[*alloc]
	if !ok || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "keptstrings: -alloc is one of heap, safe, typed and all, and there are no arguments")
		os.Exit(2)
	}
	request := func(i int) string {
		if pool == nil {
			return handle(nil, i)
		}
		a := pool.Get()
		kept := handle(a, i)
		a.Free()
		return kept
	}

	kept := make([]string, 50_000)
	var mu sync.Mutex
	n := 0
	keep := func(s string) {
		mu.Lock()
		kept[n%len(kept)] = s
		n++
		mu.Unlock()
	}
	var latencies histogram
	start := cpu()
	peak := 0
	for range *cycles {
		var wg sync.WaitGroup
		end := time.Now().Add(2 * time.Second)
		for g := range 64 {
			wg.Go(func() {
				var own histogram
				for i := g; time.Now().Before(end); i++ {
					from := time.Now()
					keep(request(i))
					own.add(time.Since(from))
					runtime.Gosched()
				}
				mu.Lock()
				latencies.merge(&own)
				mu.Unlock()
			})
		}
		wg.Wait()
		peak = max(peak, resident())
		for i := range 2000 {
			keep(request(i))
			time.Sleep(time.Millisecond)
		}
	}
	perRequest := (cpu() - start) / time.Duration(n)
	after := resident()
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Printf("alloc=%s requests=%d p50=%v p99=%v p99.9=%v cpu/request=%v rss-peak=%.1fMiB rss-valley=%.1fMiB live=%.1fMiB collections=%d\n",
		*alloc, n, latencies.at(0.5), latencies.at(0.99), latencies.at(0.999), perRequest, mib(peak), mib(after), mib(int(m.HeapAlloc)), m.NumGC)
	runtime.KeepAlive(kept)
}

// A histogram counts latencies, in steps of 5 %. It takes no memory of the heap that is
// measured.
type histogram struct{ counts [600]int }

// step is the logarithm of the ratio of two bounds.
var step = math.Log(1.05)

func (h *histogram) add(d time.Duration) {
	h.counts[min(int(math.Log(float64(max(d, 1)))/step), len(h.counts)-1)]++
}

func (h *histogram) merge(other *histogram) {
	for i, n := range other.counts {
		h.counts[i] += n
	}
}

// at returns the latency below which a share q is, rounded up to a bound.
func (h *histogram) at(q float64) time.Duration {
	all := 0
	for _, n := range h.counts {
		all += n
	}
	sum := 0
	for i, n := range h.counts {
		if sum += n; float64(sum) >= q*float64(all) {
			return time.Duration(math.Exp(float64(i+1) * step)).Round(10 * time.Nanosecond)
		}
	}
	return 0
}

func mib(n int) float64 { return float64(n) / (1 << 20) }

// cpu is the user and system time of the process so far.
func cpu() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// resident is the memory that the process has from the operating system, in bytes; 0 where
// /proc does not say.
func resident() int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int
	fmt.Sscan(string(text), &size, &pages)
	return pages * os.Getpagesize()
}
