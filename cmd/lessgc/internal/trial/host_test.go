package trial

import (
	"math"
	"os"
	"strings"
	"testing"
)

func TestParseCPUTicks(t *testing.T) {
	check := func(stat string, want cpuTicks, wantOK bool) {
		t.Helper()
		got, ok := parseCPUTicks(stat)
		if ok != wantOK || ok && got != want {
			t.Errorf("%q: %+v, %v, want %+v, %v", stat, got, ok, want, wantOK)
		}
	}
	check("cpu  10 1 5 100 2 3 4 7 50 60\ncpu0 1 1 1 1 1 1 1 1 1 1\n", cpuTicks{132, 7}, true) // the guest's time is in user's
	check("cpu 10 1 5 100 2 3 4 7\n", cpuTicks{132, 7}, true)
	check("cpu 10 1 5 100 2 3 4 0 0 0", cpuTicks{125, 0}, true)
	check("cpu 18446744073709551615 0 0 0 0 0 0 0", cpuTicks{math.MaxUint64, 0}, true)
	check("", cpuTicks{}, false)
	check("cpu\n", cpuTicks{}, false)
	check("cpu 10 1 5 100 2 3 4\n", cpuTicks{}, false) // before Linux 2.6.11
	check("cpu0 10 1 5 100 2 3 4 7 0 0\n", cpuTicks{}, false)
	check("cpu 10 1 5 x 2 3 4 7\n", cpuTicks{}, false)
	check("cpu 10 1 5 -1 2 3 4 7\n", cpuTicks{}, false)
	check("intr 10 1 5 100 2 3 4 7 0 0\n", cpuTicks{}, false)
}

func TestSteal(t *testing.T) {
	check := func(before, after cpuTicks, want float64) {
		t.Helper()
		if got := after.stealSince(before); got != want {
			t.Errorf("from %+v to %+v: %v, want %v", before, after, got, want)
		}
	}
	check(cpuTicks{100, 10}, cpuTicks{200, 10}, 0)
	check(cpuTicks{100, 10}, cpuTicks{200, 35}, 0.25)
	check(cpuTicks{100, 10}, cpuTicks{200, 110}, 1)
	check(cpuTicks{100, 10}, cpuTicks{100, 10}, 0) // shorter than a tick
	check(cpuTicks{200, 10}, cpuTicks{100, 20}, 0) // a CPU was taken away
	check(cpuTicks{100, 10}, cpuTicks{200, 9}, 0)  // the kernel's own count may go back a little
}

func TestHostNow(t *testing.T) {
	if _, err := os.Stat("/proc/stat"); err != nil {
		t.Skip(err)
	}
	if ticks, ok := readCPUTicks(); !ok || ticks.total == 0 || ticks.steal > ticks.total {
		t.Errorf("ticks: %+v, %v", ticks, ok)
	}
	if load := loadAverage(); load < 0 || load > 1e6 {
		t.Errorf("load average: %v", load)
	}
}

func TestCrashed(t *testing.T) {
	check := func(want bool, o Outcome) {
		t.Helper()
		if got := o.Crashed(); got != want {
			t.Errorf("%+v: %v, want %v", o, got, want)
		}
	}
	check(false, Outcome{})
	check(false, Outcome{Stdout: []byte("goos: linux\n--- FAIL: BenchmarkX\n    x_test.go:5: no\nFAIL\n"), ExitCode: 1})
	check(true, Outcome{Stdout: []byte("goos: linux\nBenchmarkX\n"), ExitCode: 1}) // os.Exit(1)
	check(true, Outcome{Stdout: []byte("goos: linux\n--- FAIL: BenchmarkX\n    x_test.go:5: no\n"), ExitCode: 1})
	check(true, Outcome{ExitCode: 1})
	check(true, Outcome{ExitCode: 2, Stderr: []byte("panic: x\n")})
	check(true, Outcome{ExitCode: 2, Stdout: []byte("\nFAIL\n")})
	check(true, Outcome{ExitCode: 137})
	check(true, Outcome{ExitCode: -1, Signal: "killed"})
	check(true, Outcome{ExitCode: -1, Signal: "killed", Stdout: []byte("\nFAIL\n")})
}

func TestFailed(t *testing.T) {
	for o, want := range map[*Outcome]bool{{}: false, {ExitCode: 1}: true, {ExitCode: -1, Signal: "killed"}: true, {Signal: "killed"}: true} {
		if got := o.Failed(); got != want {
			t.Errorf("%+v: %v, want %v", o, got, want)
		}
	}
	if o := (Outcome{User: 3, System: 4}); o.CPUTime() != 7 {
		t.Errorf("CPU time %d, want 7", o.CPUTime())
	}
}

