package collect

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/live"
)

// handlers are the functions that answer a request for profiles or figures, besides all of
// net/http/pprof. runtime/pprof.profileWriter is the goroutine that packs a CPU profile
// while it is taken: a process takes one at a time, so it is the one that was asked for.
var handlers = []string{
	reflect.TypeFor[live.Snapshot]().PkgPath() + ".serve",
	"expvar.expvarHandler",
	"runtime/pprof.profileWriter",
}

// leaveOutRequests takes away what the service did only because it was asked, and notes
// how much that was. What is live stays as it is. The error is about a profile that holds
// nothing else.
func leaveOutRequests(p *prof.Set) error {
	cpu, cpuAll := leaveOut(p.CPU, "cpu")
	bytes, bytesAll := leaveOut(p.Allocs, "alloc_space")
	for _, x := range []*prof.Profile{p.CPU, p.Allocs} {
		if len(x.Sample) == 0 {
			return fmt.Errorf("the %s profile: %w but those of answering lessgc; let the program work while it is taken", x.Kind, prof.ErrNoSamples)
		}
	}
	if cpu > 0 || bytes > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("left out: what the service spent on being asked for these profiles and figures, %.1f %% of its CPU time and %.1f MiB (%.1f %%) of what it allocated",
			percentage(cpu, cpuAll), float64(bytes)/(1<<20), percentage(bytes, bytesAll)))
	}
	return nil
}

func percentage(part, all int64) float64 { return 100 * float64(part) / float64(max(all, 1)) }

// leaveOut removes the samples of answering requests for profiles and figures from p, and
// returns the sum of one of their values, and that of all samples before.
func leaveOut(p *prof.Profile, value string) (left, all int64) {
	v := p.Value(value)
	n := len(p.Sample)
	p.Sample = slices.DeleteFunc(p.Sample, func(s *profile.Sample) bool {
		asked := answers(prof.Stack(s))
		all += s.Value[v]
		if asked {
			left += s.Value[v]
		}
		return asked
	})
	if len(p.Sample) < n {
		p.Profile = p.Compact() // or functions of theirs would count as the program's
	}
	return left, all
}

// answers reports whether a stack is one of answering a request for profiles or figures.
// A service may write profiles for itself, and label goroutines with pprof.Do: of
// runtime/pprof, only its writers below a handler of net/http count.
func answers(stack []prof.Frame) bool {
	writes := false
	for _, f := range stack {
		switch {
		case f.Package() == "net/http/pprof", slices.Contains(handlers, f.Func):
			return true
		case strings.HasPrefix(f.Func, "runtime/pprof.") && strings.HasSuffix(f.Func, ".WriteTo"):
			writes = true
		case writes && f.Package() == "net/http":
			return true
		}
	}
	return false
}
