package trial

import (
	"math"
	"regexp"
	"runtime"
	"testing"

	"lessgc/cmd/lessgc/internal/trial/countertest"
)

// TestCounter checks, with a clock of the kernel's as the counter, that threads and
// children are counted, and what starts them is not.
func TestCounter(t *testing.T) {
	t.Setenv(countertest.Variable, countertest.Clock)
	clock, err := countertest.Open()
	if err != nil {
		t.Skip(err)
	}
	clock.Close()
	for _, name := range []string{"busy", "busy family"} {
		c := child(name)
		c.Count = true
		o := run(t, c)
		// The kernel accounts CPU time by ticks on some machines.
		if n, cpu := float64(o.Instructions), float64(o.CPUTime()); math.Abs(n-cpu) > cpu/10+20e6 {
			t.Errorf("%s: counted %.0f, CPU time %v", name, n, o.CPUTime())
		}
		if o.Failed() {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// TestCounterMissing checks that a program runs as ever where nothing can be counted, and
// that no count is made of one that is not whole.
func TestCounterMissing(t *testing.T) {
	for _, x := range []struct {
		counter string
		count   bool
		want    int64
		args    string
	}{
		{countertest.Steps, true, countertest.Step, `^\["-counter=1[0-9]{2}" "a"\]`},
		{countertest.Steps, false, 0, `^\["a"\]`},
		{countertest.Shared, true, 0, `^\["-counter=1[0-9]{2}" "a"\]`},
		{countertest.None, true, 0, `^\["a"\]`},
	} {
		t.Setenv(countertest.Variable, x.counter)
		c := child("arguments", "a")
		c.Count = x.count
		if x.count {
			c.CounterFlag = "-counter"
		}
		o := run(t, c)
		if o.Instructions != x.want || !regexp.MustCompile(x.args).Match(o.Stdout) || o.Failed() {
			t.Errorf("%+v: %d instructions, %q", x, o.Instructions, o.Stdout)
		}
	}
}

// TestOpenCounter opens the counter of the machine, if it has one: it counts nothing in
// the process that opens it.
func TestOpenCounter(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	counter, err := openCounter()
	if err != nil {
		t.Skip(err)
	}
	defer counter.Close()
	if n := counted(counter); n != 0 {
		t.Errorf("%d instructions of this process", n)
	}
	t.Setenv(countertest.Variable, "")
	c := child("busy")
	c.Count = true
	if o := run(t, c); float64(o.Instructions) < 1e7 {
		t.Errorf("%d instructions in %v", o.Instructions, o.User)
	}
}
