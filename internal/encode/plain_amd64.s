//go:build !race && !msan && !asan && !purego

// This is plain_other.go for amd64. The compiler makes one jump of a switch in a loop, and keeps half of what the
// loop needs in memory. Here the code for each kind of field ends with a jump of its own to the code for the
// next field, which the processor learns to foresee, and all is in registers but the step. The code for
// each begins at a multiple of 64 bytes, as much as the processor looks at together: without that,
// a program took a third longer than another in which the same code was elsewhere.

#include "go_asm.h"
#include "textflag.h"

// What is in which register all the time:
//
//	BX   the step
//	DI   where the field goes: behind it is what has been written
//	R8   the message
//	R9   the table of the code for each StepCode
//	R10  where the value of the field is
//	R12  how far down DI may go: slack bytes above the beginning of the buffer, or less far at one time
//	R13  how many elements are left of the list that is being written; 0 outside of lists
//
// AX, CX, DX, SI and R11 are free.

#define STEP_TAG    const_stepTag
#define STEP_OFFSET const_stepOffset
#define STEP_BITS   const_stepBits
#define STEP_CODE   const_stepCode
#define STEP_BIT    const_stepBit
#define STEP_SIZE   const_stepSize
#define STEP        const_step

// CODE goes on with the code for the step.
#define CODE \
	MOVL STEP_OFFSET(BX), R10 \
	MOVBLZX STEP_CODE(BX), AX \
	ADDQ R8, R10 \
	JMP  (R9)(AX*8)

// NEXT goes on with the step before this one.
#define NEXT \
	SUBQ $STEP, BX \
	CMPQ DI, R12 \
	JB   full \
	CODE

// THERE goes on with the code for a value that is there, whatever it is.
#define THERE \
	MOVBLZX STEP_CODE(BX), AX \
	ANDL $const_stepKind, AX \
	JMP  (0x90*8)(R9)(AX*8)

// MORE goes on with the next element of a list, or with the step before this one.
#define MORE \
	TESTQ R13, R13 \
	JNE  more \
	NEXT \
more: \
	JMP  more<>(SB)

#define FULL \
full: \
	JMP  stop<>(SB)

// NUMBER writes AX and the tag before it, in one word that reaches into what is free.
#define NUMBER \
	CMPQ AX, $0x80 \
	JAE  long \
	SHLQ $56, AX \
	ORQ  STEP_TAG(BX), AX \
	MOVBLZX STEP_SIZE(BX), CX \
	MOVQ AX, -8(DI) \
	SUBQ CX, DI

#define LONG \
long: \
	JMP  long<>(SB)

// func plain(s *layout.WriteStep, p, base unsafe.Pointer, at int) (stop *layout.WriteStep, next, rest int)
TEXT ·plain(SB), NOSPLIT|NOFRAME, $0-56
	MOVQ s+0(FP), BX
	MOVQ p+8(FP), R8
	MOVQ base+16(FP), AX
	MOVQ at+24(FP), DI
	LEAQ codes<>(SB), R9
	LEAQ const_slack(AX), R12
	ADDQ AX, DI
	XORL R13, R13
	LEAQ -const_unpreempted(DI), AX
	CMPQ R12, AX
	CMOVQCS AX, R12
	CMPQ DI, R12
	JB   full
	CODE
	FULL

// stop returns to Go, with what the step says for it.
TEXT stop<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	SUBQ base+16(FP), DI
	MOVQ BX, stop+32(FP)
	MOVQ DI, next+40(FP)
	MOVQ R13, rest+48(FP)
	RET

// more goes on with the next element of a list.
TEXT more<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	MOVL STEP_BITS(BX), AX
	CMPQ DI, R12
	JB   full
	DECQ R13
	SUBQ AX, R10
	THERE
	FULL

// The ways to the value. To jump to where the code says is dear for the processor, and done once for
// each field if it can be.

// BIT is the code for a field for which there is a bit.
#define BIT(code, then) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-56 \
	PCALIGN $64 \
	MOVL STEP_BITS(BX), AX \
	MOVBLZX STEP_BIT(BX), CX \
	MOVL (R8)(AX*1), AX \
	BTL  CX, AX \
	JCC  absent \
	JMP  then<>(SB) \
absent: \
	NEXT \
	FULL

// POINTER is the code for a field to which there is a pointer.
#define POINTER(code, then) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-56 \
	PCALIGN $64 \
	MOVQ (R10), R10 \
	TESTQ R10, R10 \
	JEQ  absent \
	JMP  then<>(SB) \
absent: \
	NEXT \
	FULL

BIT(boolBit, bool)
BIT(int32Bit, int32)
BIT(uint32Bit, uint32)
BIT(int64Bit, int64)
BIT(sint32Bit, sint32)
BIT(sint64Bit, sint64)
BIT(fixed32Bit, fixed32)
BIT(fixed64Bit, fixed64)
BIT(stringBit, string)
BIT(textBit, text)