func TestReason(t *testing.T) {
	check := func(want, stdout, stderr string, code int, signal string) {
		t.Helper()
		o := Outcome{Stdout: []byte(stdout), Stderr: []byte(stderr), ExitCode: code, Signal: signal}
		if got := o.Reason(); got != want {
			t.Errorf("%+v: %q, want %q", o, got, want)
		}
	}
	check("exit status 3", "", "", 3, "")
	check("exit status 3", "some output\n", " \n", 3, "")
	check("exit status 3: cannot open x", "out\n", "start\ncannot open x\n\n", 3, "")
	check("it was killed by a signal: killed", "", "panic: no\n", -1, "killed")
	check("panic: runtime error: index out of range [3] with length 2",
		"goos: linux\n--- FAIL: BenchmarkX\n    hello\n", "log line\npanic: runtime error: index out of range [3] with length 2\n\ngoroutine 7 [running]:\n", 2, "")
	check("fatal error: all goroutines are asleep - deadlock!", "", "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\n", 2, "")
	check("runtime: goroutine stack exceeds 1000000000-byte limit", "", "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n", 2, "")
	check("exit status 1", "goos: linux\n--- FAIL: BenchmarkX\n    x_test.go:5: no\nFAIL\n", "", 1, "")
}

func TestBenchmarkReason(t *testing.T) {
	check := func(want, stdout, stderr string, code int) {
		t.Helper()
		if got := (Outcome{Stdout: []byte(stdout), Stderr: []byte(stderr), ExitCode: code}).BenchmarkReason(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check("BenchmarkX-2: x_test.go:5: no space", "goos: linux\nBenchmarkX-2   \t--- FAIL: BenchmarkX-2\n    x_test.go:5: no space\nFAIL\n", "", 1)
	check("BenchmarkX-2: x_test.go:5: no (and 1 more)", "--- FAIL: BenchmarkX-2\n    x_test.go:5: no\n--- FAIL: BenchmarkY-2\nFAIL\n", "", 1)
	check("panic: on purpose", "--- FAIL: BenchmarkX-2\n    x_test.go:5: no\n", "panic: on purpose\n", 2)
	check("exit status 1: no such flag", "", "no such flag\n", 1)
}

func TestDetail(t *testing.T) {
	check := func(stdout, stderr, want string) {
		t.Helper()
		if got := (Outcome{Stdout: []byte(stdout), Stderr: []byte(stderr)}).Detail(); got != want {
			t.Errorf("%.60q and %.60q: %.60q, want %.60q", stdout, stderr, got, want)
		}
	}
	check("", "", "")
	check("out\n", "err\n", "err\n")
	check("out\n", " \n", "out\n")
	check("out\n", "", "out\n")
	whole := strings.Repeat("x", 4<<10)
	check("", whole, whole)
	// What a program wrote before it failed may be long. The reason is behind
	// that, and with it the trace of the goroutine at fault.
	long := Outcome{Stderr: []byte(strings.Repeat("a line of the log\n", 10000) + "panic: here\n\ngoroutine 1 [running]:\nmain.main()\n"), ExitCode: 2}
	if got := long.Detail(); len(got) > 5<<10 || !strings.Contains(got, "panic: here") {
		t.Errorf("%d bytes without the panic: %.100q", len(got), got)
	}
}

func TestWithoutTraces(t *testing.T) {
	const trace = "gc 2 @0.006s 9%: 0.005+1.2+0.048 ms clock, 0.010+0.081/0.24/0.83+0.096 ms cpu, 7->8->4 MB, 8 MB goal, 0 MB stacks, 0 MB globals, 2 P\n"
	check := func(in, want string) {
		t.Helper()
		if got := string(withoutTraces([]byte(in))); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	check("", "")
	check(trace+trace, "")
	check("a\n"+trace+"\nb", "a\n\nb")
	check("gc is fine\n"+trace, "gc is fine\n")
	check("loading ... "+trace+"done\n", "loading ... done\n") // as it would be without a trace
}

// TestPrinted checks what is shown of a program's output in one line.
func TestPrinted(t *testing.T) {
	check := func(o Outcome, want string) {
		t.Helper()
		if got := o.Printed(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(Outcome{}, "")
	check(Outcome{Stdout: []byte("out\n"), Stderr: []byte("err\n")}, "err")
	check(Outcome{Stdout: []byte("one\r\ntwo\nthree\n"), Stderr: []byte("\n")}, "one | two | three")
	check(Outcome{Stderr: []byte("1\n2\n3\n4\n5")}, "1 | ... | 4 | 5")
	check(Outcome{Stderr: []byte(strings.Repeat("x", 1000))}, strings.Repeat("x", 300)+"...")
	o := Outcome{ExitCode: 2, Stderr: []byte("no flag -x\nusage\n  -y\n  -z\n")}
	if got := o.LongReason(); got != "exit status 2: no flag -x | ... | -y | -z" {
		t.Error(got)
	}
}
