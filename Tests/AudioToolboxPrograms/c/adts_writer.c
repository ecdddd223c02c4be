/* SPDX-License-Identifier: MIT */

/* The second half of a capture program: sample buffers of PCM come in, as a capture session delivers them. An encoder
 * makes sample buffers of AAC packets, and a writer puts an ADTS header before each packet.
 *   adts_writer OUT.aac [SECONDS] */
#include <AudioToolbox/AudioToolbox.h>
#include <CoreMedia/CoreMedia.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 44100
#define CHUNK 1000

typedef void (*PacketHandler)(CMSampleBufferRef packet, void *context);

typedef struct {
    AudioConverterRef converter;
    CMAudioFormatDescriptionRef format; /* of the packets */
    UInt8 *pcm;                         /* not encoded so far */
    UInt32 pcmBytes, pcmUsed;
    UInt32 maxPacketSize;
    CMTime nextTime;
    PacketHandler handler;
    void *context;
} Encoder;

typedef struct {
    FILE *file;
    long packets;
    CMTime end;
} Writer;

static void fail(const char *what, OSStatus status) {
    fprintf(stderr, "%s: %d\n", what, (int)status);
    exit(1);
}

/* As in a capture session, a list of buffers becomes a sample buffer. */
static CMSampleBufferRef create_audio_sample_buffer(
    CMAudioFormatDescriptionRef format, const AudioBufferList *list, CMItemCount frames, CMTime pts) {
    const AudioStreamBasicDescription *asbd = CMAudioFormatDescriptionGetStreamBasicDescription(format);
    CMSampleTimingInfo timing = {CMTimeMake(1, (int32_t)asbd->mSampleRate), pts, kCMTimeInvalid};
    CMSampleBufferRef buffer = NULL;
    OSStatus status = CMSampleBufferCreate(
        kCFAllocatorDefault, NULL, false, NULL, NULL, format, frames, 1, &timing, 0, NULL, &buffer);
    if (status) fail("CMSampleBufferCreate", status);
    status = CMSampleBufferSetDataBufferFromAudioBufferList(
        buffer, kCFAllocatorDefault, kCFAllocatorDefault, 0, list);
    if (status) fail("CMSampleBufferSetDataBufferFromAudioBufferList", status);
    return buffer;
}

static OSStatus provide_pcm(
    AudioConverterRef converter, UInt32 *packets, AudioBufferList *list, AudioStreamPacketDescription **descriptions,
    void *user) {
    Encoder *encoder = user;
    UInt32 frames = (encoder->pcmBytes - encoder->pcmUsed) / 4;
    (void)converter, (void)descriptions;
    if (frames < *packets) {
        *packets = 0;
        return -1;
    }
    list->mBuffers[0].mData = encoder->pcm + encoder->pcmUsed;
    list->mBuffers[0].mDataByteSize = *packets * 4;
    list->mBuffers[0].mNumberChannels = 2;
    encoder->pcmUsed += *packets * 4;
    return noErr;
}

static void start_encoder(Encoder *encoder, const AudioStreamBasicDescription *input) {
    AudioStreamBasicDescription output = {0};
    output.mFormatID = kAudioFormatMPEG4AAC;
    output.mSampleRate = input->mSampleRate;
    output.mChannelsPerFrame = input->mChannelsPerFrame;
    output.mFramesPerPacket = 1024;
    OSStatus status = AudioConverterNew(input, &output, &encoder->converter);
    if (status) fail("AudioConverterNew", status);
    UInt32 size = sizeof encoder->maxPacketSize;
    AudioConverterGetProperty(
        encoder->converter, kAudioConverterPropertyMaximumOutputPacketSize, &size, &encoder->maxPacketSize);

    UInt8 cookie[1024];
    UInt32 cookieSize = sizeof cookie;
    if (AudioConverterGetProperty(encoder->converter, kAudioConverterCompressionMagicCookie, &cookieSize, cookie))
        cookieSize = 0;
    status = CMAudioFormatDescriptionCreate(
        kCFAllocatorDefault, &output, 0, NULL, cookieSize, cookie, NULL, &encoder->format);
    if (status) fail("CMAudioFormatDescriptionCreate", status);
}

