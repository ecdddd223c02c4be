/* SPDX-License-Identifier: MIT */

//
//  converter.c
//
//  Converts a file with AudioConverterFillComplexBuffer and the AudioFile calls around it.
//
//      converter INPUT OUTPUT [aac|alac|ima4|lpcm [RATE]]
//
//  AAC and ALAC go to M4A, IMA4 and PCM to CAF.
//
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    AudioFileID                  srcFile;
    SInt64                       srcPos;
    char                        *srcBuffer;
    UInt32                       srcBufferSize, srcSizePerPacket, numPacketsPerRead;
    AudioStreamBasicDescription  srcFormat;
    AudioStreamPacketDescription *packetDescriptions;
} AudioFileIO;

static void die(const char *what, OSStatus err)
{
    fprintf(stderr, "%s: %d ('%c%c%c%c')\n", what, (int)err, (char)(err >> 24), (char)(err >> 16), (char)(err >> 8), (char)err);
    exit(1);
}
#define TRY(call) { OSStatus e = call; if (e) die(#call, e); }

static OSStatus EncoderDataProc(AudioConverterRef converter, UInt32 *ioNumberDataPackets, AudioBufferList *ioData,
                                AudioStreamPacketDescription **outDataPacketDescription, void *inUserData)
{
    AudioFileIO *afio = (AudioFileIO *)inUserData;
    UInt32 outNumBytes = afio->srcBufferSize;

    if (*ioNumberDataPackets > afio->numPacketsPerRead) *ioNumberDataPackets = afio->numPacketsPerRead;
    OSStatus err = AudioFileReadPacketData(afio->srcFile, false, &outNumBytes, afio->packetDescriptions,
                                           afio->srcPos, ioNumberDataPackets, afio->srcBuffer);
    if (err == kAudioFileEndOfFileError) err = noErr;
    if (err) return err;
    afio->srcPos += *ioNumberDataPackets;

    ioData->mBuffers[0].mData = afio->srcBuffer;
    ioData->mBuffers[0].mDataByteSize = outNumBytes;
    ioData->mBuffers[0].mNumberChannels = afio->srcFormat.mChannelsPerFrame;
    if (outDataPacketDescription) *outDataPacketDescription = afio->packetDescriptions;
    return noErr;
}

static void ReadCookie(AudioFileID file, AudioConverterRef converter)
{
    UInt32 size = 0;
    if (AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, NULL) || size == 0) return;
    void *cookie = malloc(size);
    if (!AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &size, cookie))
        TRY(AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, size, cookie));
    free(cookie);
}

// Tells a decoder how many frames at its beginning are no sound. Returns the frames of sound at the output's rate, as
// the end is not the converter's to cut off, or 0 if the file does not tell.
static SInt64 ReadPacketTable(AudioFileID file, AudioConverterRef converter, const AudioStreamBasicDescription *src,
                              const AudioStreamBasicDescription *dst)
{
    AudioFilePacketTableInfo table;
    UInt32 size = sizeof(table);
    if (src->mBitsPerChannel != 0 || dst->mBitsPerChannel == 0) return 0;
    if (AudioFileGetProperty(file, kAudioFilePropertyPacketTableInfo, &size, &table)) return 0;
    AudioConverterPrimeInfo prime = {table.mPrimingFrames, 0};
    TRY(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, sizeof(prime), &prime));
    return (SInt64)(table.mNumberValidFrames * dst->mSampleRate / src->mSampleRate + 0.5);
}

static void WriteCookie(AudioConverterRef converter, AudioFileID file)
{
    UInt32 size = 0;
    if (AudioConverterGetPropertyInfo(converter, kAudioConverterCompressionMagicCookie, &size, NULL) || size == 0) return;
    void *cookie = malloc(size);
    if (!AudioConverterGetProperty(converter, kAudioConverterCompressionMagicCookie, &size, cookie))
        TRY(AudioFileSetProperty(file, kAudioFilePropertyMagicCookieData, size, cookie));
    free(cookie);
}

static void WritePacketTable(AudioConverterRef converter, AudioFileID file, AudioStreamBasicDescription *format,
                             SInt64 totalPackets)
{
    UInt32 isWritable, size;
    if (AudioFileGetPropertyInfo(file, kAudioFilePropertyPacketTableInfo, &size, &isWritable) || !isWritable) return;
    AudioConverterPrimeInfo prime = {0, 0};
    size = sizeof(prime);
    if (AudioConverterGetProperty(converter, kAudioConverterPrimeInfo, &size, &prime)) return;
    AudioFilePacketTableInfo table;
    table.mPrimingFrames = prime.leadingFrames;
    table.mRemainderFrames = prime.trailingFrames;
    table.mNumberValidFrames = totalPackets * format->mFramesPerPacket - prime.leadingFrames - prime.trailingFrames;
    if (AudioFileSetProperty(file, kAudioFilePropertyPacketTableInfo, sizeof(table), &table))
        fprintf(stderr, "no packet table\n");
}

static CFURLRef url(const char *path)
{
    return CFURLCreateFromFileSystemRepresentation(kCFAllocatorDefault, (UInt8 *)path, strlen(path), false);
}

