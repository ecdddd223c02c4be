/* SPDX-License-Identifier: MIT */

/* Encodes the default input as AAC while it is captured, into an ADTS file.
 *
 *     cc unit_encoder.c -o unit_encoder $(pkg-config --cflags --libs audiotoolbox)
 *     ./unit_encoder memo.aac 10
 *
 * The encoder is an optional library; without it the program says so, and exits with status 1. */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { input_bus = 1, output_bus = 0, channels = 2, ring_frames = 1 << 16, no_input_now = 1 };

/* Captured frames between the unit's thread, which adds them, and the main thread, which encodes them. */
struct ring {
    AudioUnit unit;
    SInt16 samples[ring_frames][channels];
    atomic_uint added, removed; /* the numbers of frames; their difference is at most the size of the ring */
    UInt32 wanted;              /* the number of frames to record */
    atomic_uint lost;
    atomic_int failure;
    UInt32 in_use; /* the frames that the encoder has got, and may read until it asks for more */
    int is_at_end;
};

static void check(OSStatus status, const char *what)
{
    if (status == noErr) return;
    fprintf(stderr, "unit_encoder: cannot %s (error %d)\n", what, (int)status);
    exit(EXIT_FAILURE);
}

/* Adds a captured slice to the ring, on the unit's real-time thread. */
static OSStatus take(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                     UInt32 frames, AudioBufferList *data)
{
    struct ring *ring = context;
    (void)data;
    AudioBufferList list = {1, {{channels, 0, NULL}}}; /* in the memory of the unit */
    list.mBuffers[0].mDataByteSize = frames * (UInt32)sizeof ring->samples[0];
    OSStatus status = AudioUnitRender(ring->unit, flags, time, bus, frames, &list);
    if (status != noErr) {
        atomic_store(&ring->failure, status);
        return status;
    }
    unsigned added = atomic_load_explicit(&ring->added, memory_order_relaxed);
    if (frames > ring->wanted - added) frames = ring->wanted - added;
    if (ring_frames - (added - atomic_load_explicit(&ring->removed, memory_order_acquire)) < frames) {
        atomic_fetch_add(&ring->lost, frames);
        return noErr;
    }
    UInt32 first = added % ring_frames, before_end = ring_frames - first;
    if (before_end > frames) before_end = frames;
    const char *source = list.mBuffers[0].mData;
    memcpy(ring->samples[first], source, before_end * sizeof ring->samples[0]);
    memcpy(ring->samples[0], source + before_end * sizeof ring->samples[0],
           (frames - before_end) * sizeof ring->samples[0]);
    atomic_store_explicit(&ring->added, added + frames, memory_order_release);
    return noErr;
}

/* Gives the encoder what the ring holds. */
static OSStatus give(AudioConverterRef converter, UInt32 *packets, AudioBufferList *data,
                     AudioStreamPacketDescription **descriptions, void *context)
{
    struct ring *ring = context;
    (void)converter, (void)descriptions;
    unsigned removed = atomic_load_explicit(&ring->removed, memory_order_relaxed) + ring->in_use;
    atomic_store_explicit(&ring->removed, removed, memory_order_release);
    UInt32 ready = atomic_load_explicit(&ring->added, memory_order_acquire) - removed;
    UInt32 first = removed % ring_frames;
    if (ready > ring_frames - first) ready = ring_frames - first;
    if (ready > *packets) ready = *packets;
    ring->in_use = *packets = ready;
    data->mNumberBuffers = 1;
    data->mBuffers[0].mNumberChannels = channels;
    data->mBuffers[0].mDataByteSize = ready * (UInt32)sizeof ring->samples[0];
    data->mBuffers[0].mData = ring->samples[first];
    /* No packets and no error end the stream: the encoder returns what it holds. */
    return ready > 0 || ring->is_at_end ? noErr : no_input_now;
}

static AudioUnit make_unit(const AudioStreamBasicDescription *format, struct ring *ring)
{
    AudioComponentDescription wanted = {
        .componentType = kAudioUnitType_Output,
        .componentSubType = kAudioUnitSubType_RemoteIO,
        .componentManufacturer = kAudioUnitManufacturer_Apple,
    };
    AudioComponent component = AudioComponentFindNext(NULL, &wanted);
    AudioUnit unit = NULL;
    UInt32 on = 1, off = 0;
    AURenderCallbackStruct callback = {take, ring};
    check(component == NULL ? -1 : noErr, "find the I/O unit");
    check(AudioComponentInstanceNew(component, &unit), "make the I/O unit");
    check(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, input_bus, &on,
                               sizeof on),
          "enable the input");
    check(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, output_bus, &off,
                               sizeof off),
          "disable the output");
    check(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, input_bus, format,
                               sizeof *format),
          "set the format");
    check(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, input_bus,
                               &callback, sizeof callback),
          "set the callback");
    return unit;
}

