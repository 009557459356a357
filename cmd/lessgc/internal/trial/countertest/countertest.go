// Package countertest has fake counters of instructions for tests: most
// machines that run them have none.
package countertest

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"syscall"
)

// Variable is the environment variable that names the counter of a test binary that lessgc
// starts as its helper.
const Variable = "LESSGC_TEST_COUNTER"

// Values of Variable.
const (
	Steps  = "steps"  // each read is Step more than the one before
	Shared = "shared" // the same, and the hardware counted half of the time only
	Clock  = "clock"  // CPU time in ns, which the kernel counts in the same way; Linux only
	None   = "none"   // no counter can be opened
)

// Step is the difference between a read of Steps and the next.
const Step = 1_000_000

// Open opens the counter that the environment names.
func Open() (*os.File, error) {
	switch name := os.Getenv(Variable); name {
	case Steps, Shared:
		return steps(name == Shared)
	case Clock:
		return clock()
	default:
		return nil, os.NewSyscallError("perf_event_open", syscall.ENOENT)
	}
}

// steps makes a file of a thousand reads, the first of which is Step.
func steps(shared bool) (*os.File, error) {
	f, err := os.CreateTemp("", "counter")
	if err != nil {
		return nil, err
	}
	var reads [1000]struct{ Count, Enabled, Running uint64 }
	for i := range reads {
		n := uint64(i + 1)
		reads[i].Count, reads[i].Enabled, reads[i].Running = n*Step, 2*n, 2*n
		if shared {
			reads[i].Running = n
		}
	}
	err = errors.Join(binary.Write(f, binary.NativeEndian, &reads), os.Remove(f.Name()))
	_, seekErr := f.Seek(0, io.SeekStart)
	return f, errors.Join(err, seekErr)
}