int main(int argc, const char *argv[])
{
    AudioFileIO afio = {0};
    AudioStreamBasicDescription dst = {0};
    AudioFileID outFile;
    AudioConverterRef converter;
    UInt32 size;
    if (argc < 3) return 64;
    const char *kind = argc > 3 ? argv[3] : "aac";

    TRY(AudioFileOpenURL(url(argv[1]), kAudioFileReadPermission, 0, &afio.srcFile));
    size = sizeof(afio.srcFormat);
    TRY(AudioFileGetProperty(afio.srcFile, kAudioFilePropertyDataFormat, &size, &afio.srcFormat));

    dst.mSampleRate = argc > 4 ? atof(argv[4]) : afio.srcFormat.mSampleRate;
    dst.mChannelsPerFrame = afio.srcFormat.mChannelsPerFrame;
    AudioFileTypeID type = kAudioFileM4AType;
    if (!strcmp(kind, "lpcm")) {
        type = kAudioFileCAFType;
        dst.mFormatID = kAudioFormatLinearPCM;
        dst.mBitsPerChannel = 16;
        dst.mBytesPerPacket = dst.mBytesPerFrame = 2 * dst.mChannelsPerFrame;
        dst.mFramesPerPacket = 1;
        dst.mFormatFlags = kLinearPCMFormatFlagIsPacked | kLinearPCMFormatFlagIsSignedInteger;
    } else {
        if (!strcmp(kind, "ima4")) type = kAudioFileCAFType;
        dst.mFormatID = !strcmp(kind, "aac") ? kAudioFormatMPEG4AAC
            : !strcmp(kind, "alac") ? kAudioFormatAppleLossless : kAudioFormatAppleIMA4;
        size = sizeof(dst);
        TRY(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, NULL, &size, &dst));
    }

    TRY(AudioConverterNew(&afio.srcFormat, &dst, &converter));
    ReadCookie(afio.srcFile, converter);
    if (dst.mFormatID == kAudioFormatMPEG4AAC) {
        UInt32 rate = 96000, quality = kAudioConverterQuality_High;
        AudioConverterSetProperty(converter, kAudioConverterEncodeBitRate, sizeof(rate), &rate);
        AudioConverterSetProperty(converter, kAudioConverterCodecQuality, sizeof(quality), &quality);
    }
    size = sizeof(dst);
    TRY(AudioConverterGetProperty(converter, kAudioConverterCurrentOutputStreamDescription, &size, &dst));
    TRY(AudioFileCreateWithURL(url(argv[2]), type, &dst, kAudioFileFlags_EraseFile, &outFile));

    afio.srcBufferSize = 32768;
    afio.srcSizePerPacket = afio.srcFormat.mBytesPerPacket;
    if (afio.srcSizePerPacket == 0) {
        size = sizeof(afio.srcSizePerPacket);
        TRY(AudioFileGetProperty(afio.srcFile, kAudioFilePropertyPacketSizeUpperBound, &size, &afio.srcSizePerPacket));
        afio.numPacketsPerRead = afio.srcBufferSize / afio.srcSizePerPacket;
        afio.packetDescriptions = calloc(afio.numPacketsPerRead, sizeof(AudioStreamPacketDescription));
    } else
        afio.numPacketsPerRead = afio.srcBufferSize / afio.srcSizePerPacket;
    afio.srcBuffer = malloc(afio.srcBufferSize);

    UInt32 outSizePerPacket = dst.mBytesPerPacket, outBufferSize = 32768;
    AudioStreamPacketDescription *outDescs = NULL;
    if (outSizePerPacket == 0) {
        size = sizeof(outSizePerPacket);
        TRY(AudioConverterGetProperty(converter, kAudioConverterPropertyMaximumOutputPacketSize, &size, &outSizePerPacket));
        outDescs = calloc(outBufferSize / outSizePerPacket, sizeof(AudioStreamPacketDescription));
    }
    char *outBuffer = malloc(outBufferSize);
    WriteCookie(converter, outFile);

    SInt64 validFrames = ReadPacketTable(afio.srcFile, converter, &afio.srcFormat, &dst), outPos = 0;
    for (;;) {
        AudioBufferList list;
        list.mNumberBuffers = 1;
        list.mBuffers[0].mNumberChannels = dst.mChannelsPerFrame;
        list.mBuffers[0].mDataByteSize = outBufferSize;
        list.mBuffers[0].mData = outBuffer;
        UInt32 packets = outBufferSize / outSizePerPacket;
        TRY(AudioConverterFillComplexBuffer(converter, EncoderDataProc, &afio, &packets, &list, outDescs));
        if (packets == 0) break;
        if (validFrames != 0 && outPos + packets > validFrames) {
            packets = (UInt32)(validFrames - outPos);
            list.mBuffers[0].mDataByteSize = packets * dst.mBytesPerFrame;
            if (packets == 0) break;
        }
        TRY(AudioFileWritePackets(outFile, false, list.mBuffers[0].mDataByteSize, outDescs, outPos, &packets, outBuffer));
        outPos += packets;
    }
    if (dst.mBitsPerChannel == 0) WritePacketTable(converter, outFile, &dst, outPos);
    WriteCookie(converter, outFile);

    AudioConverterDispose(converter);
    TRY(AudioFileClose(outFile));
    AudioFileClose(afio.srcFile);
    printf("%lld packets\n", (long long)outPos);
    return 0;
}
