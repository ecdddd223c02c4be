/*
 * ported_classes.cpp
 *
 * Names of Apple's systems around the audio functions, as programs in C++ use them without a thought.
 *
 *     ported_classes
 */
#include <AudioToolbox/AudioToolbox.h>
#include <AvailabilityMacros.h>
#include <CoreServices/CoreServices.h>
#include <MacTypes.h>
#include <TargetConditionals.h>

namespace {

// Sample code of 2008 adds what headers of years before lacked.
#if COREAUDIOTYPES_VERSION < 1051
typedef Float32 AudioUnitSampleType;
enum { kLinearPCMFormatFlagsSampleFractionShift = 7 };
#endif

struct Description : AudioStreamBasicDescription {
    void setCanonical() {
#if CA_PREFER_FIXED_POINT
        mFormatFlags = kAudioFormatFlagsCanonical | (24 << kLinearPCMFormatFlagsSampleFractionShift);
#else
        mFormatFlags = kAudioFormatFlagsCanonical;
#endif
        mBitsPerChannel = 8 * sizeof(AudioUnitSampleType);
    }
};

bool canonicalFormat() {
    Description description;
    description.setCanonical();
    return (description.mFormatFlags & kAudioFormatFlagIsFloat) != 0 && description.mBitsPerChannel == 32
        && CA_PREFER_FIXED_POINT == 0;
}

// What an encoder is asked for, by names of AudioCodec.h.
struct EncoderSettings {
    AudioCodecPropertyID property;
    UInt32 value;

    static EncoderSettings constrained() {
        EncoderSettings settings = { kAudioCodecPropertyBitRateControlMode,
                                     kAudioCodecBitRateControlMode_VariableConstrained };
        return settings;
    }
    static EncoderSettings quality() {
        EncoderSettings settings = { kAudioCodecPropertySoundQualityForVBR, kAudioCodecQuality_High };
        return settings;
    }
};

bool namesOfCodecs() {
    const OSStatus result = kAudioCodecUnsupportedFormatError;
    return EncoderSettings::constrained().value == 2 && EncoderSettings::quality().value == 0x60
        && result == '!dat';
}

// CoreFoundation brings much of the C library along.
volatile sig_atomic_t signalNumber;

void note(int number) {
    assert(number != 0);
    signalNumber = number;
}

bool cLibrary() {
    jmp_buf wayBack;
    if (setjmp(wayBack) != 0) return true;
    signal(SIGUSR1, note);
    raise(SIGUSR1);
    return signalNumber == SIGUSR1 && localeconv() != nullptr;
}

OSStatus start(AudioQueueRef __nullable queue) { return AudioQueueStart(queue, nil); }

bool nothing() {
    AudioQueueRef queue = nil;
    return queue == nil && start(queue) != noErr;
}

class Semaphore {
    dispatch_semaphore_t semaphore = dispatch_semaphore_create(0);

public:
    ~Semaphore() { dispatch_release(semaphore); }
    void signal() { dispatch_semaphore_signal(semaphore); }
    bool wait() { return dispatch_semaphore_wait(semaphore, DISPATCH_TIME_NOW) == 0; }
};

bool semaphores() {
    Semaphore semaphore;
    semaphore.signal();
    return semaphore.wait() && !semaphore.wait();
}

class DataSource {
    const Ptr bytes;
    const ByteCount count;
    ByteCount mark = 0;

public:
    DataSource(Ptr bytes, ByteCount count) : bytes(bytes), count(count) {}
    OSErr seek(SInt64 offset, UInt16 mode) {
        if (mode == fsFromMark) offset += SInt64(mark);
        if (mode == fsFromLEOF) offset += SInt64(count);
        if (offset < 0) return posErr;
        mark = ByteCount(offset);
        return mark > count ? eofErr : noErr;
    }
    API_AVAILABLE(macos(10.12)) Ptr here() const { return bytes + mark; }
};

bool classicTypes() {
    char text[] = "aqs";
    DataSource source(text, sizeof text - 1);
    return source.seek(-1, fsFromLEOF) == noErr && *source.here() == 's' && source.seek(2, fsFromMark) == eofErr
        && source.seek(-1, fsFromStart) == posErr && !TARGET_OS_IPHONE && !TARGET_OS_MAC;
}

} // namespace

int main() {
    struct Check { const char *name; bool (*isRight)(); };
    static const Check checks[] = {
        { "the canonical format", canonicalFormat },
        { "names of codecs", namesOfCodecs },
        { "the C library", cLibrary },
        { "nil", nothing },
        { "semaphores", semaphores },
        { "classic types", classicTypes },
    };
    int failures = 0;
    for (const Check &check : checks) {
        if (check.isRight()) continue;
        printf("wrong: %s\n", check.name);
        failures++;
    }
    printf("%d failures\n", failures);
    return failures ? 1 : 0;
}
