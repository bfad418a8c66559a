//go:build go1.26 && !go1.27 && !race && !msan && !asan && !purego

// The fields that body would read one by one, in assembly for amd64: numbers, and text, bytes and elements of
// lists of text for which there is room. Whatever is not as it mostly is goes back to body, with
// the field to be read there from its tag on, so that nothing here knows of errors. As to how it
// is written see package encode.

#include "go_asm.h"
#include "textflag.h"

// What is in which register all the time:
//
//	BX   the step
//	SI   where the input is read: behind a field's tag in the code for that field, until the field is read
//	DI   the end of the message's fields
//	R8   the message
//	R9   its layout's ReadSteps
//	R10  where the value of the field goes
//	R11  where the next text goes
//	R12  the end of the memory for text, less 16; signed, since without such memory it is -16
//	R13  the end of the input, less 17; signed, too
//	R14  which required fields have been read
//
// AX, CX and DX are free.

#define STEP_TAG    const_stepTag
#define STEP_MUST   const_stepMust
#define STEP_OFFSET const_stepOffset
#define STEP_BITS   const_stepBits
#define STEP_MASK   const_stepMask
#define STEP_CODE   const_stepCode
#define STEP_SUB    const_stepSub

// NEXT goes on with the next field. A tag of one byte says at once which that is. What is not
// known here has a Tag that no field has.
#define NEXT \
	CMPQ SI, DI \
	JAE  stop \
	MOVBLZX (SI), AX \
	MOVL AX, BX \
	ANDL $0xf8, BX \
	SHLL $2, BX \
	ADDQ R9, BX \
	TESTB AX, AX \
	JS   two \
	CMPB AX, STEP_TAG(BX) \
	JNE  stop \
	INCQ SI \
	MOVL STEP_OFFSET(BX), R10 \
	ADDQ R8, R10 \
	JMP  STEP_CODE(BX)

// ENDS are where that goes otherwise.
#define ENDS \
two: \
	JMP two<>(SB) \
stop: \
	JMP stop<>(SB)

#define REWIND \
rewind: \
	JMP rewind<>(SB)

// FREE goes to rewind if there is a pointer already: while garbage is marked, the runtime must be told before it is
// overwritten.
#define FREE(slot) \
	CMPQ slot, $0 \
	JNE  rewind

