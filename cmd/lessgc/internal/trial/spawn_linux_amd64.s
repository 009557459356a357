#include "textflag.h"

// The program of spawn_linux.go, for Linux on amd64: see there for what it does and
// for the layout of its report. It uses no memory but that below the stack pointer,
// and calls nothing: the child shares memory and stack with its parent until it
// executes the program.
//
//	BX   what the kernel put on the stack: argc, argv, nil, environment, nil
//	R12  the report
TEXT spawn<>(SB),NOSPLIT|NOFRAME,$0-0
	MOVQ	SP, BX
	LEAQ	-512(BX), R12
	MOVQ	$0, 8(R12)

	MOVQ	$228, AX	// clock_gettime(CLOCK_MONOTONIC, &report.start)
	MOVQ	$1, DI
	LEAQ	16(R12), SI
	SYSCALL

	MOVQ	$58, AX	// vfork()
	SYSCALL
	TESTQ	AX, AX
	JZ	child
	JLT	cannotFork

wait:
	MOVQ	$61, AX	// wait4(-1, &report.status, 0, &report.usage)
	MOVQ	$-1, DI
	MOVQ	R12, SI
	MOVQ	$0, DX
	LEAQ	48(R12), R10
	SYSCALL
	CMPQ	AX, $-4	// EINTR
	JEQ	wait

	MOVQ	$228, AX	// clock_gettime(CLOCK_MONOTONIC, &report.end)
	MOVQ	$1, DI
	LEAQ	32(R12), SI
	SYSCALL
	JMP	report

cannotFork:
	MOVQ	AX, 8(R12)

report:
	MOVQ	$1, AX	// write(3, &report, 192)
	MOVQ	$3, DI
	MOVQ	R12, SI
	MOVQ	$192, DX
	SYSCALL
	MOVQ	$231, AX	// exit_group(0)
	MOVQ	$0, DI
	SYSCALL

child:
	MOVQ	$157, AX	// prctl(PR_SET_PDEATHSIG, SIGKILL)
	MOVQ	$1, DI
	MOVQ	$9, SI
	SYSCALL
	MOVQ	$72, AX	// fcntl(3, F_SETFD, FD_CLOEXEC)
	MOVQ	$3, DI
	MOVQ	$2, SI
	MOVQ	$1, DX
	SYSCALL
	MOVQ	$59, AX	// execve(argv[1], &argv[2], environment)
	MOVQ	16(BX), DI
	LEAQ	24(BX), SI
	MOVQ	0(BX), DX
	LEAQ	16(BX)(DX*8), DX
	SYSCALL
	MOVQ	AX, 8(R12)
	MOVQ	$60, AX	// exit(127)
	MOVQ	$127, DI
	SYSCALL
	QUAD	$0x0b0f0b0f0b0f0b0f	// spawnEnd

// func spawnStart() unsafe.Pointer
TEXT ·spawnStart(SB),NOSPLIT,$0-8
	LEAQ	spawn<>(SB), AX
	MOVQ	AX, ret+0(FP)
	RET
