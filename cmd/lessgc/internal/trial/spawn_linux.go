//go:build linux && (amd64 || arm64)

package trial

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Linux counts the peak memory of the process that forks, or of the program that it
// executed before, to that of the program it executes: exec_mmap of fs/exec.c. So
// neither this process nor any other in Go can start a program whose peak is to be
// known: it would not seem smaller than 4 MiB, or 18 for the whole command.
//
// What starts it here is a program of some 400 bytes, written in the assembler of
// this package and put into an ELF file in memory. It does this:
//
//	report.start = clock_gettime(CLOCK_MONOTONIC)
//	vfork
//		in the child:
//		prctl(PR_SET_PDEATHSIG, SIGKILL)
//		fcntl(3, F_SETFD, FD_CLOEXEC)
//		execve(argv[1], &argv[2], environment)
//		report.failed = what execve returned
//	wait4(-1, &report.status, 0, &report.usage)
//	report.end = clock_gettime(CLOCK_MONOTONIC)
//	write(3, &report, sizeof report)
//
// The peak of a program that it starts is its own, or that of this one if that is
// larger: some 100 KiB. On other systems a peak is known if it is larger than that
// of the helper.

// peakHasNoFloor records that a small program has a small peak here.
const peakHasNoFloor = true

// spawnReport is written by the program, 192 bytes. The layout is the kernel's on
// 64-bit systems, and known to the assembler files.
type spawnReport struct {
	Status     int32 // of wait4
	_          int32
	Failed     int64 // 0, or the negative errno of vfork or execve
	Start, End syscall.Timespec
	Usage      syscall.Rusage
}

// spawnStart returns the address of the first instruction of the program. It ends
// before spawnEnd.
func spawnStart() unsafe.Pointer

// spawnEnd are instructions that nothing else has: traps, two or four times.
var spawnEnd = map[string][]byte{
	"amd64": bytes.Repeat([]byte{0x0f, 0x0b}, 4),
	"arm64": bytes.Repeat([]byte{0x00, 0x00, 0x20, 0xd4}, 2),
}[runtime.GOARCH]

// spawnFile is the program as an ELF file: header, two program headers, code.
var spawnFile = sync.OnceValue(func() []byte {
	const most = 1 << 10
	code := unsafe.Slice((*byte)(spawnStart()), most)
	length := bytes.Index(code, spawnEnd)
	if length < 0 {
		panic("the end of spawn is not there")
	}
	const address = 0x400000
	const headers = 64 + 2*56
	header := elf.Header64{
		Ident:     [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:      uint16(elf.ET_EXEC),
		Machine:   uint16(map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH]),
		Version:   uint32(elf.EV_CURRENT),
		Entry:     address + headers,
		Phoff:     64,
		Ehsize:    64,
		Phentsize: 56,
		Phnum:     2,
	}
	load := elf.Prog64{
		Type:   uint32(elf.PT_LOAD),
		Flags:  uint32(elf.PF_R | elf.PF_X),
		Vaddr:  address,
		Paddr:  address,
		Filesz: uint64(headers + length),
		Memsz:  uint64(headers + length),
		Align:  1 << 16, // the largest page of arm64
	}
	stack := elf.Prog64{Type: uint32(elf.PT_GNU_STACK), Flags: uint32(elf.PF_R | elf.PF_W)}
	var file bytes.Buffer
	for _, part := range []any{header, load, stack, code[:length]} {
		if err := binary.Write(&file, binary.LittleEndian, part); err != nil {
			panic(err) // all have a fixed size
		}
	}
	return file.Bytes()
})

// errNoSpawn is returned if the system does not let the program run: the caller has to
// start what is measured itself.
var errNoSpawn = errors.New("spawn cannot run")

// spawn starts cmd, waits for its end and fills in the report, but for Left.
func spawn(cmd *exec.Cmd) (r report, err error) {
	if cmd.Err != nil {
		return r, cmd.Err
	}
	fd, err := unix.MemfdCreate("lessgc-spawn", unix.MFD_CLOEXEC)
	if err != nil {
		return r, errNoSpawn
	}
	program := os.NewFile(uintptr(fd), "lessgc-spawn")
	defer program.Close()
	if _, err := program.Write(spawnFile()); err != nil {
		return r, errNoSpawn
	}
	from, to, err := os.Pipe()
	if err != nil {
		return r, errNoSpawn
	}
	defer from.Close()
	outer := &exec.Cmd{
		Path: fmt.Sprintf("/proc/self/fd/%d", fd),
		Args: append([]string{"lessgc-spawn", cmd.Path}, cmd.Args...),
		Dir:  cmd.Dir, Env: cmd.Env, Stdout: cmd.Stdout, Stderr: cmd.Stderr, SysProcAttr: cmd.SysProcAttr,
		ExtraFiles: []*os.File{to}, // 3 there
	}
	err = outer.Start()
	to.Close()
	if err != nil {
		return r, errNoSpawn
	}
	var told spawnReport
	readErr := binary.Read(from, binary.NativeEndian, &told)
	if err := cmp.Or(outer.Wait(), readErr); err != nil {
		return r, fmt.Errorf("the measuring helper failed: %w", err)
	}
	if told.Failed != 0 {
		return r, &os.PathError{Op: "fork/exec", Path: cmd.Path, Err: syscall.Errno(-told.Failed)}
	}
	r.Wall = time.Duration(told.End.Nano() - told.Start.Nano())
	r.User, r.System = time.Duration(told.Usage.Utime.Nano()), time.Duration(told.Usage.Stime.Nano())
	r.PeakRSS = told.Usage.Maxrss * rssUnit
	status := syscall.WaitStatus(told.Status)
	r.ExitCode = status.ExitStatus() // -1 if it was killed
	if status.Signaled() {
		r.Signal = status.Signal().String()
	}
	return r, nil
}
