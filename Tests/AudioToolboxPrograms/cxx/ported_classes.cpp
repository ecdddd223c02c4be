/*
 * ported_classes.cpp
 *
 * Names of Apple's systems around the audio functions, as programs in C++ use them without a thought.
 *
 *     ported_classes
 */
#include <AudioToolbox/AudioToolbox.h>

namespace {

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

} // namespace

int main() {
    struct Check { const char *name; bool (*isRight)(); };
    static const Check checks[] = {
        { "names of codecs", namesOfCodecs },
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