/* Makes the encoder, and completes the format of its packets. */
static AudioConverterRef make_encoder(const AudioStreamBasicDescription *pcm, AudioStreamBasicDescription *aac)
{
    AudioConverterRef encoder = NULL;
    UInt32 size = sizeof *aac, bit_rate = 128000;
    memset(aac, 0, sizeof *aac);
    aac->mFormatID = kAudioFormatMPEG4AAC;
    aac->mSampleRate = pcm->mSampleRate;
    aac->mChannelsPerFrame = pcm->mChannelsPerFrame;
    check(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, NULL, &size, aac), "complete the format");
    if (AudioConverterNew(pcm, aac, &encoder) != noErr) {
        fprintf(stderr, "unit_encoder: there is no AAC encoder on this system\n");
        exit(EXIT_FAILURE);
    }
    check(AudioConverterSetProperty(encoder, kAudioConverterEncodeBitRate, sizeof bit_rate, &bit_rate),
          "set the bit rate");
    return encoder;
}

/* Encodes what was captured, and writes the packets; returns their number. */
static UInt32 write_packets(AudioConverterRef encoder, struct ring *ring, AudioFileID file, SInt64 position)
{
    UInt32 largest = 0, size = sizeof largest, written = 0;
    check(AudioConverterGetProperty(encoder, kAudioConverterPropertyMaximumOutputPacketSize, &size, &largest),
          "get the largest packet size");
    char bytes[largest];
    for (;;) {
        AudioBufferList list = {1, {{channels, largest, bytes}}};
        AudioStreamPacketDescription description;
        UInt32 packets = 1;
        OSStatus status = AudioConverterFillComplexBuffer(encoder, give, ring, &packets, &list, &description);
        if (status != no_input_now) check(status, "encode");
        if (packets == 0) return written;
        check(AudioFileWritePackets(file, false, list.mBuffers[0].mDataByteSize, &description, position + written,
                                    &packets, bytes),
              "write the file");
        written += packets;
    }
}

int main(int argc, char **argv)
{
    static struct ring ring; /* too large for the stack */
    AudioStreamBasicDescription aac;
    AudioFileID file = NULL;
    double seconds = argc == 3 ? atof(argv[2]) : 0;
    if (!(seconds > 0 && seconds < 86400)) return fprintf(stderr, "usage: unit_encoder FILE SECONDS\n"), 64;

    AudioStreamBasicDescription pcm = {
        .mSampleRate = 44100,
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        .mBytesPerPacket = channels * sizeof(SInt16),
        .mFramesPerPacket = 1,
        .mBytesPerFrame = channels * sizeof(SInt16),
        .mChannelsPerFrame = channels,
        .mBitsPerChannel = 8 * sizeof(SInt16),
    };
    AudioConverterRef encoder = make_encoder(&pcm, &aac);
    CFURLRef url = CFURLCreateFromFileSystemRepresentation(
        NULL, (const UInt8 *)argv[1], (CFIndex)strlen(argv[1]), false);
    check(AudioFileCreateWithURL(url, kAudioFileAAC_ADTSType, &aac, kAudioFileFlags_EraseFile, &file),
          "make the file");
    CFRelease(url);

    ring.unit = make_unit(&pcm, &ring);
    ring.wanted = (UInt32)(seconds * pcm.mSampleRate);
    check(AudioUnitInitialize(ring.unit), "initialize the I/O unit");
    check(AudioOutputUnitStart(ring.unit), "start the I/O unit");
    SInt64 packets = 0;
    while (atomic_load(&ring.added) < ring.wanted && atomic_load(&ring.failure) == noErr) {
        struct timespec pause = {.tv_nsec = 10000000};
        nanosleep(&pause, NULL);
        packets += write_packets(encoder, &ring, file, packets);
    }
    check(AudioOutputUnitStop(ring.unit), "stop the I/O unit");
    ring.is_at_end = 1;
    packets += write_packets(encoder, &ring, file, packets);
    check(AudioComponentInstanceDispose(ring.unit), "end the I/O unit");
    check(AudioConverterDispose(encoder), "end the encoder");
    check(AudioFileClose(file), "complete the file");
    check(atomic_load(&ring.failure), "fetch captured audio");
    printf("%lld packets of %u frames, %u frames lost\n", (long long)packets, (unsigned)aac.mFramesPerPacket,
           atomic_load(&ring.lost));
    return EXIT_SUCCESS;
}
