/* SPDX-License-Identifier: MIT */

/*
 * ported_names.c
 *
 * Names of Apple's systems around the audio functions, as programs in C and C++ use them without a thought.
 *
 *     ported_names
 */
#include <TargetConditionals.h>
#if TARGET_OS_IPHONE
#include <MobileCoreServices/MobileCoreServices.h>
#else
#include <CoreServices/CoreServices.h>
#endif
#include <Availability.h>
#include <AvailabilityMacros.h>
#include <MacTypes.h>
#include <AudioToolbox/AudioCodec.h>
#include <AudioToolbox/AudioToolbox.h>

/* Sample code of 2008 adds what headers of years before lacked. */
#if COREAUDIOTYPES_VERSION < 1050
typedef Float32 AudioSampleType;
enum { kAudioFormatFlagsCanonical = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked };
#endif
#if COREAUDIOTYPES_VERSION < 1051
typedef Float32 AudioUnitSampleType;
enum {
    kLinearPCMFormatFlagsSampleFractionShift = 7,
    kLinearPCMFormatFlagsSampleFractionMask = 0x3F << kLinearPCMFormatFlagsSampleFractionShift
};
#endif

static int canonical_format(void)
{
#if defined(CA_PREFER_FIXED_POINT) && !CA_PREFER_FIXED_POINT
    UInt32 flags = kAudioFormatFlagsCanonical;
#else
    UInt32 flags = kAudioFormatFlagIsSignedInteger;
#endif
    return (flags & kAudioFormatFlagIsFloat) != 0 && sizeof(AudioUnitSampleType) == sizeof(float)
        && kLinearPCMFormatFlagsSampleFractionShift == 7 && COREAUDIOTYPES_VERSION == 20210401;
}

/* An encoder is told how to spread its bits by names of AudioCodec.h. */
static UInt32 encoder_settings(AudioCodecPropertyID *property, UInt32 mode)
{
    static const UInt32 qualities[] = {
        kAudioCodecQuality_Min, kAudioCodecQuality_Low, kAudioCodecQuality_Medium, kAudioCodecQuality_High,
        kAudioCodecQuality_Max
    };
    switch (mode) {
    case kAudioCodecBitRateControlMode_Variable:
        *property = kAudioCodecPropertySoundQualityForVBR;
        return qualities[4] - qualities[1] - qualities[0];
    case kAudioCodecBitRateControlMode_VariableConstrained:
    case kAudioCodecBitRateControlMode_LongTermAverage:
    case kAudioCodecBitRateControlMode_Constant:
        *property = kAudioCodecPropertyBitRateControlMode;
        return mode;
    default:
        *property = 0;
        return qualities[2] + qualities[3];
    }
}

static const char *codec_error(OSStatus status)
{
    switch (status) {
    case kAudioCodecNoError: return "none";
    case kAudioCodecUnspecifiedError: return "unspecified";
    case kAudioCodecUnknownPropertyError: return "unknown property";
    case kAudioCodecBadPropertySizeError: return "size";
    case kAudioCodecIllegalOperationError: return "illegal";
    case kAudioCodecUnsupportedFormatError: return "format";
    case kAudioCodecStateError: return "state";
    case kAudioCodecNotEnoughBufferSpaceError: return "space";
    case kAudioCodecBadDataError: return "data";
    default: return NULL;
    }
}

static int codec_names(void)
{
    AudioCodecPropertyID property = 0;
    int right = encoder_settings(&property, kAudioCodecBitRateControlMode_Variable) == 0x5F
        && property == 'vbrq';
    right = right && encoder_settings(&property, kAudioCodecBitRateControlMode_LongTermAverage) == 1
        && property == 'acbf';
    return right && codec_error('!buf') != NULL && codec_error(-50) == NULL;
}

/* Callbacks are written as headers of 2015 spelled them. */
static void forget(void * __nullable context, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    AudioQueueFreeBuffer(queue, buffer);
    if (context) *(int *)context = 0;
}

static int older_spelling(void)
{
    AudioQueueOutputCallback callback = forget;
    AudioQueueRef __nullable queue = nil;
    return callback != NULL && AudioQueueStart(queue, nil) != noErr;
}

/* CoreFoundation brings much of the C library along. */
static jmp_buf way_back;
static volatile sig_atomic_t last_signal;

static void give_up(int signal_number)
{
    assert(signal_number != 0);
    last_signal = signal_number;
    longjmp(way_back, signal_number);
}

