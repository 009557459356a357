package countertest

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// clock differs from the counter of instructions in what it counts, and in that it counts
// in the kernel as well: the clock of a task has no part of its own in user mode.
func clock() (*os.File, error) {
	attr := unix.PerfEventAttr{
		Type:        unix.PERF_TYPE_SOFTWARE,
		Size:        uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Config:      unix.PERF_COUNT_SW_TASK_CLOCK,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits:        unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec,
	}
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("perf_event_open", err)
	}
	return os.NewFile(uintptr(fd), "clock"), nil
}
