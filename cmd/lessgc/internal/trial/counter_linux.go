package trial

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openCounter opens the counter on the calling thread, where it never counts: it is
// enabled by execve, and so in a process that inherits it.
func openCounter() (*os.File, error) {
	attr := unix.PerfEventAttr{
		Type:        unix.PERF_TYPE_HARDWARE,
		Size:        uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Config:      unix.PERF_COUNT_HW_INSTRUCTIONS,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits:        unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	const thisThread, anyCPU, noGroup = 0, -1, -1
	fd, err := unix.PerfEventOpen(&attr, thisThread, anyCPU, noGroup, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("perf_event_open", err)
	}
	return os.NewFile(uintptr(fd), "counter"), nil
}

// inherit returns a second descriptor of a file, which programs that are started inherit.
// It is above those that a program may hand to its own children by number.
func inherit(f *os.File) (fd int, err error) {
	const least = 100
	return unix.FcntlInt(f.Fd(), unix.F_DUPFD, least)
}