static int c_library(void)
{
    signal(SIGUSR1, give_up);
    int signal_number = setjmp(way_back);
    if (signal_number == 0) raise(SIGUSR1);
    return signal_number == SIGUSR1 && last_signal == SIGUSR1 && setlocale(LC_ALL, "C") != NULL
        && localeconv() != NULL;
}

static int core_foundation(void)
{
    CFWriteStreamRef stream = CFWriteStreamCreateWithAllocatedBuffers(nil, nil);
    int right = stream != nil && CFStringIsEncodingAvailable(kCFStringEncodingISOLatin2);
    if (stream) CFRelease(stream);
    return right;
}

/* Files around the framework, and what is in them. */
static OSErr seek(SInt64 offset, UInt16 mode, ByteCount count, ByteCount *mark)
{
    if (mode == fsFromMark) offset += (SInt64)*mark;
    if (mode == fsFromLEOF) offset += (SInt64)count;
    if (offset < 0) return posErr;
    *mark = (ByteCount)offset;
    return *mark > count ? eofErr : noErr;
}

API_AVAILABLE(macos(10.15)) API_DEPRECATED("it is old", macos(10.0, 10.15))
static OSStatus read_permission(OptionBits options, SInt8 *permission)
{
    if (options & ~(OptionBits)1) return paramErr;
    *permission = options ? fsRdWrPerm : fsRdPerm;
    return noErr;
}

static int classic_types(void)
{
    static char text[] = "aqs";
    Ptr start = text;
    Handle handle = &start;
    Fixed half = 1 << 15;
    UnsignedWide time = { 0 };
    Str31 name = { 3, 'a', 'q', 's' };
    ByteCount bytes = sizeof name;
    ItemCount items = bytes / sizeof name[0];
    ByteCount mark = 0;
    SInt8 permission = 0;
    time.lo = 1;
    return **handle == 'a' && half * 2 == 0x10000 && *(UInt64 *)&time == 1 && items == 32 && eofErr == -39
        && seek(-1, fsFromLEOF, 3, &mark) == noErr && start[mark] == 's' && seek(2, fsFromMark, 3, &mark) == eofErr
        && seek(-1, fsFromStart, 3, &mark) == posErr
        && memFullErr == kAudio_MemFullError && fnfErr == kAudio_FileNotFoundError
        && read_permission(0, &permission) == noErr && permission == 1
        && read_permission(2, &permission) == kAudio_ParamError;
}

static int conditionals(void)
{
    static const int is_little_endian = TARGET_RT_LITTLE_ENDIAN;
#if TARGET_OS_MAC || TARGET_OS_OSX || TARGET_OS_IOS || TARGET_OS_SIMULATOR || TARGET_OS_WIN32 || !TARGET_OS_LINUX
    return 0;
#else
    return TARGET_RT_64_BIT == (sizeof(void *) == 8) && is_little_endian != TARGET_RT_BIG_ENDIAN
        && TARGET_CPU_X86 + TARGET_CPU_X86_64 + TARGET_CPU_ARM + TARGET_CPU_ARM64 <= 1;
#endif
}

/* Threads wait for each other without a block. */
static void finish(void *done)
{
    dispatch_semaphore_signal((dispatch_semaphore_t)done);
}

static int dispatch_without_blocks(void)
{
    dispatch_semaphore_t done = dispatch_semaphore_create(0);
    dispatch_async_f(dispatch_get_global_queue(DISPATCH_QUEUE_PRIORITY_DEFAULT, 0), done, finish);
    long late = dispatch_semaphore_wait(done, dispatch_time(DISPATCH_TIME_NOW, 10 * (int64_t)NSEC_PER_SEC));
    long none = dispatch_semaphore_wait(done, DISPATCH_TIME_NOW);
    dispatch_release(done);
    return late == 0 && none != 0;
}

#define CHECK(name) { #name, name }

int main(void)
{
    static const struct { const char *name; int (*is_right)(void); } checks[] = {
        CHECK(canonical_format), CHECK(codec_names), CHECK(older_spelling), CHECK(c_library),
        CHECK(core_foundation), CHECK(dispatch_without_blocks), CHECK(classic_types), CHECK(conditionals),
    };
    int failures = 0;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (!checks[i].is_right()) {
            printf("wrong: %s\n", checks[i].name);
            failures++;
        }
    }
    printf("%d failures\n", failures);
    return failures ? 1 : 0;
}
