package pace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// container makes the files of a control group of version 2, below a folder.
func container(t *testing.T, limit string) (root, file string) {
	t.Helper()
	root = t.TempDir()
	file = root + "/sys/fs/cgroup/memory.max"
	write(t, root+"/proc/self/cgroup", "0::/\n")
	write(t, root+"/proc/self/mountinfo", "30 25 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
	write(t, root+"/sys/fs/cgroup/memory.current", "1000\n")
	write(t, root+"/sys/fs/cgroup/memory.stat", "anon 1000\ninactive_file 0\nactive_file 0\n")
	write(t, file, limit+"\n")
	return root, file
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// startIn starts a pacer in a container.
func startIn(t *testing.T, root string, o Options) *Pacer {
	t.Helper()
	p := &Pacer{plan: o.plan(), hooks: o.OnPressure}
	if !running.CompareAndSwap(nil, p) {
		t.Fatal("another one is running")
	}
	p.start(newProbe(o.Limit, root))
	t.Cleanup(p.Stop)
	return p
}

// TestContainer changes the limit of a container while a pacer runs in it.
func TestContainer(t *testing.T) {
	plain(t)
	root, file := container(t, "8589934592")
	p := startIn(t, root, Options{})
	between := func(low, high int64) func(Stats) bool {
		return func(s Stats) bool {
			_, limit := effect()
			return s.Source == "cgroup v2" && s.MemoryLimit == limit && s.Error == "" && limit >= low && limit <= high
		}
	}
	const gib = 1 << 30
	if s := p.Stats(); !between(7*gib, 8*gib-1)(s) {
		t.Errorf("at first: %+v", s)
	}
	write(t, file, "4294967296\n")
	until(t, p, between(3*gib, 4*gib-1))
	write(t, file, "6442450944\n")
	until(t, p, between(5*gib, 6*gib-1))
	write(t, file, "many\n") // keeps what was
	until(t, p, func(s Stats) bool {
		return strings.Contains(s.Error, `"many\n" is not a number`) && between(5*gib, 6*gib-1)(Stats{Source: s.Source, MemoryLimit: s.MemoryLimit})
	})
	write(t, file, "max\n")
	until(t, p, func(s Stats) bool {
		_, limit := effect()
		return s.Limit == 0 && s.Source == "" && limit == noLimit
	})
}

// TestNoContainer checks what is said of a container that cannot be understood.
func TestNoContainer(t *testing.T) {
	plain(t)
	root, _ := container(t, "8589934592")
	write(t, root+"/proc/self/cgroup", "nonsense\n")
	p := startIn(t, root, Options{})
	s := p.Stats()
	if _, limit := effect(); limit != noLimit || s.Limit != 0 || s.Source != "" || s.State != steady {
		t.Errorf("limit %d, %+v", limit, s)
	}
	if want := `read /proc/self/cgroup: line 1: "nonsense" is not ID:CONTROLLERS:/PATH`; s.Error != want {
		t.Errorf("error %q, want %q", s.Error, want)
	}
}

// TestTimer checks that a pacer looks again though nothing is collected.
func TestTimer(t *testing.T) {
	plain(t)
	root, file := container(t, "8589934592")
	p := startIn(t, root, Options{})
	write(t, file, "4294967296\n")
	for begun := time.Now(); p.Stats().Limit != 4<<30; time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > hopeless {
			t.Fatalf("never: %+v", p.Stats())
		}
	}
}
