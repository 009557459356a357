package trial

import (
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
)

// OpenCounter opens a counter of instructions, or returns why this machine has none for us.
// It counts what processes that the calling thread starts execute from execve on, with
// all their threads and children, in user mode. A read gives three numbers of 8 bytes, in
// the order of the machine: the count, and the times for which the counter was enabled
// and for which it did count, in ns. The caller closes it.
//
// Tests replace it: many machines have no such counter.
var OpenCounter = openCounter

// startCounting opens a counter for cmd, if the request asks for one, and tells the
// program its descriptor, if it wants to know. nil is for none: the program runs without.
func startCounting(q request, cmd *exec.Cmd) *os.File {
	if !q.Count {
		return nil
	}
	counter, err := OpenCounter()
	if err != nil {
		return nil
	}
	if q.CounterFlag != "" {
		if fd, err := inherit(counter); err == nil {
			cmd.Args = slices.Insert(cmd.Args, 1, q.CounterFlag+"="+strconv.Itoa(fd))
		}
	}
	return counter
}

// counted returns the count of a counter; 0 if that is not known. One that had to
// share the hardware with others did not count all the time.
func counted(counter *os.File) int64 {
	var read struct{ Count, Enabled, Running uint64 }
	if err := binary.Read(counter, binary.NativeEndian, &read); err != nil || read.Running != read.Enabled || read.Count > math.MaxInt64 {
		return 0
	}
	return int64(read.Count)
}
