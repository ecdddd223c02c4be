/* SPDX-License-Identifier: MIT */

/*
 * unit_finder.c
 *
 * Lists the audio units, as programs of 2008 find them, and calls the functions of units with a unit that does not
 * exist.
 *
 *     unit_finder
 */
#include <AudioUnit/AudioUnit.h>
#include <AudioUnit/AUComponent.h>
#include <AudioUnit/AudioComponent.h>
#include <AudioUnit/AudioOutputUnit.h>
#include <AudioUnit/AudioUnitParameters.h>
#include <AudioUnit/AudioUnitProperties.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(condition) \
    do { if (!(condition)) failures++, fprintf(stderr, "line %d: %s\n", __LINE__, #condition); } while (0)

static void print_code(OSType code)
{
    printf("%c%c%c%c ", (int)(code >> 24 & 255), (int)(code >> 16 & 255), (int)(code >> 8 & 255), (int)(code & 255));
}

static OSStatus render(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                       UInt32 frames, AudioBufferList *data)
{
    UInt32 i;
    (void)refCon, (void)time, (void)bus, (void)frames;
    for (i = 0; i < data->mNumberBuffers; i++) memset(data->mBuffers[i].mData, 0, data->mBuffers[i].mDataByteSize);
    *flags |= kAudioUnitRenderAction_OutputIsSilence;
    return noErr;
}

static void changed(void *refCon, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
                    AudioUnitElement element)
{
    (void)refCon, (void)unit, (void)property, (void)scope, (void)element;
}

static void list_units(void)
{
    AudioComponentDescription wanted;
    AudioComponent component = NULL;
    UInt32 count = 0;
    memset(&wanted, 0, sizeof wanted);
    while ((component = AudioComponentFindNext(component, &wanted)) != NULL) {
        AudioComponentDescription found;
        CFStringRef name = NULL;
        UInt32 version = 0;
        CHECK(AudioComponentGetDescription(component, &found) == noErr);
        CHECK(AudioComponentGetVersion(component, &version) == noErr);
        CHECK(AudioComponentCopyName(component, &name) == noErr);
        print_code(found.componentType);
        print_code(found.componentSubType);
        print_code(found.componentManufacturer);
#ifdef __COREFOUNDATION_CFSTRING__
        {
            char text[256];
            CHECK(CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8));
            printf(" %s %u.%u.%u\n", text, (unsigned)(version >> 16), (unsigned)(version >> 8 & 255), (unsigned)(version & 255));
            CFRelease(name);
        }
#endif
        count++;
    }
    CHECK(count == AudioComponentCount(&wanted));
    wanted.componentType = kAudioUnitType_MusicDevice;
    CHECK(AudioComponentFindNext(NULL, &wanted) == NULL);
}

/* The calls of a player, for a unit that does not exist. */
static void use_missing_unit(void)
{
    AudioUnit unit = (AudioUnit)0x1000;
    AudioComponentInstance instance = unit; /* the same type */
    AURenderCallbackStruct callback = { render, NULL };
    AudioUnitConnection connection = { NULL, 0, 0 };
    AudioOutputUnitStartAtTimeParams start;
    AudioStreamBasicDescription format;
    AUChannelInfo channels = { -1, 2 };
    AudioUnitParameterValue volume = 0;
    AudioUnitRenderActionFlags flags = 0;
    AudioBufferList list;
    UInt32 size = sizeof format, frames = 512, quality = kRenderQuality_Max;
    Boolean writable;
    memset(&start, 0, sizeof start);
    memset(&format, 0, sizeof format);
    memset(&list, 0, sizeof list);
    list.mNumberBuffers = 1;

    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
                               sizeof callback) == kAudio_ParamError);
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection,
                               sizeof connection) == kAudio_ParamError);
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames,
                               sizeof frames) == kAudio_ParamError);
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_RenderQuality, kAudioUnitScope_Global, 0, &quality,
                               sizeof quality) == kAudio_ParamError);
    CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_StartTime, kAudioUnitScope_Global, 0, &start,
                               sizeof start) == kAudio_ParamError);
    CHECK(AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &size, &writable)
          == kAudio_ParamError);
    CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, &size)
          == kAudio_ParamError);
    CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_SupportedNumChannels, kAudioUnitScope_Global, 0, &channels,
                               &size) == kAudio_ParamError);
    CHECK(AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_IsRunning, changed, NULL) == kAudio_ParamError);
    CHECK(AudioUnitRemovePropertyListener(unit, kAudioOutputUnitProperty_IsRunning, changed) == kAudio_ParamError);
    CHECK(AudioUnitGetParameter(unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, &volume)
          == kAudio_ParamError);
    CHECK(AudioUnitRender(unit, &flags, &start.mTimestamp, 1, 64, &list) == kAudio_ParamError);
    CHECK(AudioUnitReset(unit, kAudioUnitScope_Global, 0) == kAudio_ParamError);
    CHECK(AudioUnitInitialize(unit) == kAudio_ParamError && AudioUnitUninitialize(unit) == kAudio_ParamError);
    CHECK(AudioOutputUnitStart(unit) == kAudio_ParamError && AudioOutputUnitStop(unit) == kAudio_ParamError);
    CHECK(AudioComponentInstanceDispose(instance) == kAudio_ParamError);
    CHECK(render(NULL, &flags, &start.mTimestamp, 0, 0, &list) == noErr);
    CHECK(flags & kAudioUnitRenderAction_OutputIsSilence);
}

int main(void)
{
    list_units();
    use_missing_unit();
    printf("%d failures\n", failures);
    return failures != 0;
}
