package guards

import (
	"context"
	"math"
	"os"
	"runtime/debug"
	"testing"
	"time"
)

// TestStart checks what each guard sets for a limit that is not a control group's.
func TestStart(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "") // and then without: automemlimit and pace leave one alone that is set
	os.Unsetenv("GOMEMLIMIT")
	check := func(name string, gogc int, low, high int64) {
		t.Helper()
		defer debug.SetGCPercent(debug.SetGCPercent(100))
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		pacer, err := Start(ctx, name, Environment{Hard: func() int64 { return 1 << 30 }})
		if err != nil {
			t.Error(err)
			return
		}
		defer pacer.Stop()
		for begun := time.Now(); pacer != nil && pacer.Stats().Looks == 0 && time.Since(begun) < time.Second; {
			time.Sleep(time.Millisecond)
		}
		limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
		debug.SetGCPercent(percent)
		if limit < low || limit > high || gogc != 0 && percent != gogc {
			t.Errorf("%s: limit %d, GOGC %d", name, limit, percent)
		}
	}
	check("none", 100, math.MaxInt64, math.MaxInt64)
	check("gogc=200", 200, math.MaxInt64, math.MaxInt64)
	check("automemlimit", 100, 966367641, 966367641)
	check("pace", 0, 800<<20, 1000<<20)
	check("pace-shed", 0, 800<<20, 1000<<20)
	check("pace-crash", 0, 800<<20, 1000<<20)
	for _, name := range []string{"", "gogc=", "gogc=0", "gogc=x", "paces"} {
		if _, err := Start(context.Background(), name, Environment{}); err == nil {
			t.Errorf("guard %q is started", name)
		}
	}
}
