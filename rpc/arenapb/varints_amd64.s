//go:build !purego

#include "textflag.h"

// func hasSSSE3() bool
TEXT ·hasSSSE3(SB), NOSPLIT, $0-1
	MOVL $1, AX
	XORL CX, CX
	CPUID
	SHRL $9, CX // bit 9 of ECX
	ANDL $1, CX
	MOVB CX, ret+0(FP)
	RET

// func lowTops(from unsafe.Pointer, n int) int
TEXT ·lowTops(SB), NOSPLIT, $0-24
	MOVQ from+0(FP), SI
	MOVQ n+8(FP), CX
	PXOR X7, X7
	PXOR X6, X6
	PCMPEQB X5, X5
	JMP more
block: // of 255 times 16 bytes, which is what a byte of X0 can count
	MOVQ $4080, DX
	CMPQ CX, DX
	CMOVQLT CX, DX
	SUBQ DX, CX
	PXOR X0, X0
step:
	MOVOU (SI), X1
	PCMPGTB X5, X1 // above -1
	PSUBB X1, X0
	ADDQ $16, SI
	SUBQ $16, DX
	JNZ step
	PSADBW X7, X0
	PADDQ X0, X6
more:
	TESTQ CX, CX
	JNZ block
	MOVO X6, X0
	PSRLO $8, X0
	PADDQ X0, X6
	MOVQ X6, ret+16(FP)
	RET

DATA low7<>+0(SB)/8, $0x007f007f007f007f
DATA low7<>+8(SB)/8, $0x007f007f007f007f
GLOBL low7<>(SB), RODATA|NOPTR, $16
DATA next7<>+0(SB)/8, $0x3f803f803f803f80
DATA next7<>+8(SB)/8, $0x3f803f803f803f80
GLOBL next7<>(SB), RODATA|NOPTR, $16

// START loads what each window needs.
#define START \
	MOVQ to+0(FP), DI            \
	MOVQ from+8(FP), SI          \
	MOVQ n+16(FP), DX            \
	MOVQ DX, R10                 \
	MOVQ SI, R11                 \
	LEAQ ·shuffles(SB), R8       \
	LEAQ ·begins(SB), R9         \
	MOVOU low7<>(SB), X5         \
	MOVOU next7<>(SB), X6        \
	PXOR X7, X7

// WORDS makes the varints that begin in the eight bytes at SI words of X0, how many they are CX.
// It leaves if one of them is longer than two bytes. AX has the top bits from byte -1 on.
#define WORDS(leave) \
	MOVOU -1(SI), X0             \
	PMOVMSKB X0, AX              \
	ANDL $0x3ff, AX              \
	LEAL (AX)(AX*1), BX          \
	TESTL AX, BX                 \
	JNZ leave                    \
	ANDL $0x1ff, AX              \
	MOVBLZX (R9)(AX*1), CX       \
	SHLL $4, AX                  \
	MOVOU (R8)(AX*1), X1         \
	PSHUFB X1, X0                \
	MOVO X0, X1                  \
	PAND X5, X0                  \
	PSRLW $1, X1                 \
	PAND X6, X1                  \
	POR X1, X0

// FINISH returns how many varints there were, and how many bytes they took up: one of the next
// window, too, if the last one ends there.
#define FINISH \
	MOVBLZX -1(SI), AX           \
	SHRL $7, AX                  \
	ADDQ AX, SI                  \
	SUBQ R11, SI                 \
	SUBQ DX, R10                 \
	MOVQ R10, done+24(FP)        \
	MOVQ SI, size+32(FP)         \
	RET

// func pairs64(to, from unsafe.Pointer, n int) (done, size int)
TEXT ·pairs64(SB), NOSPLIT, $0-40
	START
	JMP check
window:
	WORDS(finish)
	MOVO X0, X1
	PUNPCKLWL X7, X0
	PUNPCKHWL X7, X1
	MOVO X0, X2
	MOVO X1, X3
	PUNPCKLLQ X7, X0
	PUNPCKHLQ X7, X2
	PUNPCKLLQ X7, X1
	PUNPCKHLQ X7, X3
	MOVOU X0, (DI)
	MOVOU X2, 16(DI)
	MOVOU X1, 32(DI)
	MOVOU X3, 48(DI)
	LEAQ (DI)(CX*8), DI
	SUBQ CX, DX
	ADDQ $8, SI
check:
	CMPQ DX, $8
	JGE window
finish:
	FINISH

// func pairs32(to, from unsafe.Pointer, n int) (done, size int)
TEXT ·pairs32(SB), NOSPLIT, $0-40
	START
	JMP check
window:
	WORDS(finish)
	MOVO X0, X1
	PUNPCKLWL X7, X0
	PUNPCKHWL X7, X1
	MOVOU X0, (DI)
	MOVOU X1, 16(DI)
	LEAQ (DI)(CX*4), DI
	SUBQ CX, DX
	ADDQ $8, SI
check:
	CMPQ DX, $8
	JGE window
finish:
	FINISH