POINTER(boolPointer, bool)
POINTER(int32Pointer, int32)
POINTER(uint32Pointer, uint32)
POINTER(int64Pointer, int64)
POINTER(sint32Pointer, sint32)
POINTER(sint64Pointer, sint64)
POINTER(fixed32Pointer, fixed32)
POINTER(fixed64Pointer, fixed64)
POINTER(stringPointer, string)
POINTER(textPointer, text)

// slice is the code for bytes that are there if they are not nil.
TEXT slice<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	CMPQ (R10), $0
	JEQ  absent
	JMP  text<>(SB)
absent:
	NEXT
	FULL

// The same for fields that are required.

TEXT requiredBit<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	MOVL STEP_BITS(BX), AX
	MOVBLZX STEP_BIT(BX), CX
	MOVL (R8)(AX*1), AX
	BTL  CX, AX
	JCC  full
	THERE
	FULL

TEXT requiredPointer<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	MOVQ (R10), R10
	TESTQ R10, R10
	JEQ  full
	THERE
	FULL

TEXT requiredSlice<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	CMPQ (R10), $0
	JEQ  full
	THERE
	FULL

TEXT list<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	MOVQ 8(R10), CX
	SUBQ $1, CX
	JCS  empty
	MOVL STEP_BITS(BX), DX
	MOVQ (R10), R10
	MOVQ CX, R13
	IMULQ CX, DX
	ADDQ DX, R10
	THERE
empty:
	NEXT
	FULL

TEXT word<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	CMPQ (R10), $0
	JNE  full
	NEXT
	FULL

TEXT half<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	CMPL (R10), $0
	JNE  full
	NEXT
	FULL

// Values that are not there if they are zero.

// NONZERO is the code for one that is not zero by that comparison.
#define NONZERO(code, compare, at, then) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-56 \
	PCALIGN $64 \
	compare at(R10), $0 \
	JNE  some \
	NEXT \
some: \
	JMP  then<>(SB) \
	FULL

// IMPLICIT is the code for a number that is written as it is loaded.
#define IMPLICIT(code, load) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-56 \
	PCALIGN $64 \
	load (R10), AX \
	TESTQ AX, AX \
	JEQ  next \
	NUMBER \
next: \
	NEXT \
	LONG \
	FULL

NONZERO(boolImplicit, CMPB, 0, bool)
IMPLICIT(int32Implicit, MOVLQSX)
IMPLICIT(uint32Implicit, MOVL)
IMPLICIT(int64Implicit, MOVQ)
NONZERO(sint32Implicit, CMPL, 0, sint32)
NONZERO(sint64Implicit, CMPQ, 0, sint64)
NONZERO(fixed32Implicit, CMPL, 0, fixed32)
NONZERO(fixed64Implicit, CMPQ, 0, fixed64)
NONZERO(stringImplicit, CMPQ, 8, string)
NONZERO(textImplicit, CMPQ, 8, text)

// Values that are there.

// PRESENT is IMPLICIT for one that is written even if it is zero.
#define PRESENT(code, load) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-56 \
	PCALIGN $64 \
	load (R10), AX \
	NUMBER \
	MORE \
	LONG \
	FULL

// ZIGZAG is PRESENT for a number whose sign is to be its lowest bit.
#define ZIGZAG(code, load, add, shift, sign, xor) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-56 \
	PCALIGN $64 \
	load (R10), AX \
	load AX, CX \
	add  AX, AX \
	shift $sign, CX \
	xor  CX, AX \
	NUMBER \
	MORE \
	LONG \
	FULL

// FIXED is the code for a number of that many bytes, with the tag in a word that ends where it begins.
#define FIXED(code, load, size) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-56 \
	PCALIGN $64 \
	MOVQ STEP_TAG(BX), CX \
	load (R10), AX \
	MOVBLZX STEP_SIZE(BX), DX \
	MOVQ CX, -(size+7)(DI) \
	load AX, -size(DI) \
	SUBQ $(size-1), DI \
	SUBQ DX, DI \
	MORE \
	FULL

PRESENT(bool, MOVBLZX)
PRESENT(int32, MOVLQSX)
PRESENT(uint32, MOVL)
PRESENT(int64, MOVQ)
ZIGZAG(sint32, MOVL, ADDL, SARL, 31, XORL)
ZIGZAG(sint64, MOVQ, ADDQ, SARQ, 63, XORQ)
FIXED(fixed32, MOVL, 4)
FIXED(fixed64, MOVQ, 8)

