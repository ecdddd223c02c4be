/* SPDX-License-Identifier: MIT */

/*
 * graph_names.c
 *
 * Graphs, procedures of devices and atomic operations, as programs of 2008 name them.
 *
 *     graph_names
 */
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <libkern/OSAtomic.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(condition) \
    do { if (!(condition)) failures++, fprintf(stderr, "line %d: %s\n", __LINE__, #condition); } while (0)

static OSStatus render(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                       UInt32 frames, AudioBufferList *data)
{
    (void)refCon, (void)flags, (void)time, (void)bus, (void)frames, (void)data;
    return kAudioUnitErr_NoConnection;
}

static OSStatus cycle(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
                      const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime,
                      void *data)
{
    (void)device, (void)now, (void)input, (void)inputTime, (void)output, (void)outputTime, (void)data;
    return noErr;
}

static void region_read(void *data, ScheduledAudioFileRegion *region, OSStatus result)
{
    (void)data, (void)region, (void)result;
}

/* The calls that connect a mixer and an output, for a graph that does not exist. */
static void use_missing_graph(void)
{
    AUGraph graph = (AUGraph)0x1000;
    AudioComponentDescription mixer = {
        kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, kAudioUnitManufacturer_Apple, 0, 0
    };
    AURenderCallbackStruct callback = { render, NULL };
    AUNode mixerNode = 0, outputNode = 0;
    AUNodeInteraction interaction;
    AudioUnit unit = NULL;
    UInt32 count = 1;
    Boolean flag = false;
    CHECK(NewAUGraph(NULL) == kAudio_ParamError);
    CHECK(AUGraphAddNode(graph, &mixer, &mixerNode) == kAudio_ParamError);
    CHECK(AUGraphNodeInfo(graph, mixerNode, NULL, &unit) == kAudio_ParamError);
    CHECK(AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0) == kAudio_ParamError);
    CHECK(AUGraphSetNodeInputCallback(graph, mixerNode, 0, &callback) == kAudio_ParamError);
    CHECK(AUGraphGetNodeInteractions(graph, mixerNode, &count, &interaction) == kAudio_ParamError);
    CHECK(AUGraphOpen(graph) == kAudio_ParamError && AUGraphInitialize(graph) == kAudio_ParamError);
    CHECK(AUGraphUpdate(graph, &flag) == kAudio_ParamError && AUGraphIsRunning(graph, &flag) == kAudio_ParamError);
    CHECK(AUGraphStart(graph) == kAudio_ParamError && AUGraphStop(graph) == kAudio_ParamError);
    CHECK(DisposeAUGraph(graph) == kAudio_ParamError);
}

/* A region of a file for a player unit that does not exist. */
static void describe_region(void)
{
    ScheduledAudioFileRegion region;
    memset(&region.mTimeStamp, 0, sizeof region.mTimeStamp);
    region.mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
    region.mCompletionProc = region_read;
    region.mCompletionProcUserData = NULL;
    region.mAudioFile = NULL;
    region.mLoopCount = 0;
    region.mStartFrame = 0;
    region.mFramesToPlay = (UInt32)-1;
    CHECK(AudioUnitSetProperty(NULL, kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global, 0, &region,
                               sizeof region) == kAudio_ParamError);
}

/* A device that does not exist. */
static void use_missing_device(void)
{
    AudioDeviceIOProcID procedure = NULL;
    AudioTimeStamp time;
    memset(&time, 0, sizeof time);
    CHECK(AudioDeviceCreateIOProcID(31, cycle, NULL, &procedure) == kAudioHardwareBadObjectError);
    CHECK(AudioDeviceStart(31, cycle) == kAudioHardwareBadObjectError);
    CHECK(AudioDeviceGetCurrentTime(31, &time) == kAudioHardwareBadObjectError);
    CHECK(AudioDeviceStop(31, procedure) == kAudioHardwareBadObjectError);
    CHECK(AudioDeviceDestroyIOProcID(31, cycle) == kAudioHardwareBadObjectError);
    CHECK(AudioDeviceAddIOProc(31, cycle, NULL) == kAudioHardwareBadObjectError);
    CHECK(AudioDeviceRemoveIOProc(31, cycle) == kAudioHardwareBadObjectError);
}

static void count_atomically(void)
{
    int32_t fill = 0;
    int64_t position = 0;
    uint32_t bits = 5;
    int place[2] = { 1, 2 };
    void *pointer = &place[0];
    OSSpinLock lock = OS_SPINLOCK_INIT;
    CHECK(OSAtomicAdd32Barrier(480, &fill) == 480 && OSAtomicAdd32(-80, &fill) == 400);
    CHECK(OSAtomicIncrement32(&fill) == 401 && OSAtomicDecrement32Barrier(&fill) == 400);
    CHECK(OSAtomicAdd64Barrier((int64_t)1 << 40, &position) == (int64_t)1 << 40);
    CHECK(OSAtomicIncrement64(&position) == ((int64_t)1 << 40) + 1);
    CHECK(OSAtomicCompareAndSwap32Barrier(400, 7, &fill) && !OSAtomicCompareAndSwap32(400, 8, &fill) && fill == 7);
    CHECK(OSAtomicCompareAndSwapPtrBarrier(&place[0], &place[1], &pointer) && *(int *)pointer == 2);
    CHECK(OSAtomicOr32Barrier(2, &bits) == 7 && OSAtomicAnd32(6, &bits) == 6 && bits == 6);
    OSMemoryBarrier();
    OSSpinLockLock(&lock);
    CHECK(!OSSpinLockTry(&lock));
    OSSpinLockUnlock(&lock);
    CHECK(OSSpinLockTry(&lock));
}

int main(void)
{
    use_missing_graph();
    describe_region();
    use_missing_device();
    count_atomically();
    printf("%d failures\n", failures);
    return failures != 0;
}
