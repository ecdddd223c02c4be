/* SPDX-License-Identifier: MIT */

/* Varispeed, for which the library loads libsoxr: status 0 if a unit can be initialized. */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>

int main(void) {
    AudioComponentDescription description = {
        .componentType = kAudioUnitType_FormatConverter,
        .componentSubType = kAudioUnitSubType_Varispeed,
        .componentManufacturer = kAudioUnitManufacturer_Apple,
    };
    AudioComponent component = AudioComponentFindNext(NULL, &description);
    AudioUnit unit;
    if (!component || AudioComponentInstanceNew(component, &unit) != noErr) return 1;
    OSStatus status = AudioUnitInitialize(unit);
    printf("varispeed: status %d\n", (int)status);
    AudioComponentInstanceDispose(unit);
    return status != noErr;
}
