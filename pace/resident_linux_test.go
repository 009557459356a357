package pace

import (
	"os"
	"runtime/debug"
	"syscall"
	"testing"

	"lessgc/internal/checked"
)

// TestReleasedMeanwhile checks that memory which the runtime releases while the system is asked does not count as
// outside.
func TestReleasedMeanwhile(t *testing.T) {
	if checked.Race {
		t.Skip("the race detector's own memory lies outside the runtime")
	}
	plain(t)
	q := newProbe(0, "")
	defer q.close()
	var before, after observation
	q.observe(&before)
	const size = 64 << 20
	memory := make([]byte, size)
	for i := 0; i < len(memory); i += os.Getpagesize() {
		memory[i] = 1
	}
	q.asked = func() {
		memory = nil
		debug.FreeOSMemory()
	}
	q.looked -= lookAgain
	q.observe(&after)
	if after.mapped > before.mapped+size/2 || q.memory < size {
		t.Fatalf("%d MiB mapped before, %d after, of %d in the process: the test does not test", before.mapped>>20, after.mapped>>20, q.memory>>20)
	}
	if after.outside > before.outside+size/4 {
		t.Errorf("%d MiB outside, %d before", after.outside>>20, before.outside>>20)
	}
}

// TestOutside gets memory that the runtime does not know of, as cgo does, and pages of a file.
func TestOutside(t *testing.T) {
	plain(t)
	p := Start(Options{Limit: 1 << 30})
	defer p.Stop()
	until(t, p, func(s Stats) bool { return s.Looks > 2 })
	before := p.Stats()

	const size = 128 << 20
	memory, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(memory); i += os.Getpagesize() {
		memory[i] = 1
	}
	// Some of what the runtime has mapped may never have been touched, and hides as much.
	until(t, p, func(s Stats) bool {
		return s.Outside >= before.Outside+size*3/4 && s.Margin >= s.Outside && s.MemoryLimit <= before.MemoryLimit-size/2
	})
	if err := syscall.Munmap(memory); err != nil {
		t.Fatal(err)
	}
	until(t, p, func(s Stats) bool { return s.Outside <= before.Outside+size/4 })
	if s := p.Stats(); s.Margin < before.Margin+size/2 {
		t.Errorf("margin %d MiB: forgotten at once", s.Margin>>20)
	}

	f, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := syscall.Mmap(int(f.Fd()), 0, 4<<20, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(text)
	r := resident{}
	r.open()
	defer r.close()
	anonymous, sum := r.bytes(), 0
	for i := 0; i < len(text); i += os.Getpagesize() {
		sum += int(text[i])
	}
	if now := r.bytes(); now > anonymous+3<<20 || anonymous == 0 || sum == 0 {
		t.Errorf("%d bytes without files, %d after 4 MiB of a file were read", anonymous, now)
	}
}