static void encode(Encoder *encoder, CMSampleBufferRef buffer) {
    CMFormatDescriptionRef format = CMSampleBufferGetFormatDescription(buffer);
    if (CMFormatDescriptionGetMediaType(format) != kCMMediaType_Audio) return;
    if (!encoder->converter) {
        start_encoder(encoder, CMAudioFormatDescriptionGetStreamBasicDescription(format));
        encoder->nextTime = CMSampleBufferGetPresentationTimeStamp(buffer);
    }

    size_t needed = 0;
    CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(buffer, &needed, NULL, 0, NULL, NULL, 0, NULL);
    AudioBufferList *list = malloc(needed);
    CMBlockBufferRef block = NULL;
    OSStatus status = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        buffer, NULL, list, needed, kCFAllocatorDefault, kCFAllocatorDefault,
        kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment, &block);
    if (status) fail("CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer", status);
    UInt32 left = encoder->pcmBytes - encoder->pcmUsed;
    memmove(encoder->pcm, encoder->pcm + encoder->pcmUsed, left);
    encoder->pcm = realloc(encoder->pcm, left + list->mBuffers[0].mDataByteSize);
    memcpy(encoder->pcm + left, list->mBuffers[0].mData, list->mBuffers[0].mDataByteSize);
    encoder->pcmBytes = left + list->mBuffers[0].mDataByteSize;
    encoder->pcmUsed = 0;
    CFRelease(block);
    free(list);

    for (;;) {
        UInt8 *bytes = malloc(encoder->maxPacketSize);
        AudioBufferList output = {1, {{2, encoder->maxPacketSize, bytes}}};
        AudioStreamPacketDescription description = {0};
        UInt32 count = 1;
        status = AudioConverterFillComplexBuffer(encoder->converter, provide_pcm, encoder, &count, &output, &description);
        if (status || !count) {
            free(bytes);
            return;
        }
        /* The block buffer frees the packet. */
        CMBlockBufferRef data = NULL;
        status = CMBlockBufferCreateWithMemoryBlock(
            kCFAllocatorDefault, bytes, output.mBuffers[0].mDataByteSize, kCFAllocatorMalloc, NULL, 0,
            output.mBuffers[0].mDataByteSize, 0, &data);
        if (status) fail("CMBlockBufferCreateWithMemoryBlock", status);
        CMSampleBufferRef packet = NULL;
        status = CMAudioSampleBufferCreateReadyWithPacketDescriptions(
            kCFAllocatorDefault, data, encoder->format, 1, encoder->nextTime, &description, &packet);
        if (status) fail("CMAudioSampleBufferCreateReadyWithPacketDescriptions", status);
        encoder->nextTime = CMTimeAdd(encoder->nextTime, CMSampleBufferGetDuration(packet));
        encoder->handler(packet, encoder->context);
        CFRelease(packet);
        CFRelease(data);
    }
}

static void write_packet(CMSampleBufferRef packet, void *context) {
    Writer *writer = context;
    if (!CMSampleBufferDataIsReady(packet)) return;
    const AudioStreamBasicDescription *asbd =
        CMAudioFormatDescriptionGetStreamBasicDescription(CMSampleBufferGetFormatDescription(packet));
    size_t size = CMSampleBufferGetTotalSampleSize(packet), length = size + 7;
    int rateIndex = asbd->mSampleRate == 44100 ? 4 : 3, channels = (int)asbd->mChannelsPerFrame;
    UInt8 header[7] = {
        0xFF, 0xF1, (UInt8)(1 << 6 | rateIndex << 2 | channels >> 2),
        (UInt8)((channels & 3) << 6 | (int)(length >> 11)), (UInt8)(length >> 3), (UInt8)((length & 7) << 5 | 0x1F), 0xFC};
    size_t atOffset = 0, total = 0;
    char *data = NULL;
    CMBlockBufferRef block = CMSampleBufferGetDataBuffer(packet);
    OSStatus status = CMBlockBufferGetDataPointer(block, 0, &atOffset, &total, &data);
    if (status || atOffset != total || total != size) fail("CMBlockBufferGetDataPointer", status);
    fwrite(header, 1, sizeof header, writer->file);
    fwrite(data, 1, total, writer->file);
    writer->packets++;
    writer->end = CMTimeAdd(CMSampleBufferGetPresentationTimeStamp(packet), CMSampleBufferGetDuration(packet));
}

int main(int argc, char **argv) {
    if (argc < 2) return 64;
    double seconds = argc > 2 ? atof(argv[2]) : 1;
    Writer writer = {fopen(argv[1], "wb"), 0, kCMTimeZero};
    if (!writer.file) fail(argv[1], -1);
    Encoder encoder = {.handler = write_packet, .context = &writer};

    AudioStreamBasicDescription asbd = {
        RATE, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 4, 1, 4, 2, 16, 0};
    CMAudioFormatDescriptionRef format = NULL;
    OSStatus status = CMAudioFormatDescriptionCreate(
        kCFAllocatorDefault, &asbd, 0, NULL, 0, NULL, NULL, &format);
    if (status) fail("CMAudioFormatDescriptionCreate", status);

    CMTime pts = CMTimeMakeWithSeconds(100, RATE);
    for (long frame = 0; frame < (long)(seconds * RATE); frame += CHUNK) {
        SInt16 samples[CHUNK * 2];
        for (int i = 0; i < CHUNK; i++)
            samples[2 * i] = samples[2 * i + 1] = (SInt16)(16000 * sin(2 * M_PI * 440 * (double)(frame + i) / RATE));
        AudioBufferList list = {1, {{2, sizeof samples, samples}}};
        CMSampleBufferRef buffer = create_audio_sample_buffer(format, &list, CHUNK, pts);
        pts = CMTimeAdd(pts, CMSampleBufferGetDuration(buffer));
        encode(&encoder, buffer);
        CFRelease(buffer);
    }
    printf("%ld packets, from 100 s to %.3f s\n", writer.packets, CMTimeGetSeconds(writer.end));
    if (encoder.converter) AudioConverterDispose(encoder.converter);
    if (encoder.format) CFRelease(encoder.format);
    CFRelease(format);
    free(encoder.pcm);
    fclose(writer.file);
    return 0;
}
