//go:build !unix

package arenas

import "time"

// cpuTime is not known here: the metric is 0.
func cpuTime() time.Duration { return 0 }
