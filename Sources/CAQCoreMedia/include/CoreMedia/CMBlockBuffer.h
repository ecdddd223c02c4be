/* SPDX-License-Identifier: MIT */

/* Bytes in one or several blocks of memory. */
#ifndef CM_BLOCK_BUFFER_H
#define CM_BLOCK_BUFFER_H

#include <CoreMedia/CMBase.h>

AUDIO_DECLARATIONS_BEGIN
AUDIO_OBJECTS_BEGIN

/* An object with the bytes of blocks, in order. */
typedef struct AUDIO_OBJECT OpaqueCMBlockBuffer *CMBlockBufferRef;

/* Options of block buffers. */
typedef uint32_t CMBlockBufferFlags;
AUDIO_CONSTANTS(CMBlockBufferFlags) {
    kCMBlockBufferAssureMemoryNowFlag = 1U << 0,    /* allocate memory at once */
    kCMBlockBufferAlwaysCopyDataFlag = 1U << 1,     /* CMBlockBufferCreateContiguous always copies */
    kCMBlockBufferDontOptimizeDepthFlag = 1U << 2,  /* no effect here */
    kCMBlockBufferPermitEmptyReferenceFlag = 1U << 3 /* the buffer that is referenced may be empty */
};

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kCMBlockBufferNoErr = 0,                             /* no error */
    kCMBlockBufferStructureAllocationFailedErr = -12700, /* no memory for the object */
    kCMBlockBufferBlockAllocationFailedErr = -12701,     /* no memory for a block */
    kCMBlockBufferBadCustomBlockSourceErr = -12702,      /* another version, or no function that allocates */
    kCMBlockBufferBadOffsetParameterErr = -12703,        /* the offset is beyond the data */
    kCMBlockBufferBadLengthParameterErr = -12704,        /* the length is 0, or reaches beyond the data */
    kCMBlockBufferBadPointerParameterErr = -12705,       /* a pointer is NULL, or not to a block buffer */
    kCMBlockBufferEmptyBBufErr = -12706,                 /* the buffer has no data */
    kCMBlockBufferUnallocatedBlockErr = -12707,          /* the memory is not allocated */
    kCMBlockBufferInsufficientSpaceErr = -12708          /* there is too little space */
};

/* The version of CMBlockBufferCustomBlockSource. */
AUDIO_CONSTANTS(UInt32) { kCMBlockBufferCustomBlockSourceVersion = 0 };

#pragma pack(push, 4)
/* Functions of the client that allocate and free a block. */
typedef struct CMBlockBufferCustomBlockSource {
    uint32_t version; /* kCMBlockBufferCustomBlockSourceVersion */
    /* Allocates a block; may be NULL if the block exists. */
    void *_Nullable (*_Nullable AllocateBlock)(void *_Nullable refCon, size_t sizeInBytes);
    /* Frees the block; may be NULL. */
    void (*_Nullable FreeBlock)(void *_Nullable refCon, void *doomedMemoryBlock, size_t sizeInBytes);
    void *_Nullable refCon; /* passed to both */
} CMBlockBufferCustomBlockSource;
#pragma pack(pop)

/* Returns the type of block buffers. */
CFTypeID CMBlockBufferGetTypeID(void);

/* Creates a buffer without data, to which blocks are appended. */
OSStatus CMBlockBufferCreateEmpty(
    CFAllocatorRef _Nullable structureAllocator, uint32_t subBlockCapacity, CMBlockBufferFlags flags,
    AUDIO_RETURNS_RETAINED CMBlockBufferRef _Nullable *blockBufferOut)
    AUDIO_SWIFT_NAME(CMBlockBufferCreateEmpty(allocator:capacity:flags:blockBufferOut:));

/* Creates a buffer over a block of memory, which is freed with the last buffer that uses it: by the custom source or,
 * if that is NULL, by the allocator. kCFAllocatorNull never frees. If the block is NULL, it is allocated likewise: at
 * once with kCMBlockBufferAssureMemoryNowFlag, otherwise by CMBlockBufferAssureBlockMemory. */
OSStatus CMBlockBufferCreateWithMemoryBlock(
    CFAllocatorRef _Nullable structureAllocator, void *_Nullable memoryBlock, size_t blockLength,
    CFAllocatorRef _Nullable blockAllocator, const CMBlockBufferCustomBlockSource *_Nullable customBlockSource,
    size_t offsetToData, size_t dataLength, CMBlockBufferFlags flags,
    AUDIO_RETURNS_RETAINED CMBlockBufferRef _Nullable *blockBufferOut)
    AUDIO_SWIFT_NAME(
        CMBlockBufferCreateWithMemoryBlock(allocator:memoryBlock:blockLength:blockAllocator:customBlockSource:offsetToData:dataLength:flags:blockBufferOut:));

/* Creates a buffer over data of another one, all of it from the offset if the length is 0. */
OSStatus CMBlockBufferCreateWithBufferReference(
    CFAllocatorRef _Nullable structureAllocator, CMBlockBufferRef bufferReference, size_t offsetToData,
    size_t dataLength, CMBlockBufferFlags flags,
    AUDIO_RETURNS_RETAINED CMBlockBufferRef _Nullable *blockBufferOut)
    AUDIO_SWIFT_NAME(
        CMBlockBufferCreateWithBufferReference(allocator:referenceBuffer:offsetToData:dataLength:flags:blockBufferOut:));

