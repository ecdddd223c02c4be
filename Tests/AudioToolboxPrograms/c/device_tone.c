/* SPDX-License-Identifier: MIT */

/*
 * device_tone.c
 *
 * A player with a procedure of the default device, as players had one before units were usual: functions of devices from
 * before 10.6, the procedure itself as its ID, a size that is set and read back, and a condition that the procedure signals.
 *
 *     device_tone HZ SECONDS FRAMES
 */
#include <AudioUnit/AudioUnit.h>
#include <CoreAudio/CoreAudio.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures;
#define CHECK(condition) \
    do { if (!(condition)) failures++, fprintf(stderr, "line %d: %s\n", __LINE__, #condition); } while (0)

typedef struct {
    double phase, step;
    long remaining;
    UInt32 frames;
    int wrong, done, reports;
    pthread_mutex_t mutex;
    pthread_cond_t condition;
} Player;

static OSStatus cycle(AudioDeviceID device, const AudioTimeStamp *now, const AudioBufferList *input,
                      const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime, void *data)
{
    Player *player = data;
    (void)device, (void)now, (void)inputTime;
    AudioBuffer *buffer = &output->mBuffers[0];
    UInt32 frames = buffer->mDataByteSize / sizeof(Float32) / buffer->mNumberChannels;
    if (input->mNumberBuffers || output->mNumberBuffers != 1 || frames != player->frames
        || !(outputTime->mFlags & kAudioTimeStampSampleTimeValid))
        player->wrong++;
    Float32 *sample = buffer->mData;
    UInt32 frame;
    for (frame = 0; frame < frames && player->remaining > 0; frame++, player->remaining--) {
        for (UInt32 channel = 0; channel < buffer->mNumberChannels; channel++) *sample++ = 0.5 * sin(player->phase);
        player->phase += player->step;
    }
    buffer->mDataByteSize = frame * buffer->mNumberChannels * sizeof(Float32);
    if (frame == 0) {
        pthread_mutex_lock(&player->mutex);
        player->done++;
        pthread_cond_signal(&player->condition);
        pthread_mutex_unlock(&player->mutex);
    }
    return noErr;
}

static OSStatus changed(AudioDeviceID device, UInt32 channel, Boolean input, AudioDevicePropertyID property, void *data)
{
    Player *player = data;
    (void)device, (void)channel, (void)input;
    pthread_mutex_lock(&player->mutex);
    if (property == kAudioDevicePropertyBufferFrameSize) player->reports++;
    pthread_cond_signal(&player->condition);
    pthread_mutex_unlock(&player->mutex);
    return noErr;
}

/* A unit without a size of its own has the device's. */
static void check_unit(UInt32 frames)
{
    AudioComponentDescription wanted = { kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, kAudioUnitManufacturer_Apple, 0, 0 };
    AudioUnit unit;
    UInt32 value = 0, size = sizeof value;
    CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit) == noErr);
    CHECK(AudioUnitGetProperty(unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, &value, &size) == noErr);
    CHECK(value == frames);
    CHECK(AudioUnitInitialize(unit) == noErr);
    CHECK(AudioUnitGetProperty(unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, &value, &size) == noErr);
    CHECK(value == frames);
    /* What a unit does not know, it has from its device. */
    Float32 volume = 0.25;
    UInt32 volumeSize = sizeof volume;
    Boolean writable = false;
    CHECK(AudioUnitGetPropertyInfo(unit, kAudioDevicePropertyVolumeScalar, kAudioUnitScope_Global, 0, &size, &writable) == noErr
          && writable);
    CHECK(AudioUnitSetProperty(unit, kAudioDevicePropertyVolumeScalar, kAudioUnitScope_Global, 0, &volume, volumeSize) == noErr);
    CHECK(AudioUnitSetProperty(unit, kAudioDevicePropertyDeviceUID, kAudioUnitScope_Global, 0, &volume, volumeSize)
          == kAudioUnitErr_PropertyNotWritable);
    CHECK(AudioUnitSetProperty(unit, kAudioDevicePropertyVolumeScalar, kAudioUnitScope_Global, 0, &volume, 1)
          == kAudioUnitErr_InvalidPropertyValue);
    CHECK(AudioUnitGetProperty(unit, kAudioDevicePropertyVolumeScalar, kAudioUnitScope_Global, 0, &volume, &volumeSize) == noErr);
    CHECK(volume == 0.25);
    volume = 1;
    CHECK(AudioUnitSetProperty(unit, kAudioDevicePropertyVolumeScalar, kAudioUnitScope_Global, 0, &volume, volumeSize) == noErr);
    CHECK(AudioComponentInstanceDispose(unit) == noErr);
}

