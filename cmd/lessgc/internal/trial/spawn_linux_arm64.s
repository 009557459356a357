#include "textflag.h"

// The program of spawn_linux.go, for Linux on arm64: see there for what it does and
// for the layout of its report. It uses no memory but that below the stack pointer,
// and calls nothing: the child shares memory and stack with its parent until it
// executes the program.
//
//	R19  what the kernel put on the stack: argc, argv, nil, environment, nil
//	R20  the report
TEXT spawn<>(SB),NOSPLIT|NOFRAME,$0-0
	MOVD	RSP, R19
	SUB	$512, R19, R20
	MOVD	ZR, 8(R20)

	MOVD	$113, R8	// clock_gettime(CLOCK_MONOTONIC, &report.start)
	MOVD	$1, R0
	ADD	$16, R20, R1
	SVC

	MOVD	$220, R8	// clone(CLONE_VM|CLONE_VFORK|SIGCHLD, 0, ...)
	MOVD	$0x4111, R0
	MOVD	$0, R1
	MOVD	$0, R2
	MOVD	$0, R3
	MOVD	$0, R4
	SVC
	CMP	$0, R0
	BEQ	child
	BLT	cannotFork

wait:
	MOVD	$260, R8	// wait4(-1, &report.status, 0, &report.usage)
	MOVD	$-1, R0
	MOVD	R20, R1
	MOVD	$0, R2
	ADD	$48, R20, R3
	SVC
	CMN	$4, R0	// EINTR
	BEQ	wait

	MOVD	$113, R8	// clock_gettime(CLOCK_MONOTONIC, &report.end)
	MOVD	$1, R0
	ADD	$32, R20, R1
	SVC
	B	report

cannotFork:
	MOVD	R0, 8(R20)

report:
	MOVD	$64, R8	// write(3, &report, 192)
	MOVD	$3, R0
	MOVD	R20, R1
	MOVD	$192, R2
	SVC
	MOVD	$94, R8	// exit_group(0)
	MOVD	$0, R0
	SVC

child:
	MOVD	$167, R8	// prctl(PR_SET_PDEATHSIG, SIGKILL)
	MOVD	$1, R0
	MOVD	$9, R1
	SVC
	MOVD	$25, R8	// fcntl(3, F_SETFD, FD_CLOEXEC)
	MOVD	$3, R0
	MOVD	$2, R1
	MOVD	$1, R2
	SVC
	MOVD	$221, R8	// execve(argv[1], &argv[2], environment)
	MOVD	16(R19), R0
	ADD	$24, R19, R1
	MOVD	0(R19), R2
	ADD	R2<<3, R19, R2
	ADD	$16, R2, R2
	SVC
	MOVD	R0, 8(R20)
	MOVD	$93, R8	// exit(127)
	MOVD	$127, R0
	SVC
	WORD	$0xd4200000	// spawnEnd
	WORD	$0xd4200000

// func spawnStart() unsafe.Pointer
TEXT ·spawnStart(SB),NOSPLIT,$0-8
	MOVD	$spawn<>(SB), R0
	MOVD	R0, ret+0(FP)
	RET