// func plain(d *decoder, steps *layout.ReadStep, p unsafe.Pointer, pos, end, depth int, alias bool) (next int, seen uint64)
TEXT ·plain(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	MOVQ d+0(FP), DX
	MOVQ pos+24(FP), SI
	XORL R14, R14
	// As assembly is not preempted, marking neither begins nor ends before this has returned.
	CMPL runtime·writeBarrier(SB), $0
	JNE  marking
begin:
	MOVQ decoder_in(DX), AX
	MOVQ end+32(FP), DI
	MOVQ (decoder_in+8)(DX), R13
	MOVQ const_baseAt(DX), CX
	MOVQ const_usedAt(DX), R11
	MOVQ const_capAt(DX), R12
	MOVQ steps+8(FP), R9
	MOVQ p+16(FP), R8
	ADDQ AX, SI
	ADDQ AX, DI
	LEAQ const_unpreempted(SI), DX
	LEAQ -17(AX)(R13*1), R13
	CMPQ DI, DX
	CMOVQHI DX, DI
	ADDQ CX, R11
	LEAQ -16(CX)(R12*1), R12
	NEXT
marking:
	MOVB $1, const_untoldAt(DX)
	JMP  begin
	ENDS

// rewind leaves the field whose tag has been read to body.
TEXT rewind<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	DECQ SI
	CMPW STEP_TAG(BX), $0x80
	JB   done
	DECQ SI
	CMPW STEP_TAG(BX), $0x8000
	JB   done
	DECQ SI
done:
	JMP stop<>(SB)

// stop returns to body, or goes on with the message around one that has been read.
TEXT stop<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
stop:
	MOVQ d+0(FP), DX
	MOVQ const_innerCount(DX), CX
	TESTQ CX, CX
	JNE  inner
outer:
	MOVQ const_baseAt(DX), AX
	SUBQ decoder_in(DX), SI
	SUBQ AX, R11
	SUBQ AX, R12
	ADDQ $16, R12
	BTRQ $63, R14 // the bit of those that are not required
	MOVQ R11, const_usedAt(DX)
	MOVQ R12, const_capAt(DX)
	MOVQ SI, next+56(FP)
	MOVQ R14, seen+64(FP)
	RET
inner:
	LEAQ (CX)(CX*4), CX
	MOVQ const_framesAt(DX), R9
	LEAQ -40(R9)(CX*8), CX // that of the message around
	MOVQ const_frameStep(CX), BX
	MOVBLZX STEP_TAG(BX), AX
	ANDL $7, AX
	CMPL AX, $3
	JEQ  group
	CMPQ SI, DI
	JNE  leave
read:
	MOVQ STEP_SUB(BX), AX
	DECQ const_innerCount(DX)
	BTRQ $63, R14
	CMPQ R14, const_mustAt(AX)
	JNE  missing
complete:
	MOVQ const_frameRun(CX), AX
	MOVQ const_frameSeen(CX), R14
	MOVQ const_frameMessage(CX), R8
	MOVQ const_frameEnd(CX), DI
	MOVQ AX, const_runAt(DX)
	MOVL STEP_MASK(BX), AX
	ADDQ decoder_in(DX), DI
	MOVQ BX, R9
	SUBQ AX, R9
	NEXT
missing:
	MOVB $1, decoder_missing(DX)
	JMP  complete
group: // which ends with a tag that is one more than the one that it began with
	CMPQ SI, DI
	JAE  leave
	MOVBLZX (SI), AX
	DECL AX
	CMPB AX, STEP_TAG(BX)
	JNE  leave
	TESTB AX, AX
	JS   long
	INCQ SI
	JMP  read
long:
	LEAQ 2(SI), AX
	CMPQ AX, DI
	JA   leave
	MOVBLZX 1(SI), AX
	TESTB AX, AX
	JS   leave
	CMPB AX, (STEP_TAG+1)(BX)
	JNE  leave
	ADDQ $2, SI
	JMP  read
leave:
	MOVQ DI, AX
	SUBQ decoder_in(DX), AX
	BTRQ $63, R14
	MOVQ R8, (40+const_frameMessage)(CX)
	MOVQ AX, (40+const_frameEnd)(CX)
	MOVQ R14, (40+const_frameSeen)(CX)
	MOVQ const_frameSeen(R9), R14
	JMP  outer
two: // a jump that the linker takes for a call, and two goes here
	LEAQ two<>(SB), CX
	JMP  CX

// two goes on with a field whose tag has two bytes or three.
TEXT two<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	LEAQ 2(SI), CX
	CMPQ CX, DI
	JA   stop
	MOVWLZX (SI), AX
	MOVL AX, BX
	MOVL AX, DX
	ANDL $0x78, BX
	ANDL $0x7f00, DX
	SHLL $2, BX
	LEAL (BX)(DX*2), BX // where the step is, if that was all
	CMPL BX, STEP_OFFSET(R9)
	JAE  other
	CMPW AX, STEP_TAG(R9)(BX*1)
	JNE  other
	ADDQ R9, BX
	MOVQ CX, SI
	MOVL STEP_OFFSET(BX), R10
	ADDQ R8, R10
	JMP  STEP_CODE(BX)
other:
	SHRL $5, BX // the number
	TESTL $0x8000, AX
	JEQ  far
	CMPQ CX, DI
	JAE  stop
	MOVBLZX 2(SI), DX
	TESTB DX, DX
	JS   stop
	MOVL DX, CX
	SHLL $11, CX
	ORL  CX, BX
	SHLL $16, DX
	ORL  DX, AX
	LEAQ 3(SI), CX
far:
	MOVQ STEP_CODE(R9), DX
	TESTQ DX, DX
	JEQ  stop
	ANDL STEP_MASK(R9), BX
	MOVWLZX (DX)(BX*2), BX
	SHLL $5, BX
	ADDQ R9, BX
	MOVL STEP_TAG(BX), DX
	ANDL $0xffffff, DX
	CMPL AX, DX
	JNE  stop
	MOVQ CX, SI
	MOVL STEP_OFFSET(BX), R10
	ADDQ R8, R10
	JMP  STEP_CODE(BX)
stop:
	JMP stop<>(SB)

// The ways to the value.

// BIT is the code for a field for which there is a bit.
#define BIT(code, then) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-72 \
	PCALIGN $64 \
	MOVL STEP_BITS(BX), AX \
	MOVL STEP_MASK(BX), CX \
	MOVBLZX STEP_MUST(BX), DX \
	ORL  CX, (R8)(AX*1) \
	BTSQ DX, R14 \
	JMP  then<>(SB)

BIT(boolBit, bool)
BIT(int32Bit, int32)
BIT(int64Bit, int64)
BIT(sint32Bit, sint32)
BIT(sint64Bit, sint64)
BIT(fixed32Bit, fixed32)
BIT(fixed64Bit, fixed64)
BIT(stringBit, string)
BIT(textBit, text)
BIT(stringPointerBit, stringPointer)
BIT(textPointerBit, textPointer)

// POINTER is the code for a number of that size to which there is a pointer. It takes memory for it from
// the end of that for text, and sets it to 0, which it stays if it is not read.
#define POINTER(code, size, zero, then) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-72 \
	PCALIGN $64 \
	MOVBLZX STEP_MUST(BX), CX \
	MOVQ (R10), AX \
	BTSQ CX, R14 \
	TESTQ AX, AX \
	JNE  have \
	LEAQ (16-size)(R12), AX \
	ANDQ $-size, AX \
	CMPQ AX, R11 \
	JLT  rewind \
	MOVQ AX, (R10) \
	LEAQ -16(AX), R12 \
	zero $0, (AX) \
have: \
	MOVQ AX, R10 \
	JMP  then<>(SB) \
	REWIND

POINTER(boolPointer, 4, MOVL, bool)
POINTER(int32Pointer, 4, MOVL, int32)
POINTER(int64Pointer, 8, MOVQ, int64)
POINTER(sint32Pointer, 4, MOVL, sint32)
POINTER(sint64Pointer, 8, MOVQ, sint64)
POINTER(fixed32Pointer, 4, MOVL, fixed32)
POINTER(fixed64Pointer, 8, MOVQ, fixed64)

// STRING is the code for text to which there is a pointer.
#define STRING(code, then) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-72 \
	PCALIGN $64 \
	MOVBLZX STEP_MUST(BX), CX \
	MOVQ (R10), AX \
	BTSQ CX, R14 \
	TESTQ AX, AX \
	JNE  have \
	MOVQ d+0(FP), DX \
	MOVL const_stringsLeftAt(DX), CX \
	SUBL $1, CX \
	JCS  rewind \
	MOVQ const_stringsNextAt(DX), AX \
	MOVL CX, const_stringsLeftAt(DX) \
	INCL const_stringsTakenAt(DX) \
	MOVQ AX, (R10) \
	TESTL CX, CX \
	JEQ  have \
	LEAQ 16(AX), CX \
	MOVQ CX, const_stringsNextAt(DX) \
have: \
	MOVQ AX, R10 \
	JMP  then<>(SB) \
	REWIND

STRING(stringPointer, string)
STRING(textPointer, text)

// The values.

// VARINT reads a varint into AX.
#define VARINT \
	CMPQ SI, DI \
	JAE  rewind \
	MOVBLZX (SI), AX \
	TESTB AX, AX \
	JS   long \
	INCQ SI

#define LONG \
long: \
	CALL varint<>(SB) \
	TESTQ DX, DX \
	JE   rewind \
	MOVQ DX, SI \
	JMP  have \
	REWIND

// SEPTETS makes one number of the 7 lower bits of each byte of AX: pairs of 7 bits become 14, pairs
// of those 28, and those 56.
#define SEPTETS \
	MOVQ $0x7f7f7f7f7f7f7f7f, CX \
	ANDQ CX, AX \
	MOVQ $0xff00ff00ff00ff00, CX \
	ANDQ AX, CX \
	SHRQ $1, CX \
	SUBQ CX, AX \
	MOVQ $0xffff0000ffff0000, CX \
	ANDQ AX, CX \
	SUBQ CX, AX \
	SHRQ $2, CX \
	ADDQ CX, AX \
	MOVQ $0xffffffff00000000, CX \
	ANDQ AX, CX \
	SUBQ CX, AX \
	SHRQ $4, CX \
	ADDQ CX, AX

// varint reads a varint of more than one byte at SI, the first of which is in AX, into AX, and
// returns where it ends in DX; 0 if it is left to Go.
TEXT varint<>(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	LEAQ 2(SI), DX
	CMPQ DX, DI
	JA   none
	MOVBLZX 1(SI), CX
	TESTB CX, CX
	JS   more
	ANDL $0x7f, AX
	SHLL $7, CX
	ORL  CX, AX
	RET
more:
	LEAQ 9(R13), DX // 8 bytes before the end of the input
	CMPQ SI, DX
	JA   short
	MOVQ (SI), AX
begun:
	MOVQ $0x8080808080808080, CX
	MOVQ AX, DX
	NOTQ DX
	ANDQ CX, DX
	JZ   longest
	// The bytes up to the first that has its high bit clear.
	LEAQ -1(DX), CX
	XORQ DX, CX
	ANDQ CX, AX
	BSFQ DX, DX
	SHRQ $3, DX
	LEAQ 1(SI)(DX*1), DX
	CMPQ DX, DI
	JA   none
	SEPTETS
	RET
longest:
	LEAQ 9(SI), DX
	CMPQ DX, DI
	JA   none
	SEPTETS
	MOVBQZX 8(SI), CX
	TESTB CX, CX
	JS   ten
	SHLQ $56, CX
	ORQ  CX, AX
	RET
ten:
	INCQ DX
	CMPQ DX, DI
	JA   none
	ANDL $0x7f, CX
	SHLQ $56, CX
	ORQ  CX, AX
	MOVBQZX 9(SI), CX
	CMPL CX, $1
	JA   none
	SHLQ $63, CX
	ORQ  CX, AX
	RET
short: // what is there of the 8 bytes; the rest is 0, and so ends it, behind DI
	MOVQ d+8(FP), CX // this is called, not jumped to
	LEAQ 17(R13), DX
	MOVQ decoder_in(CX), CX
	ADDQ $8, CX
	CMPQ DX, CX
	JB   none
	MOVQ -8(DX), AX
	MOVQ SI, CX
	SUBQ DX, CX
	ADDQ $8, CX
	SHLQ $3, CX
	SHRQ CX, AX
	JMP  begun
none:
	XORL DX, DX
	RET

// ZIGZAG32 and ZIGZAG64 make the number of AX that sint32 or sint64 writes so.
#define ZIGZAG32 \
	MOVL AX, CX \
	SHRL $1, AX \
	ANDL $1, CX \
	NEGL CX \
	XORL CX, AX

#define ZIGZAG64 \
	MOVQ AX, CX \
	SHRQ $1, AX \
	ANDL $1, CX \
	NEGQ CX \
	XORQ CX, AX

TEXT bool<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	VARINT
have:
	TESTQ AX, AX
	SETNE (R10)
	NEXT
	LONG
	ENDS

TEXT int32<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	VARINT
have:
	MOVL AX, (R10)
	NEXT
	LONG
	ENDS

TEXT int64<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	VARINT
have:
	MOVQ AX, (R10)
	NEXT
	LONG
	ENDS

TEXT sint32<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	VARINT
have:
	ZIGZAG32
	MOVL AX, (R10)
	NEXT
	LONG
	ENDS

TEXT sint64<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	VARINT
have:
	ZIGZAG64
	MOVQ AX, (R10)
	NEXT
	LONG
	ENDS

// FIXED is the code for a number of that many bytes.
#define FIXED(code, load, size) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-72 \
	PCALIGN $64 \
	LEAQ size(SI), CX \
	CMPQ CX, DI \
	JA   rewind \
	load (SI), AX \
	MOVQ CX, SI \
	load AX, (R10) \
	NEXT \
	REWIND \
	ENDS

FIXED(fixed32, MOVL, 4)
FIXED(fixed64, MOVQ, 8)

// LISTROOM goes to begin if there is no room for another number in the list.
#define LISTROOM \
	MOVQ 8(R10), AX \
	CMPQ AX, 16(R10) \
	JAE  begin

// NUMBER adds AX, a number of that many bytes, to the list.
#define NUMBER(store, size) \
	MOVQ 8(R10), CX \
	MOVQ (R10), DX \
	INCQ 8(R10) \
	store AX, (DX)(CX*size) \
	NEXT

// VARINTS is the code for an element of a list of varints, numbers of that many bytes.
#define VARINTS(code, number, store, size) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-72 \
	PCALIGN $64 \
	LISTROOM \
	VARINT \
have: \
	number \
	NUMBER(store, size) \
	LONG \
	ENDS \
begin: \
	MOVL $size, CX \
	JMP  beginVarints<>(SB)

// What makes a number of a varint in AX.
#define TRUTH \
	TESTQ AX, AX \
	SETNE AX

#define ITSELF

VARINTS(bools, TRUTH, MOVB, 1)
VARINTS(int32s, ITSELF, MOVL, 4)
VARINTS(int64s, ITSELF, MOVQ, 8)
VARINTS(sint32s, ZIGZAG32, MOVL, 4)
VARINTS(sint64s, ZIGZAG64, MOVQ, 8)

// FIXEDS is the code for an element of a list of numbers of that many bytes.
#define FIXEDS(code, load, size) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-72 \
	PCALIGN $64 \
	LISTROOM \
	LEAQ size(SI), CX \
	CMPQ CX, DI \
	JA   rewind \
	load (SI), AX \
	MOVQ CX, SI \
	NUMBER(load, size) \
	REWIND \
	ENDS \
begin: \
	MOVL $size, CX \
	JMP  beginFixed<>(SB)

FIXEDS(fixed32s, MOVL, 4)
FIXEDS(fixed64s, MOVQ, 8)

// TAKE loads AX, memory for CX numbers of that many bytes from the end of that for text.
#define TAKE(size) \
	MOVQ CX, AX \
	IMULQ size, AX \
	NEGQ AX \
	LEAQ 16(R12)(AX*1), AX \
	NEGQ size \
	ANDQ size, AX \
	CMPQ AX, R11 \
	JLT  rewind \
	LEAQ -16(AX), R12

// BEGINLIST begins to count what follows in a list without memory, if its tag has one byte.
#define BEGINLIST \
	CMPQ (R10), $0 \
	JNE  rewind \
	CMPW STEP_TAG(BX), $0x80 \
	JAE  rewind \
	MOVQ CX, X0 \
	XORL CX, CX \
	MOVQ SI, AX

// COUNTED goes back to count as long as there is another such number, and then to the code for the first: there is room
// for it now.
#define COUNTED \
	INCL CX \
	CMPL CX, $const_maxShortList \
	JA   rewind \
	CMPQ AX, DI \
	JAE  counted \
	MOVBLZX (AX), DX \
	INCQ AX \
	CMPB DX, STEP_TAG(BX) \
	JEQ  count \
counted: \
	MOVQ X0, DX \
	TAKE(DX) \
	MOVQ CX, 16(R10) \
	MOVQ AX, (R10) \
	JMP  STEP_CODE(BX) \
	REWIND

// beginVarints takes memory for a list of varints, of which the first is at SI. The numbers take CX bytes each.
TEXT beginVarints<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	BEGINLIST
count:
	CMPQ AX, DI
	JAE  rewind
	MOVBLZX (AX), DX
	INCQ AX
	TESTB DX, DX
	JS   count
	COUNTED

// beginFixed is beginVarints for numbers of as many bytes as they take.
TEXT beginFixed<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	BEGINLIST
count:
	MOVQ X0, DX
	ADDQ DX, AX
	CMPQ AX, DI
	JA   rewind
	COUNTED

// EXTENT loads CX, the length of what follows, DX, where that ends, and AX, the length less 1. A length of more than one byte
// is more than any that is read behind it.
#define EXTENT \
	CMPQ SI, DI \
	JAE  rewind \
	MOVBLZX (SI), CX \
	LEAQ 1(SI)(CX*1), DX \
	LEAL -1(CX), AX \
	CMPQ DX, DI \
	JA   rewind

// PACKEDVARINTS is the code for a list of packed varints of up to 32 bytes, numbers of that many bytes. It counts those
// bytes that have their high bit clear, the last among them.
#define PACKEDVARINTS(code, number, store, size) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-72 \
	PCALIGN $64 \
	EXTENT \
	CMPL AX, $32 \
	JAE  rewind \
	CMPQ (R10), $0 \
	JNE  rewind \
	CMPQ SI, R13 \
	JGT  rewind \
	MOVOU 1(SI), X0 \
	PMOVMSKB X0, AX \
	CMPL CX, $16 \
	JA   both \
masked: \
	NEGL CX \
	SHLL CX, AX \
	NEGL CX \
	TESTL AX, AX \
	MOVQ SI, X4 \
	MOVQ DI, X5 \
	MOVQ R9, X6 \
	MOVQ DX, DI \
	JEQ  counted \
count: \
	LEAL -1(AX), DX \
	DECL CX \
	ANDL DX, AX \
	JNE  count \
counted: \
	MOVQ CX, AX \
	IMULQ $-size, AX \
	LEAQ 16(R12)(AX*1), AX \
	ANDQ $-size, AX \
	CMPQ AX, R11 \
	JLT  leave \
	MOVQ AX, R9 \
	MOVQ AX, X0 \
	MOVQ CX, X1 \
	INCQ SI \
each: \
	MOVBLZX (SI), AX \
	TESTB AX, AX \
	JS   long \
	INCQ SI \
have: \
	number \
	store AX, (R9) \
	ADDQ $size, R9 \
	CMPQ SI, DI \
	JB   each \
	MOVQ X0, AX \
	MOVQ X1, CX \
	MOVQ X6, R9 \
	MOVQ X5, DI \
	MOVQ AX, (R10) \
	MOVQ CX, 8(R10) \
	MOVQ CX, 16(R10) \
	LEAQ -16(AX), R12 \
	NEXT \
long: \
	CALL varint<>(SB) \
	TESTQ DX, DX \
	JE   leave \
	MOVQ DX, SI \
	JMP  have \
both: \
	LEAQ 16(SI), AX \
	CMPQ AX, R13 \
	JGT  rewind \
	PMOVMSKB X0, AX \
	MOVOU 17(SI), X1 \
	MOVQ DX, X2 \
	PMOVMSKB X1, DX \
	SHLL $16, DX \
	ORL  DX, AX \
	MOVQ X2, DX \
	JMP  masked \
leave: \
	MOVQ X4, SI \
	MOVQ X5, DI \
	MOVQ X6, R9 \
	REWIND \
	ENDS

PACKEDVARINTS(packedBools, TRUTH, MOVB, 1)
PACKEDVARINTS(packedInt32s, ITSELF, MOVL, 4)
PACKEDVARINTS(packedInt64s, ITSELF, MOVQ, 8)
PACKEDVARINTS(packedSint32s, ZIGZAG32, MOVL, 4)
PACKEDVARINTS(packedSint64s, ZIGZAG64, MOVQ, 8)

// PACKEDFIXED is the code for a list of packed numbers of that many bytes, as many as are among others.
#define PACKEDFIXED(code, load, size, shift) \
TEXT code<>(SB), NOSPLIT|NOFRAME, $0-72 \
	PCALIGN $64 \
	CMPQ SI, DI \
	JAE  rewind \
	MOVBLZX (SI), CX \
	LEAQ 1(SI), DX \
	TESTB CX, CX \
	JS   longer \
have: \
	LEAQ (DX)(CX*1), AX \
	CMPQ AX, DI \
	JA   rewind \
	LEAL -1(CX), AX \
	CMPL AX, $const_maxList \
	JAE  rewind \
	TESTL $(size-1), CX \
	JNE  rewind \
	CMPQ (R10), $0 \
	JNE  rewind \
	LEAQ 16(R12), AX \
	SUBQ CX, AX \
	ANDQ $-size, AX \
	CMPQ AX, R11 \
	JLT  rewind \
	LEAQ -16(AX), R12 \
	MOVQ AX, (R10) \
	MOVQ DX, SI \
	MOVQ CX, X1 \
	CMPL CX, $16 \
	JAE  long \
each: \
	load -size(SI)(CX*1), DX \
	load DX, -size(AX)(CX*1) \
	SUBQ $size, CX \
	JNE  each \
copied: \
	MOVQ X1, CX \
	ADDQ CX, SI \
	SHRL $shift, CX \
	MOVQ CX, 8(R10) \
	MOVQ CX, 16(R10) \
	NEXT \
long: \
	MOVOU -16(SI)(CX*1), X0 \
	MOVOU X0, -16(AX)(CX*1) \
	SUBQ $16, CX \
	CMPL CX, $16 \
	JAE  long \
	MOVOU (SI), X0 \
	MOVOU X0, (AX) \
	JMP  copied \
longer: \
	LEAQ 2(SI), AX \
	CMPQ AX, DI \
	JA   rewind \
	MOVBLZX 1(SI), AX \
	TESTB AX, AX \
	JS   rewind \
	ANDL $0x7f, CX \
	SHLL $7, AX \
	INCQ DX \
	ORL  AX, CX \
	JMP  have \
	REWIND \
	ENDS

PACKEDFIXED(packedFixed32s, MOVL, 4, 2)
PACKEDFIXED(packedFixed64s, MOVQ, 8, 3)

// SPAN loads CX, the length of a text, and DX, where it ends, if that is at most 16 bytes, and there are as many in the
// input.
#define SPAN \
	EXTENT \
	CMPL AX, $16 \
	JAE  wide \
	CMPQ SI, R13 \
	JGT  narrow

// SHORT is SPAN, and copies 16 bytes, and the text with them, if as many are free.
#define SHORT \
	SPAN \
	CMPQ R11, R12 \
	JGT  narrow \
	MOVOU 1(SI), X0 \
	MOVOU X0, (R11)

// WIDE copies 17 to 64 bytes.
#define WIDE \
wide: \
	SUBL $16, AX \
	CMPL AX, $48 \
	JAE  rewind \
	LEAQ -16(R11)(CX*1), AX \
	CMPQ AX, R12 \
	JGT  rewind \
	MOVOU 1(SI), X0 \
	MOVOU -16(DX), X1 \
	CMPL CX, $32 \
	JA   wider \
	MOVOU X0, (R11) \
	MOVOU X1, (AX) \
	POR  X1, X0 \
	JMP  copied \
wider: \
	MOVOU 17(SI), X2 \
	MOVOU -32(DX), X3 \
	MOVOU X0, (R11) \
	MOVOU X2, 16(R11) \
	MOVOU X3, -16(AX) \
	MOVOU X1, (AX) \
	POR  X1, X0 \
	POR  X3, X2 \
	POR  X2, X0 \
	JMP  copied

// NARROW copies 1 to 16 bytes in words that overlap.
#define NARROW \
narrow: \
	LEAQ -16(R11)(CX*1), AX \
	CMPQ AX, R12 \
	JGT  rewind \
	CMPL CX, $8 \
	JB   narrower \
	MOVQ 1(SI), X0 \
	MOVQ -8(DX), X1 \
	MOVQ X0, (R11) \
	MOVQ X1, 8(AX) \
	POR  X1, X0 \
	JMP  copied \
narrower: \
	CMPL CX, $4 \
	JB   narrowest \
	MOVL 1(SI), X0 \
	MOVL -4(DX), X1 \
	MOVL X0, (R11) \
	MOVL X1, 12(AX) \
	POR  X1, X0 \
	JMP  copied \
narrowest: \
	MOVBLZX -1(DX), AX \
	MOVB AX, -1(R11)(CX*1) \
	MOVQ AX, X0 \
	MOVBLZX 1(SI), AX \
	MOVB AX, (R11) \
	MOVQ AX, X1 \
	POR  X1, X0 \
	CMPL CX, $3 \
	JB   copied \
	MOVBLZX 2(SI), AX \
	MOVB AX, 1(R11) \
	MOVQ AX, X1 \
	POR  X1, X0 \
	JMP  copied \
	REWIND

// ASCII goes to other if there is anything else among the first CX of the 16 bytes in X0.
#define ASCII \
	PMOVMSKB X0, AX \
	NEGL CX \
	SHLL CX, AX \
	JNE  other \
	NEGL CX

// OTHER is where that goes; from runes on it is the same for longer text. Text that is UTF-8 goes to have.
#define OTHER \
other: \
	NEGL CX \
runes: \
	CALL utf8<>(SB) \
	TESTQ AX, AX \
	JNE  have \
	JMP  rewind

// utf8 looks at the text of CX bytes that ends at DX. AX is 0 if that is not UTF-8, or has characters of four bytes, which
// are left to Go. Package utf does the same, but the way there and back takes longer than to look at so few bytes one by one.
TEXT utf8<>(SB), NOSPLIT|NOFRAME, $0-0
	PCALIGN $64
	MOVQ CX, X1
	MOVQ R9, X2
	MOVQ DX, AX
	SUBQ CX, AX
each:
	CMPQ AX, DX
	JAE  done
	MOVBLZX (AX), CX
	INCQ AX
	TESTB CX, CX
	JNS  each
	CMPQ AX, DX
	JAE  none
	MOVBLZX (AX), R9
	INCQ AX
	CMPB R9, $0xc0 // signed: 80 to bf are the least
	JGE  none
	SUBL $0xc2, CX
	CMPL CX, $(0xe0-0xc2)
	JB   each
	JEQ  low
	CMPL CX, $(0xf0-0xc2)
	JAE  none
	CMPL CX, $(0xed-0xc2)
	JEQ  surrogate
third:
	CMPQ AX, DX
	JAE  none
	MOVBLZX (AX), R9
	INCQ AX
	CMPB R9, $0xc0
	JLT  each
none:
	XORL AX, AX
done:
	MOVQ X1, CX
	MOVQ X2, R9
	RET
low: // e0 80 to e0 9f would have been two bytes
	CMPL R9, $0xa0
	JAE  third
	JMP  none
surrogate: // ed a0 to ed bf
	CMPL R9, $0xa0
	JB   third
	JMP  none

// string reads text that must be UTF-8.
TEXT string<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	CMPB alias+48(FP), $0
	JNE  aliased
	SHORT
	ASCII
have:
	FREE((R10))
	MOVQ R11, (R10)
	MOVQ CX, 8(R10)
	ADDQ CX, R11
	MOVQ DX, SI
	NEXT
copied:
	PMOVMSKB X0, AX
	TESTL AX, AX
	JEQ  have
	JMP  runes
	OTHER
	WIDE
	NARROW
	ENDS
aliased:
	JMP aliased<>(SB)

// text reads text that may be anything.
TEXT text<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	CMPB alias+48(FP), $0
	JNE  aliased
	SHORT
copied:
	FREE((R10))
	MOVQ R11, (R10)
	MOVQ CX, 8(R10)
	ADDQ CX, R11
	MOVQ DX, SI
	NEXT
	WIDE
	NARROW
	ENDS
aliased:
	JMP aliased<>(SB)

// bytes reads bytes, whose capacity ends with them.
TEXT bytes<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	CMPB alias+48(FP), $0
	JNE  aliased
	SHORT
copied:
	FREE((R10))
	MOVBLZX STEP_MUST(BX), AX
	MOVQ R11, (R10)
	MOVQ CX, 8(R10)
	MOVQ CX, 16(R10)
	BTSQ AX, R14
	ADDQ CX, R11
	MOVQ DX, SI
	NEXT
	WIDE
	NARROW
	ENDS
aliased: // a part of the input
	CMPQ SI, DI
	JAE  rewind
	MOVBLZX (SI), CX
	TESTB CX, CX
	JLE  rewind
	LEAQ 1(SI)(CX*1), DX
	CMPQ DX, DI
	JA   rewind
	FREE((R10))
	LEAQ 1(SI), AX
	MOVQ CX, 8(R10)
	MOVQ CX, 16(R10)
	MOVQ AX, (R10)
	MOVBLZX STEP_MUST(BX), AX
	MOVQ DX, SI
	BTSQ AX, R14
	NEXT

// ROOM goes to first if there is none for another element of the list.
#define ROOM \
	MOVQ 8(R10), AX \
	CMPQ AX, 16(R10) \
	JAE  first \
	CMPB alias+48(FP), $0 \
	JNE  aliased

// ELEMENT adds the text that has been copied to the list.
#define ELEMENT \
	MOVQ 8(R10), AX \
	SHLQ $4, AX \
	ADDQ (R10), AX \
	FREE((AX)) \
	INCQ 8(R10) \
	MOVQ R11, (AX) \
	MOVQ CX, 8(AX) \
	ADDQ CX, R11 \
	MOVQ DX, SI \
	NEXT

// strings reads an element of a list of what string reads.
TEXT strings<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	ROOM
	SHORT
	ASCII
have:
	ELEMENT
copied:
	PMOVMSKB X0, AX
	TESTL AX, AX
	JEQ  have
	JMP  runes
	OTHER
	WIDE
	NARROW
	ENDS
first:
	JMP first<>(SB)
aliased:
	JMP aliasedElement<>(SB)

// texts reads an element of a list of what text reads.
TEXT texts<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	ROOM
	SHORT
copied:
	ELEMENT
	WIDE
	NARROW
	ENDS
first:
	JMP first<>(SB)
aliased:
	JMP aliasedElement<>(SB)

// first takes memory for a list of text that has none, which it shares with others, as Arena.Strings does. The first
// element's length is at SI.
TEXT first<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	MOVQ d+0(FP), DX
	CMPL const_stringsLeftAt(DX), $0
	JEQ  rewind
	FREE((R10))
	CMPW STEP_TAG(BX), $0x80
	JAE  rewind
	XORL CX, CX
	MOVQ SI, AX
count:
	MOVBLZX (AX), DX
	TESTB DX, DX
	JS   rewind
	LEAQ 1(AX)(DX*1), AX
	INCL CX
	CMPL CX, $const_maxShortList
	JA   rewind
	CMPQ AX, DI
	JAE  last
	MOVBLZX (AX), DX
	INCQ AX
	CMPB DX, STEP_TAG(BX)
	JNE  counted
	CMPQ AX, DI
	JB   count
	JMP  rewind<>(SB)
last:
	JA   rewind
counted:
	MOVQ d+0(FP), DX
	MOVL const_stringsLeftAt(DX), AX
	SUBL CX, AX
	JLT  rewind
	MOVL AX, const_stringsLeftAt(DX)
	ADDL CX, const_stringsTakenAt(DX)
	MOVQ CX, 16(R10)
	TESTL AX, AX
	MOVQ const_stringsNextAt(DX), AX
	MOVQ AX, (R10)
	JEQ  begin
	SHLL $4, CX
	ADDQ CX, AX
	MOVQ AX, const_stringsNextAt(DX)
begin:
	JMP STEP_CODE(BX)
	REWIND

// MEMORY loads X1, the slab that has memory for a message without allocation.
#define MEMORY \
	MOVL const_maskAt(DX), CX \
	MOVQ const_placesAt(DX), R9 \
	ANDL STEP_BITS(BX), CX \
	LEAQ (CX)(CX*2), CX \
	LEAQ (R9)(CX*8), CX \
	LEAQ const_blockAt(AX), R9 \
	CMPQ R9, const_slabOf(CX) \
	JNE  rewind \
	CMPL const_slabLeft(CX), $0 \
	JEQ  rewind \
	MOVQ CX, X1

// LENGTH loads X0, where a message ends.
#define LENGTH \
	MOVBLZX (SI), R9 \
	TESTB R9, R9 \
	JNS  short \
	LEAQ 2(SI), CX \
	CMPQ CX, DI \
	JA   rewind \
	MOVBLZX 1(SI), CX \
	TESTB CX, CX \
	JS   rewind \
	ANDL $0x7f, R9 \
	SHLL $7, CX \
	LEAQ 1(R9)(CX*1), R9 \
short: \
	LEAQ 1(SI)(R9*1), CX \
	CMPQ CX, DI \
	JA   rewind \
	MOVQ CX, X0

// BEGIN loads DX, and AX, the layout of the message that the field holds, if there may be another message in this one.
// Behind it R9 is free, since rewind does not need it.
#define BEGIN \
	CMPQ SI, DI \
	JAE  rewind \
	MOVQ d+0(FP), DX \
	CMPQ const_framesAt(DX), $0 \
	JEQ  rewind \
	MOVQ const_innerCount(DX), CX \
	CMPQ CX, $const_maxInner \
	JAE  rewind \
	CMPQ CX, depth+40(FP) \
	JGE  rewind \
	MOVQ STEP_SUB(BX), AX \
	CMPQ const_innerAt(AX), $0 \
	JEQ  rewind

// LISTED looks whether there is room in a list of messages.
#define LISTED \
	MOVQ 8(R10), CX \
	MOVQ (R10), R9 \
	CMPQ CX, 16(R10) \
	JAE  rewind \
	FREE((R9)(CX*8))

// AFTER goes behind the length of a message.
#define AFTER \
	MOVBLZX (SI), CX \
	SHRL $7, CX \
	LEAQ 1(SI)(CX*1), SI

// message goes on with the fields of a message in this one, for which there is one already or memory without
// allocation.
TEXT message<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	BEGIN
	CMPQ (R10), $0
	JNE  have
	MEMORY
have:
	LENGTH
	AFTER
	JMP  enter<>(SB)
	REWIND

// messages goes on with the fields of an element of a list of messages, for which there is memory.
TEXT messages<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	BEGIN
	LISTED
	MEMORY
	LENGTH
	AFTER
	JMP  element<>(SB)
	REWIND

// group is message for a group.
TEXT group<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	BEGIN
	CMPQ (R10), $0
	JNE  have
	MEMORY
have:
	MOVQ DI, X0
	JMP  enter<>(SB)
	REWIND

// groups is messages for groups.
TEXT groups<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	BEGIN
	LISTED
	MEMORY
	MOVQ DI, X0
	JMP  element<>(SB)
	REWIND

// element adds a message to the list at R10, and goes on with it.
TEXT element<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	MOVQ 8(R10), CX
	MOVQ 16(R10), R9
	INCQ 8(R10)
	SUBQ CX, R9 // how many there may be, this one included
	MOVQ (R10), R10
	LEAQ (R10)(CX*8), R10
	MOVQ const_runAt(DX), CX
	MOVQ R9, const_runAt(DX)
	JMP  frame<>(SB)

// enter goes on with the message at R10, or a new one.
TEXT enter<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	MOVQ const_runAt(DX), CX
	JMP  frame<>(SB)

// frame goes on with the message at R10, or a new one. CX is what Run is to be behind it.
TEXT frame<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	MOVQ CX, X2
	MOVQ const_innerCount(DX), CX
	INCQ const_innerCount(DX)
	MOVQ const_framesAt(DX), R9
	LEAQ (CX)(CX*4), CX
	LEAQ (R9)(CX*8), CX
	SUBQ decoder_in(DX), DI
	MOVBLZX STEP_MUST(BX), R9
	MOVQ X2, const_frameRun(CX)
	MOVQ R8, const_frameMessage(CX)
	MOVQ DI, const_frameEnd(CX)
	BTSQ R9, R14
	MOVQ BX, const_frameStep(CX)
	MOVQ R14, const_frameSeen(CX)
	MOVQ (R10), R8
	MOVQ const_innerAt(AX), R9
	XORL R14, R14
	MOVQ X0, DI
	TESTQ R8, R8
	JNE  ready
	MOVQ X1, CX
	MOVQ const_slabNext(CX), R8
	DECL const_slabLeft(CX)
	MOVQ R8, (R10)
	JEQ  taken
	MOVQ const_blockSize(AX), DX
	ADDQ R8, DX
	MOVQ DX, const_slabNext(CX)
taken:
	CMPB const_dynamicAt(AX), $0
	JEQ  ready
	MOVQ AX, (R8) // the Header of a dynamic message
ready:
	NEXT
	ENDS

// ALIASED loads CX, the length of a text that is to be a part of the input, and DX, where it ends, and goes
// to other as ASCII does.
#define ALIASED \
	SPAN \
	MOVOU 1(SI), X0 \
	ASCII

// OTHERS are the ways to have from there for text that is longer, or near the end of the input.
#define OTHERS \
wide: \
	SUBL $16, AX \
	CMPL AX, $48 \
	JAE  rewind \
	MOVOU 1(SI), X0 \
	MOVOU -16(DX), X1 \
	POR  X1, X0 \
	CMPL CX, $32 \
	JBE  loaded \
	MOVOU 17(SI), X2 \
	MOVOU -32(DX), X3 \
	POR  X3, X2 \
	POR  X2, X0 \
loaded: \
	PMOVMSKB X0, AX \
	TESTL AX, AX \
	JEQ  have \
	JMP  runes \
	REWIND \
narrow: \
	CMPL CX, $8 \
	JB   rewind \
	MOVQ 1(SI), X0 \
	MOVQ -8(DX), X1 \
	POR  X1, X0 \
	JMP  loaded

// aliased reads text that is to be a part of the input.
TEXT aliased<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	ALIASED
have:
	FREE((R10))
	LEAQ 1(SI), AX
	MOVQ CX, 8(R10)
	MOVQ AX, (R10)
	MOVQ DX, SI
	NEXT
	OTHER
	OTHERS
	ENDS

// aliasedElement reads an element of a list of such text, for which there is room.
TEXT aliasedElement<>(SB), NOSPLIT|NOFRAME, $0-72
	PCALIGN $64
	ALIASED
have:
	MOVQ 8(R10), AX
	SHLQ $4, AX
	ADDQ (R10), AX
	FREE((AX))
	INCQ 8(R10)
	INCQ SI
	MOVQ SI, (AX)
	MOVQ CX, 8(AX)
	MOVQ DX, SI
	NEXT
	OTHER
	OTHERS
	ENDS

// The code for a field, as plain_amd64.go has it.
DATA codes<>+0(SB)/8, $bool<>(SB)
DATA codes<>+8(SB)/8, $int32<>(SB)
DATA codes<>+16(SB)/8, $int64<>(SB)
DATA codes<>+24(SB)/8, $sint32<>(SB)
DATA codes<>+32(SB)/8, $sint64<>(SB)
DATA codes<>+40(SB)/8, $fixed32<>(SB)
DATA codes<>+48(SB)/8, $fixed64<>(SB)
DATA codes<>+56(SB)/8, $string<>(SB)
DATA codes<>+64(SB)/8, $text<>(SB)
DATA codes<>+72(SB)/8, $bytes<>(SB)
DATA codes<>+80(SB)/8, $boolBit<>(SB)
DATA codes<>+88(SB)/8, $int32Bit<>(SB)
DATA codes<>+96(SB)/8, $int64Bit<>(SB)
DATA codes<>+104(SB)/8, $sint32Bit<>(SB)
DATA codes<>+112(SB)/8, $sint64Bit<>(SB)
DATA codes<>+120(SB)/8, $fixed32Bit<>(SB)
DATA codes<>+128(SB)/8, $fixed64Bit<>(SB)
DATA codes<>+136(SB)/8, $stringBit<>(SB)
DATA codes<>+144(SB)/8, $textBit<>(SB)
DATA codes<>+152(SB)/8, $boolPointer<>(SB)
DATA codes<>+160(SB)/8, $int32Pointer<>(SB)
DATA codes<>+168(SB)/8, $int64Pointer<>(SB)
DATA codes<>+176(SB)/8, $sint32Pointer<>(SB)
DATA codes<>+184(SB)/8, $sint64Pointer<>(SB)
DATA codes<>+192(SB)/8, $fixed32Pointer<>(SB)
DATA codes<>+200(SB)/8, $fixed64Pointer<>(SB)
DATA codes<>+208(SB)/8, $stringPointer<>(SB)
DATA codes<>+216(SB)/8, $textPointer<>(SB)
DATA codes<>+224(SB)/8, $stringPointerBit<>(SB)
DATA codes<>+232(SB)/8, $textPointerBit<>(SB)
DATA codes<>+240(SB)/8, $strings<>(SB)
DATA codes<>+248(SB)/8, $texts<>(SB)
DATA codes<>+256(SB)/8, $message<>(SB)
DATA codes<>+264(SB)/8, $bools<>(SB)
DATA codes<>+272(SB)/8, $int32s<>(SB)
DATA codes<>+280(SB)/8, $int64s<>(SB)
DATA codes<>+288(SB)/8, $sint32s<>(SB)
DATA codes<>+296(SB)/8, $sint64s<>(SB)
DATA codes<>+304(SB)/8, $fixed32s<>(SB)
DATA codes<>+312(SB)/8, $fixed64s<>(SB)
DATA codes<>+320(SB)/8, $messages<>(SB)
DATA codes<>+328(SB)/8, $group<>(SB)
DATA codes<>+336(SB)/8, $groups<>(SB)
DATA codes<>+344(SB)/8, $packedBools<>(SB)
DATA codes<>+352(SB)/8, $packedInt32s<>(SB)
DATA codes<>+360(SB)/8, $packedInt64s<>(SB)
DATA codes<>+368(SB)/8, $packedSint32s<>(SB)
DATA codes<>+376(SB)/8, $packedSint64s<>(SB)
DATA codes<>+384(SB)/8, $packedFixed32s<>(SB)
DATA codes<>+392(SB)/8, $packedFixed64s<>(SB)
GLOBL codes<>(SB), RODATA, $400

// func codes() *[50]uintptr
TEXT ·codes(SB), NOSPLIT|NOFRAME, $0-8
	LEAQ codes<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET
