// Package local declares pools in functions.
package local

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"lessgc/arena"
	"lessgc/pool"
)

func badLiteral(w io.Writer, s string) {
	buffers := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `buffers is a pool local to this call`
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.WriteString(s)
	b.WriteTo(w)
}

var packageBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodPackage(w io.Writer, s string) {
	b := packageBuffers.Get().(*bytes.Buffer)
	defer packageBuffers.Put(b)
	b.WriteString(s)
	b.WriteTo(w)
}

// badVar has a comment that stays where it is.
func badVar(s string) int {
	var zero sync.Pool // want `zero is a pool local to this call`
	b, ok := zero.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	n, _ := b.WriteString(s)
	zero.Put(b)
	return n
}

func goodLoop(words []string) (n int) {
	var p sync.Pool
	for _, s := range words {
		b, ok := p.Get().(*bytes.Buffer)
		if !ok {
			b = new(bytes.Buffer)
		}
		n, _ = b.WriteString(s)
		p.Put(b)
	}
	return n
}

func badPointer(s string) int {
	ptr := &sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `ptr is a pool local to this call`
	b := ptr.Get().(*bytes.Buffer)
	defer ptr.Put(b)
	n, _ := b.WriteString(s)
	return n
}

func goodPointerReturned(s string) *sync.Pool {
	ptr := &sync.Pool{New: func() any { return new(bytes.Buffer) }}
	b := ptr.Get().(*bytes.Buffer)
	defer ptr.Put(b)
	b.WriteString(s)
	return ptr
}

func badDeferredClosure(s string) int {
	later := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `later is a pool local to this call`
	b := later.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		later.Put(b)
	}()
	n, _ := b.WriteString(s)
	return n
}

func goodReturnedClosure() func(string) int {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	return func(s string) int {
		b := p.Get().(*bytes.Buffer)
		defer p.Put(b)
		b.Reset()
		n, _ := b.WriteString(s)
		return n
	}
}

func badNew(s string) int {
	made := new(sync.Pool) // want `made is a pool local to this call`
	b, ok := made.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	defer made.Put(b)
	n, _ := b.WriteString(s)
	return n
}

type server struct{ pool *sync.Pool }

func (s *server) goodStored() any {
	made := new(sync.Pool)
	s.pool = made
	v := made.Get()
	made.Put(v)
	return v
}

// One branch or the other puts, after the Get.
func badBranches(w io.Writer, s string, keep bool) error {
	branch := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `branch is a pool local to this call`
	b := branch.Get().(*bytes.Buffer)
	if _, err := w.Write([]byte(s)); err != nil {
		branch.Put(b)
		return err
	}
	if keep {
		branch.Put(b)
	}
	return nil
}

func goodPutBeforeGet(s string) int {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	p.Put(bytes.NewBuffer(make([]byte, 0, 1024)))
	b := p.Get().(*bytes.Buffer)
	n, _ := b.WriteString(s)
	return n
}

func badTwoGets(s string) int {
	double := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `double is a pool local to this call`
	b := double.Get().(*bytes.Buffer)
	c := double.Get().(*bytes.Buffer)
	defer double.Put(b)
	defer double.Put(c)
	n, _ := b.WriteString(s)
	return n
}

func goodTwoGetsInTurn(s string) int {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	b := p.Get().(*bytes.Buffer)
	n, _ := b.WriteString(s)
	p.Put(b)
	c := p.Get().(*bytes.Buffer)
	c.Reset()
	return n + c.Len()
}

func goodWorkers(jobs chan string) {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	var wg sync.WaitGroup
	wg.Go(func() {
		for s := range jobs {
			b := p.Get().(*bytes.Buffer)
			b.Reset()
			b.WriteString(s)
			p.Put(b)
		}
	})
	wg.Wait()
}

func badWorker(s string) {
	worker := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `worker is a pool local to this call`
	b := worker.Get().(*bytes.Buffer)
	defer worker.Put(b)
	done := make(chan bool)
	go func() {
		b.WriteString(s)
		close(done)
	}()
	<-done
}

func goodGoStatement(b *bytes.Buffer) int {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	go p.Put(b)
	return p.Get().(*bytes.Buffer).Len()
}

func goodPassed(s string) int {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	b := p.Get().(*bytes.Buffer)
	defer p.Put(b)
	fmt.Fprint(b, s)
	fill(&p)
	return b.Len()
}

func fill(p *sync.Pool) {
	for range 4 {
		p.Put(new(bytes.Buffer))
	}
}

func badNotPassed(s string) int {
	mine := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `mine is a pool local to this call`
	b := mine.Get().(*bytes.Buffer)
	defer mine.Put(b)
	fmt.Fprint(b, s)
	fill(&packageBuffers)
	return b.Len()
}

// The initializer needs a parameter: it has to stay.
func badParameter(size int) int {
	sized := sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, size)) }} // want `sized is a pool local to this call`
	b := sized.Get().(*bytes.Buffer)
	defer sized.Put(b)
	return b.Cap()
}

// The function needs itself.
func badRecursive(n int) int {
	again := sync.Pool{New: func() any { return badRecursive(0) }} // want `again is a pool local to this call`
	if n == 0 {
		return 0
	}
	v := again.Get()
	defer again.Put(v)
	return v.(int)
}

func badShadow(shade int) int {
	{
		shade := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `shade is a pool local to this call`
		b := shade.Get().(*bytes.Buffer)
		shade.Put(b)
	}
	return shade
}

var badInVariable = func() int {
	inner := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `inner is a pool local to this call`
	b := inner.Get().(*bytes.Buffer)
	defer inner.Put(b)
	return b.Len()
}

// The pools of this project.
func badTyped() int {
	var typed pool.Pool[bytes.Buffer] // want `typed is a pool local to this call`
	b := typed.Get()
	defer typed.Put(b)
	return b.Len()
}

func goodTyped(n int) int {
	var typed pool.Pool[bytes.Buffer]
	for range n {
		b := typed.Get()
		b.WriteByte('.')
		typed.Put(b)
	}
	return n
}

func badScoped(s string) string {
	var lines pool.Buffers // want `lines is a pool local to this call`
	return lines.String(len(s), func(b *pool.Buffer) { b.WriteString(s) })
}

func goodScoped(s, t string) string {
	var lines pool.Buffers
	return lines.String(len(s), func(b *pool.Buffer) { b.WriteString(s) }) + lines.String(len(t), func(b *pool.Buffer) { b.WriteString(t) })
}

func badArenas() int {
	var arenas arena.Pool // want `arenas is a pool local to this call`
	a := arenas.Get()
	defer a.Free()
	return *arena.New[int](a)
}

func goodArenas(n int) (sum int) {
	var arenas arena.Pool
	for range n {
		a := arenas.Get()
		sum += *arena.New[int](a)
		a.Free()
	}
	return sum
}

func init() {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	b := p.Get().(*bytes.Buffer)
	defer p.Put(b)
}

func goodMethodValue(s string) func(any) {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	b := p.Get().(*bytes.Buffer)
	b.WriteString(s)
	return p.Put
}

func badMethodValue(s string) {
	value := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want `value is a pool local to this call`
	b := value.Get().(*bytes.Buffer)
	put := value.Put
	b.WriteString(s)
	put(b)
}