int main(int argc, char **argv)
{
    if (argc != 4) return 64;
    Player player = { .remaining = 0, .mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER };
    AudioDeviceID device = kAudioDeviceUnknown;
    UInt32 size = sizeof device;
    CHECK(AudioHardwareGetProperty(kAudioHardwarePropertyDefaultOutputDevice, &size, &device) == noErr);

    AudioValueRange range;
    size = sizeof range;
    CHECK(AudioDeviceGetProperty(device, 0, false, kAudioDevicePropertyBufferFrameSizeRange, &size, &range) == noErr);
    CHECK(AudioDeviceAddPropertyListener(device, 0, false, kAudioDevicePropertyBufferFrameSize, changed, &player) == noErr);
    UInt32 frames = atoi(argv[3]), bytes = 0;
    CHECK(frames >= range.mMinimum && frames <= range.mMaximum);
    CHECK(AudioDeviceSetProperty(device, NULL, 0, false, kAudioDevicePropertyBufferFrameSize, sizeof frames, &frames) == noErr);
    size = sizeof player.frames;
    CHECK(AudioDeviceGetProperty(device, 0, false, kAudioDevicePropertyBufferFrameSize, &size, &player.frames) == noErr);
    CHECK(player.frames == frames);
    pthread_mutex_lock(&player.mutex);
    while (!player.reports) pthread_cond_wait(&player.condition, &player.mutex);
    pthread_mutex_unlock(&player.mutex);

    AudioStreamBasicDescription format, wanted;
    size = sizeof format;
    CHECK(AudioDeviceGetProperty(device, 0, false, kAudioDevicePropertyStreamFormat, &size, &format) == noErr);
    CHECK(format.mFormatID == kAudioFormatLinearPCM && (format.mFormatFlags & kAudioFormatFlagIsFloat));
    wanted = format;
    wanted.mSampleRate = 1234;
    CHECK(AudioDeviceSetProperty(device, NULL, 0, false, kAudioDevicePropertyStreamFormat, size, &wanted)
          == kAudioDeviceUnsupportedFormatError);
    CHECK(AudioDeviceGetProperty(device, 0, false, kAudioDevicePropertyStreamFormatMatch, &size, &wanted) == noErr);
    CHECK(AudioDeviceSetProperty(device, NULL, 0, false, kAudioDevicePropertyStreamFormat, size, &wanted) == noErr);
    size = sizeof bytes;
    CHECK(AudioDeviceGetProperty(device, 0, false, kAudioDevicePropertyBufferSize, &size, &bytes) == noErr);
    CHECK(bytes == frames * format.mBytesPerFrame);

    Float32 volume = 1, balance = 0.5;
    UInt32 muted = 0;
    CHECK(AudioDeviceSetProperty(device, NULL, 0, false, kAudioDevicePropertyMute, sizeof muted, &muted) == noErr);
    CHECK(AudioDeviceSetProperty(device, NULL, 0, false, kAudioDevicePropertyVolumeScalar, sizeof volume, &volume) == noErr);
    size = sizeof volume;
    CHECK(AudioDeviceGetProperty(device, 1, false, kAudioDevicePropertyVolumeDecibels, &size, &volume) == noErr && volume == 0);
    AudioObjectPropertyAddress address = { 'vmbc', kAudioDevicePropertyScopeOutput, kAudioObjectPropertyElementMain };
    CHECK(AudioObjectSetPropertyData(device, &address, 0, NULL, sizeof balance, &balance) == noErr);
    check_unit(frames);

    player.step = 2 * 3.14159265358979 * atof(argv[1]) / format.mSampleRate;
    player.remaining = atof(argv[2]) * format.mSampleRate;
    AudioDeviceIOProcID procedure = NULL;
    AudioTimeStamp time;
    CHECK(AudioDeviceGetCurrentTime(device, &time) == kAudioHardwareNotRunningError);
    CHECK(AudioDeviceCreateIOProcID(device, cycle, &player, &procedure) == noErr && procedure);
    CHECK(AudioDeviceStart(device, cycle) == noErr);
    CHECK(AudioDeviceGetCurrentTime(device, &time) == noErr && (time.mFlags & kAudioTimeStampHostTimeValid));
    pthread_mutex_lock(&player.mutex);
    while (player.done < 20) pthread_cond_wait(&player.condition, &player.mutex);
    pthread_mutex_unlock(&player.mutex);
    CHECK(AudioDeviceStop(device, cycle) == noErr);
    CHECK(AudioDeviceStop(device, procedure) == noErr);
    CHECK(AudioDeviceDestroyIOProcID(device, procedure) == noErr);
    CHECK(AudioDeviceDestroyIOProcID(device, procedure) == kAudioHardwareIllegalOperationError);
    CHECK(AudioDeviceAddIOProc(device, cycle, &player) == noErr);
    CHECK(AudioDeviceStart(device, cycle) == noErr && AudioDeviceStart(device, cycle) == noErr);
    CHECK(AudioDeviceRemoveIOProc(device, cycle) == noErr);
    CHECK(AudioDeviceRemovePropertyListener(device, 0, false, kAudioDevicePropertyBufferFrameSize, changed) == noErr);
    CHECK(player.wrong == 0);
    printf("%d failures\n", failures);
    return failures != 0;
}
