/* SPDX-License-Identifier: MIT */

/* The objects of CoreMedia as C programs count their references, and the macros for times.
 *   media_objects */
#include <CoreFoundation/CFRuntime.h>
#include <CoreMedia/CoreMedia.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s\n", __LINE__, #condition); \
            failures++; \
        } \
    } while (0)

/* The library knows the beginning of an object. */
_Static_assert(sizeof(CFRuntimeBase) == 2 * sizeof(uintptr_t) + sizeof(uint64_t), "another CoreFoundation");
_Static_assert(offsetof(CFRuntimeClass, finalize) == 4 * sizeof(void *), "another CoreFoundation");

static int allocated, freed;

static void *allocate_block(void *refCon, size_t size) {
    CHECK(refCon == &allocated);
    allocated++;
    return malloc(size);
}

static void free_block(void *refCon, void *block, size_t size) {
    CHECK(refCon == &allocated && size == 64);
    freed++;
    free(block);
}

static CMBlockBufferRef make_block(void) {
    CMBlockBufferCustomBlockSource source = {kCMBlockBufferCustomBlockSourceVersion, allocate_block, free_block, &allocated};
    CMBlockBufferRef block = NULL;
    OSStatus status = CMBlockBufferCreateWithMemoryBlock(
        kCFAllocatorDefault, NULL, 64, NULL, &source, 0, 64, kCMBlockBufferAssureMemoryNowFlag, &block);
    CHECK(status == kCMBlockBufferNoErr && block != NULL);
    return block;
}

static CMFormatDescriptionRef make_format(void) {
    AudioStreamBasicDescription asbd = {44100, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked, 4, 1, 4, 1, 32, 0};
    CMFormatDescriptionRef format = NULL;
    CHECK(CMAudioFormatDescriptionCreate(kCFAllocatorDefault, &asbd, 0, NULL, 0, NULL, NULL, &format) == noErr);
    return format;
}

static CMSampleBufferRef make_sample(CMBlockBufferRef block, CMFormatDescriptionRef format) {
    CMSampleBufferRef sample = NULL;
    CHECK(CMAudioSampleBufferCreateReadyWithPacketDescriptions(
        kCFAllocatorDefault, block, format, 16, CMTimeMake(1, 2), NULL, &sample) == noErr);
    return sample;
}

static void references(void) {
    CMBlockBufferRef block = make_block();
    CMFormatDescriptionRef format = make_format();
    CHECK(CFGetTypeID(block) == CMBlockBufferGetTypeID());
    CHECK(CFGetTypeID(format) == CMFormatDescriptionGetTypeID());
    CHECK(CFRetain(block) == (CFTypeRef)block);
    CFRelease(block);
    CHECK(freed == 0);

    CMSampleBufferRef sample = make_sample(block, format);
    CHECK(CFGetTypeID(sample) == CMSampleBufferGetTypeID());
    CFRelease(block);
    CFRelease(format);
    CHECK(freed == 0 && CMSampleBufferGetDataBuffer(sample) == block);
    CHECK(CMSampleBufferGetFormatDescription(sample) == format);

    /* The list keeps the block when the sample buffer goes. */
    AudioBufferList list;
    CMBlockBufferRef retained = NULL;
    CHECK(CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        sample, NULL, &list, sizeof list, NULL, NULL, 0, &retained) == noErr);
    CHECK(retained == block && list.mBuffers[0].mDataByteSize == 64);
    CFArrayRef array = CFArrayCreate(NULL, (const void **)&sample, 1, &kCFTypeArrayCallBacks);
    CFRelease(sample);
    CHECK(CFArrayGetValueAtIndex(array, 0) == sample && CFEqual(sample, sample));
    CHECK(CMSampleBufferGetNumSamples(sample) == 16);
    CFStringRef text = CFCopyDescription(sample);
    CHECK(text != NULL && CFStringFind(text, CFSTR("CMSampleBuffer"), 0).length > 0);
    CFRelease(text);
    CFRelease(array);
    CHECK(freed == 0);
    memset(list.mBuffers[0].mData, 1, 64);
    CFRelease(retained);
    CHECK(allocated == 1 && freed == 1);
}

static void rounds(int count) {
    for (int i = 0; i < count; i++) {
        CMBlockBufferRef block = make_block();
        CMFormatDescriptionRef format = make_format();
        CMSampleBufferRef sample = make_sample(block, format);
        CFRelease(block);
        CFRelease(format);
        CFRelease(sample);
    }
}

static void times(void) {
    CMTime half = CMTimeMake(1, 2);
    CHECK(CMTIME_IS_VALID(half) && CMTIME_IS_NUMERIC(half) && !CMTIME_HAS_BEEN_ROUNDED(half));
    CHECK(CMTIME_IS_INVALID(kCMTimeInvalid) && CMTIME_IS_INDEFINITE(kCMTimeIndefinite));
    CHECK(CMTIME_IS_POSITIVE_INFINITY(kCMTimePositiveInfinity) && CMTIME_IS_NEGATIVE_INFINITY(kCMTimeNegativeInfinity));
    CHECK(CMTIME_IS_POSITIVEINFINITY(kCMTimePositiveInfinity) && CMTIME_IS_NEGATIVEINFINITY(kCMTimeNegativeInfinity));
    CHECK(CMTIME_COMPARE_INLINE(half, >, kCMTimeZero) && CMTIME_COMPARE_INLINE(half, ==, CMTimeMake(2, 4)));
    CMTimeRange range = CMTimeRangeMake(kCMTimeZero, half);
    CHECK(CMTIMERANGE_IS_VALID(range) && !CMTIMERANGE_IS_EMPTY(range) && !CMTIMERANGE_IS_INDEFINITE(range));
    CHECK(CMTIMERANGE_IS_EMPTY(kCMTimeRangeZero) && CMTIMERANGE_IS_INVALID(kCMTimeRangeInvalid));
    CHECK(!CMTIME_IS_VALID(kCMTimingInfoInvalid.duration));
    CMTimeShow(CMTimeMakeWithEpoch(-3, 2, 1));
    CMTimeShow(CMTimeMakeWithSeconds(0.1, 5));
    CMTimeShow(kCMTimeInvalid);
    CMTimeShow(kCMTimeIndefinite);
    CMTimeShow(kCMTimePositiveInfinity);
    CMTimeShow(kCMTimeNegativeInfinity);
}

int main(void) {
    references();
    times();
    rounds(1000);
    size_t before = mallinfo2().uordblks;
    rounds(20000);
    size_t after = mallinfo2().uordblks;
    CHECK(after < before + 4096);
    CHECK(allocated == 21001 && freed == allocated);
    printf("%d failures\n", failures);
    return failures > 0;
}