/* Creates a contiguous buffer of data of another one: over its memory, or over a copy in memory of the custom source or
 * the allocator. */
OSStatus CMBlockBufferCreateContiguous(
    CFAllocatorRef _Nullable structureAllocator, CMBlockBufferRef sourceBuffer,
    CFAllocatorRef _Nullable blockAllocator, const CMBlockBufferCustomBlockSource *_Nullable customBlockSource,
    size_t offsetToData, size_t dataLength, CMBlockBufferFlags flags,
    AUDIO_RETURNS_RETAINED CMBlockBufferRef _Nullable *blockBufferOut)
    AUDIO_SWIFT_NAME(
        CMBlockBufferCreateContiguous(allocator:sourceBuffer:blockAllocator:customBlockSource:offsetToData:dataLength:flags:blockBufferOut:));

/* Appends a block of memory, as CMBlockBufferCreateWithMemoryBlock uses it. */
OSStatus CMBlockBufferAppendMemoryBlock(
    CMBlockBufferRef theBuffer, void *_Nullable memoryBlock, size_t blockLength,
    CFAllocatorRef _Nullable blockAllocator, const CMBlockBufferCustomBlockSource *_Nullable customBlockSource,
    size_t offsetToData, size_t dataLength, CMBlockBufferFlags flags)
    AUDIO_SWIFT_NAME(
        CMBlockBufferAppendMemoryBlock(_:memoryBlock:length:blockAllocator:customBlockSource:offsetToData:dataLength:flags:));

/* Appends data of another buffer, all of it from the offset if the length is 0. */
OSStatus CMBlockBufferAppendBufferReference(
    CMBlockBufferRef theBuffer, CMBlockBufferRef targetBBuf, size_t offsetToData, size_t dataLength,
    CMBlockBufferFlags flags)
    AUDIO_SWIFT_NAME(CMBlockBufferAppendBufferReference(_:targetBBuf:offsetToData:dataLength:flags:));

/* Allocates the memory of all blocks. */
OSStatus CMBlockBufferAssureBlockMemory(CMBlockBufferRef theBuffer);

/* Returns a pointer to bytes: into the buffer if they are contiguous, otherwise to a copy in temporaryBlock. */
OSStatus CMBlockBufferAccessDataBytes(
    CMBlockBufferRef theBuffer, size_t offset, size_t length, void *temporaryBlock,
    char *_Nullable *_Nonnull returnedPointerOut)
    AUDIO_SWIFT_NAME(
        CMBlockBufferAccessDataBytes(_:atOffset:length:temporaryBlock:returnedPointerOut:));

/* Copies bytes out of a buffer. */
OSStatus CMBlockBufferCopyDataBytes(
    CMBlockBufferRef theSourceBuffer, size_t offsetToData, size_t dataLength, void *destination)
    AUDIO_SWIFT_NAME(CMBlockBufferCopyDataBytes(_:atOffset:dataLength:destination:));

/* Replaces bytes of a buffer, whose memory is allocated if necessary. */
OSStatus CMBlockBufferReplaceDataBytes(
    const void *sourceBytes, CMBlockBufferRef destinationBuffer, size_t offsetIntoDestination, size_t dataLength)
    AUDIO_SWIFT_NAME(CMBlockBufferReplaceDataBytes(with:blockBuffer:offsetIntoDestination:dataLength:));

/* Sets bytes of a buffer to one value. */
OSStatus CMBlockBufferFillDataBytes(
    char fillByte, CMBlockBufferRef destinationBuffer, size_t offsetIntoDestination, size_t dataLength)
    AUDIO_SWIFT_NAME(CMBlockBufferFillDataBytes(with:blockBuffer:offsetIntoDestination:dataLength:));

/* Returns a pointer to the bytes at an offset, how many are contiguous there, and how many the buffer has. Each result
 * may be NULL. */
OSStatus CMBlockBufferGetDataPointer(
    CMBlockBufferRef theBuffer, size_t offset, size_t *_Nullable lengthAtOffsetOut, size_t *_Nullable totalLengthOut,
    char *_Nullable *_Nullable dataPointerOut)
    AUDIO_SWIFT_NAME(
        CMBlockBufferGetDataPointer(_:atOffset:lengthAtOffsetOut:totalLengthOut:dataPointerOut:));

/* Returns the number of bytes. */
size_t CMBlockBufferGetDataLength(CMBlockBufferRef theBuffer);

/* Returns whether bytes are contiguous; all from the offset if the length is 0. */
Boolean CMBlockBufferIsRangeContiguous(CMBlockBufferRef theBuffer, size_t offset, size_t length)
    AUDIO_SWIFT_NAME(CMBlockBufferIsRangeContiguous(_:atOffset:length:));

/* Returns whether a buffer has no bytes. */
Boolean CMBlockBufferIsEmpty(CMBlockBufferRef theBuffer);

AUDIO_OBJECTS_END
AUDIO_DECLARATIONS_END

#endif