// SHORT loads AX, the length of a text at SI, and copies it to before DI, if that is at most 16
// bytes that are not at the beginning of a page: then the 16 bytes that end with it can be read, and
// those before it are written where nothing is yet. R11 is where it begins.
#define SHORT \
	MOVQ 8(R10), AX \
	MOVQ (R10), SI \
	LEAQ -1(AX), DX \
	MOVQ DI, R11 \
	CMPQ DX, $16 \
	JAE  wide \
	LEAQ (SI)(AX*1), DX \
	SUBQ AX, R11 \
	TESTL $0xff0, DX \
	JEQ  narrow \
	MOVOU -16(DX), X0 \
	MOVOU X0, -16(DI)

// WIDE does the same for 17 to 64 bytes.
#define WIDE \
wide: \
	CMPQ DX, $64 \
	JAE  other \
	MOVOU (SI), X0 \
	MOVOU -16(SI)(AX*1), X1 \
	SUBQ AX, R11 \
	CMPQ AX, $32 \
	JA   wider \
	MOVOU X0, (R11) \
	MOVOU X1, -16(DI) \
	POR  X1, X0 \
	JMP  copied \
wider: \
	MOVOU 16(SI), X2 \
	MOVOU -32(SI)(AX*1), X3 \
	MOVOU X0, (R11) \
	MOVOU X2, 16(R11) \
	MOVOU X3, -32(DI) \
	MOVOU X1, -16(DI) \
	POR  X1, X0 \
	POR  X3, X2 \
	POR  X2, X0 \
	JMP  copied

// NARROW does the same for 1 to 16 bytes, in words that overlap.
#define NARROW \
narrow: \
	CMPQ AX, $8 \
	JB   narrower \
	MOVQ (SI), X0 \
	MOVQ -8(DX), X1 \
	MOVQ X0, (R11) \
	MOVQ X1, -8(DI) \
	POR  X1, X0 \
	JMP  copied \
narrower: \
	CMPQ AX, $4 \
	JB   narrowest \
	MOVL (SI), X0 \
	MOVL -4(DX), X1 \
	MOVL X0, (R11) \
	MOVL X1, -4(DI) \
	POR  X1, X0 \
	JMP  copied \
narrowest: \
	MOVQ AX, CX \
	SHRQ $1, CX \
	MOVBLZX (SI)(CX*1), DX \
	MOVB DX, (R11)(CX*1) \
	MOVBLZX (SI), CX \
	ORL  CX, DX \
	MOVB CX, (R11) \
	MOVBLZX -1(SI)(AX*1), CX \
	ORL  CX, DX \
	MOVB CX, -1(DI) \
	MOVQ DX, X0 \
	JMP  copied

// LENGTH writes the length of a text that has been copied, and the tag before it.
#define LENGTH \
	SHLQ $56, AX \
	MOVBLZX STEP_SIZE(BX), CX \
	ORQ  STEP_TAG(BX), AX \
	MOVQ R11, DI \
	SUBQ CX, DI \
	MOVQ AX, -8(R11)

TEXT string<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	SHORT
	PMOVMSKB X0, DX
	MOVL AX, CX
	SHLL CX, DX // the last of them only
	SHRL $16, DX
	JNE  other
length:
	LENGTH
	MORE
	WIDE
	NARROW
copied:
	PMOVMSKB X0, DX
	TESTL DX, DX
	JEQ  length
other:
	JMP  other<>(SB)
	FULL

TEXT text<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	SHORT
copied:
	LENGTH
	MORE
	WIDE
	NARROW
other:
	JMP  other<>(SB)
	FULL

// other writes a text of no bytes, and leaves all others to Go.
TEXT other<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	TESTQ AX, AX
	JEQ  empty
	INCQ R13 // this one, too
	JMP  stop<>(SB)
empty:
	NUMBER
	MORE
	LONG
	FULL

// long writes AX, which takes more than a byte, and the tag before it.
TEXT long<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	CMPQ AX, $0x4000
	JAE  longer
	LEAL (AX)(AX*1), DX
	ANDL $0x7f, AX
	ANDL $0x7f00, DX
	LEAL 0x80(AX)(DX*1), AX
	MOVQ STEP_TAG(BX), DX
	SHLQ $48, AX
	SHRQ $8, DX
	MOVBLZX STEP_SIZE(BX), CX
	ORQ  DX, AX
	DECQ DI
	MOVQ AX, -7(DI)
	SUBQ CX, DI
	MORE
