// Package guards starts what is to keep a program from running out of memory: pace, automemlimit or fixed settings.
package guards

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"lessgc/pace"
)

// Names lists the guards that Start knows; gogc=N is another, for any N. The guard none leaves GOGC at 100, without a limit.
var Names = []string{"none", "automemlimit", "pace", "pace-shed", "pace-crash"}

// Refresh is the interval at which automemlimit reads the limit again.
const Refresh = 2 * time.Second

// An Environment describes what a program runs in.
type Environment struct {
	Contained bool         // in a control group, whose limit is the hard limit
	Hard      func() int64 // the hard limit in bytes; asked only if it is not the control group's
	Shed      func()       // gives memory up, for pace-shed
}

// Check reports a name that Start does not know.
func Check(name string) error {
	if text, ok := strings.CutPrefix(name, "gogc="); ok {
		if n, err := strconv.Atoi(text); err != nil || n < 1 {
			return fmt.Errorf("guard %s: want gogc=N with a number above 0", name)
		}
		return nil
	}
	for _, known := range Names {
		if name == known {
			return nil
		}
	}
	return fmt.Errorf("unknown guard %s: want gogc=N or one of %s", name, strings.Join(Names, ", "))
}

// Start starts a guard. The pacer is nil unless it is one of pace.
func Start(ctx context.Context, name string, at Environment) (*pace.Pacer, error) {
	if err := Check(name); err != nil {
		return nil, err
	}
	var o pace.Options
	if !at.Contained {
		o.Limit = at.Hard()
	}
	switch name {
	case "automemlimit":
		return nil, automemlimit(ctx, at)
	case "pace-shed":
		o.OnPressure = append(o.OnPressure, func(pace.Pressure) { at.Shed() })
	case "pace-crash":
		o.AtLimit = pace.Crash
	case "pace", "none":
	default:
		n, _ := strconv.Atoi(strings.TrimPrefix(name, "gogc="))
		debug.SetGCPercent(n)
	}
	if strings.HasPrefix(name, "pace") {
		return pace.Start(o), nil
	}
	return nil, nil
}

func automemlimit(ctx context.Context, at Environment) error {
	provider := memlimit.FromCgroup
	if !at.Contained {
		provider = func() (uint64, error) { return uint64(at.Hard()), nil }
	}
	_, err := memlimit.Set(memlimit.WithProvider(provider), memlimit.WithRatio(0.9), memlimit.WithRefreshInterval(ctx, Refresh))
	return err
}
