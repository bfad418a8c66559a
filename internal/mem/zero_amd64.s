//go:build !purego

#include "textflag.h"

// func IsZero(p unsafe.Pointer, n uintptr) bool
TEXT ·IsZero(SB), NOSPLIT|NOFRAME, $0-17
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	LEAQ (SI)(CX*1), DI
	CMPQ CX, $64
	JB   short
	CMPQ (SI), $0 // which says most of what is not
	JNE  no
	SUBQ $64, DI
	MOVOU (DI), X0
	MOVOU 16(DI), X1
	MOVOU 32(DI), X2
	MOVOU 48(DI), X3
	JMP  more
each: // 64 bytes, and the last of those are looked at already
	MOVOU (SI), X4
	MOVOU 16(SI), X5
	MOVOU 32(SI), X6
	MOVOU 48(SI), X7
	ADDQ $64, SI
	POR  X4, X0
	POR  X5, X1
	POR  X6, X2
	POR  X7, X3
more:
	CMPQ SI, DI
	JB   each
	POR  X1, X0
	POR  X3, X2
	POR  X2, X0
	PXOR X1, X1
	PCMPEQB X1, X0
	PMOVMSKB X0, AX
	CMPL AX, $0xffff
	SETEQ ret+16(FP)
	RET
short:
	SUBQ $8, CX
	JB   shorter
	CMPQ (SI), $0
	JNE  no
	ADDQ $8, SI
	JMP  short
shorter:
	CMPQ SI, DI
	JAE  yes
	CMPB (SI), $0
	JNE  no
	INCQ SI
	JMP  shorter
yes:
	MOVB $1, ret+16(FP)
	RET
no:
	MOVB $0, ret+16(FP)
	RET