longer:
	// Of 56 bits pairs of 28, of those 14, and of those 7, with a bit between.
	MOVQ AX, R11
	MOVQ $0x00fffffff0000000, CX
	MOVQ $0x0fffffff, DX
	ANDQ AX, CX
	ANDQ DX, AX
	SHLQ $4, CX
	ORQ  CX, AX
	MOVQ $0x0fffc0000fffc000, CX
	MOVQ $0x00003fff00003fff, DX
	ANDQ AX, CX
	ANDQ DX, AX
	SHLQ $2, CX
	ORQ  CX, AX
	MOVQ $0x3f803f803f803f80, CX
	ANDQ AX, CX
	ADDQ CX, AX
	MOVQ $0x8080808080808080, DX
	MOVQ R11, CX
	SHRQ $56, CX
	JNE  longest
	// In n bytes, of which all but the last go on.
	BSRQ R11, R11
	LEAL 9(R11)(R11*8), R11
	ADDL $64, R11
	SHRL $6, R11 // n
	MOVL $9, CX
	SUBL R11, CX
	SHLL $3, CX
	SHRQ CX, DX
	ORQ  DX, AX
	SUBL $8, CX
	SHLQ CX, AX
	MOVQ AX, -8(DI)
	SUBQ R11, DI
	JMP  tag
longest:
	ORQ  DX, AX
	CMPL CX, $0x80
	JB   nine
	ORL  $0x180, CX
	SUBQ $2, DI
	MOVW CX, (DI)
	JMP  eight
nine:
	DECQ DI
	MOVB CX, (DI)
eight:
	MOVQ AX, -8(DI)
	SUBQ $8, DI
tag:
	MOVQ STEP_TAG(BX), AX
	MOVBLZX STEP_SIZE(BX), CX
	SHLQ $8, AX
	INCQ DI
	MOVQ AX, -9(DI)
	SUBQ CX, DI
	JMP  more1<>(SB)
	FULL

TEXT more1<>(SB), NOSPLIT|NOFRAME, $0-56
	PCALIGN $64
	MORE
	FULL

#define AT(row, i, code) DATA codes<>+(((row)*16+(i))*8)(SB)/8, $code<>(SB)
#define ROW(row, code) \
	AT(row, 0, code); AT(row, 1, code); AT(row, 2, code); AT(row, 3, code); \
	AT(row, 4, code); AT(row, 5, code); AT(row, 6, code); AT(row, 7, code); \
	AT(row, 8, code); AT(row, 9, code); AT(row, 10, code); AT(row, 11, code); \
	AT(row, 12, code); AT(row, 13, code); AT(row, 14, code); AT(row, 15, code)

// The code for each StepCode, and then for each Kind of a value that is there.
AT(0, 0, boolImplicit)
AT(0, 1, int32Implicit)
AT(0, 2, uint32Implicit)
AT(0, 3, int64Implicit)
AT(0, 4, sint32Implicit)
AT(0, 5, sint64Implicit)
AT(0, 6, fixed32Implicit)
AT(0, 7, fixed64Implicit)
AT(0, 8, stringImplicit)
AT(0, 9, textImplicit)
AT(0, 10, textImplicit)
AT(0, 11, stop)
AT(0, 12, stop)
AT(0, 13, word)
AT(0, 14, half)
AT(0, 15, stop)
AT(1, 0, boolBit)
AT(1, 1, int32Bit)
AT(1, 2, uint32Bit)
AT(1, 3, int64Bit)
AT(1, 4, sint32Bit)
AT(1, 5, sint64Bit)
AT(1, 6, fixed32Bit)
AT(1, 7, fixed64Bit)
AT(1, 8, stringBit)
AT(1, 9, textBit)
AT(1, 10, textBit)
AT(1, 11, stop)
AT(1, 12, stop)
AT(1, 13, stop)
AT(1, 14, stop)
AT(1, 15, stop)
AT(2, 0, boolPointer)
AT(2, 1, int32Pointer)
AT(2, 2, uint32Pointer)
AT(2, 3, int64Pointer)
AT(2, 4, sint32Pointer)
AT(2, 5, sint64Pointer)
AT(2, 6, fixed32Pointer)
AT(2, 7, fixed64Pointer)
AT(2, 8, stringPointer)
AT(2, 9, textPointer)
AT(2, 10, stop)
AT(2, 11, stop)
AT(2, 12, stop)
AT(2, 13, stop)
AT(2, 14, stop)
AT(2, 15, stop)
ROW(3, slice)
ROW(4, stop)
ROW(5, requiredBit)
ROW(6, requiredPointer)
ROW(7, requiredSlice)
ROW(8, list)
AT(9, 0, bool)
AT(9, 1, int32)
AT(9, 2, uint32)
AT(9, 3, int64)
AT(9, 4, sint32)
AT(9, 5, sint64)
AT(9, 6, fixed32)
AT(9, 7, fixed64)
AT(9, 8, string)
AT(9, 9, text)
AT(9, 10, text)
AT(9, 11, stop)
AT(9, 12, stop)
AT(9, 13, stop)
AT(9, 14, stop)
AT(9, 15, stop)
GLOBL codes<>(SB), RODATA, $(10*16*8)
