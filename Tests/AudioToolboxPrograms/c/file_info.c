/* SPDX-License-Identifier: MIT */

/*
 * file_info.c
 *
 * Tells what a sound file is, as the properties of AudioFile and AudioFormat have it, or tags it.
 *
 *     file_info FILE                   print
 *     file_info FILE CODE TEXT         set the chunk CODE (four letters) of an AIFF, WAVE or CAF file
 */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static UInt32 FourCC(const char *s) { return (UInt32)s[0] << 24 | (UInt32)s[1] << 16 | (UInt32)s[2] << 8 | (UInt32)s[3]; }

static void PrintCode(const char *label, UInt32 code)
{
    printf("%s%c%c%c%c", label, (int)(code >> 24), (int)(code >> 16 & 255), (int)(code >> 8 & 255), (int)(code & 255));
}

static void PrintNumber(AudioFileID file, AudioFilePropertyID id, const char *label)
{
    UInt64 wide = 0;
    UInt32 size = 0;
    if (AudioFileGetPropertyInfo(file, id, &size, NULL) || size > sizeof wide) return;
    if (AudioFileGetProperty(file, id, &size, &wide)) return;
    printf("%s: %lld\n", label, size == 4 ? (long long)(SInt32)wide : (long long)wide);
}

static void PrintEntry(const void *key, const void *value, void *unused)
{
    char k[128], v[512];
    if (CFGetTypeID(value) == CFStringGetTypeID() && CFStringGetCString(key, k, sizeof k, kCFStringEncodingUTF8)
        && CFStringGetCString(value, v, sizeof v, kCFStringEncodingUTF8))
        printf("  %s = %s\n", k, v);
}

int main(int argc, char **argv)
{
    AudioFileID file;
    if (argc != 2 && (argc != 4 || strlen(argv[2]) != 4)) return 64;
    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)argv[1], strlen(argv[1]), false);
    OSStatus err = AudioFileOpenURL(url, argc == 4 ? kAudioFileReadWritePermission : kAudioFileReadPermission, 0, &file);
    CFRelease(url);
    if (err) {
        PrintCode("cannot open: ", err);
        printf("\n");
        return 1;
    }
    if (argc == 4) {
        err = AudioFileSetUserData(file, FourCC(argv[2]), 0, strlen(argv[3]), argv[3]);
        if (!err) err = AudioFileOptimize(file);
        AudioFileClose(file);
        return err ? 1 : 0;
    }

    UInt32 type = 0, size = sizeof type;
    AudioFileGetProperty(file, kAudioFilePropertyFileFormat, &size, &type);
    PrintCode("file type: ", type);
    CFStringRef name = NULL;
    size = sizeof name;
    char text[256] = "";
    if (!AudioFileGetGlobalInfo(kAudioFileGlobalInfo_FileTypeName, sizeof type, &type, &size, &name)) {
        CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8);
        CFRelease(name);
    }
    printf(" (%s)\n", text);

    AudioStreamBasicDescription asbd = {0};
    size = sizeof asbd;
    AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &asbd);
    printf("format: %u channels, %g Hz, ", (unsigned)asbd.mChannelsPerFrame, asbd.mSampleRate);
    PrintCode("'", asbd.mFormatID);
    printf("' flags %#x, %u bytes/packet, %u frames/packet\n", (unsigned)asbd.mFormatFlags,
           (unsigned)asbd.mBytesPerPacket, (unsigned)asbd.mFramesPerPacket);
    size = sizeof name;
    if (!AudioFormatGetProperty(kAudioFormatProperty_FormatName, sizeof asbd, &asbd, &size, &name)) {
        CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8);
        printf("format name: %s\n", text);
        CFRelease(name);
    }
    UInt32 isVBR = 0, framed = 0;
    size = sizeof isVBR;
    AudioFormatGetProperty(kAudioFormatProperty_FormatIsVBR, sizeof asbd, &asbd, &size, &isVBR);
    size = sizeof framed;
    AudioFormatGetProperty(kAudioFormatProperty_FormatIsExternallyFramed, sizeof asbd, &asbd, &size, &framed);
    printf("variable: %u, externally framed: %u\n", (unsigned)isVBR, (unsigned)framed);

    PrintNumber(file, kAudioFilePropertyAudioDataByteCount, "audio bytes");
    PrintNumber(file, kAudioFilePropertyAudioDataPacketCount, "audio packets");
    PrintNumber(file, kAudioFilePropertyMaximumPacketSize, "largest packet");
    PrintNumber(file, kAudioFilePropertyPacketSizeUpperBound, "packet bound");
    PrintNumber(file, kAudioFilePropertyDataOffset, "data offset");
    PrintNumber(file, kAudioFilePropertyBitRate, "bit rate");
    PrintNumber(file, kAudioFilePropertyIsOptimized, "optimized");
    PrintNumber(file, kAudioFilePropertySourceBitDepth, "source bits");
    Float64 duration = 0;
    size = sizeof duration;
    if (!AudioFileGetProperty(file, kAudioFilePropertyEstimatedDuration, &size, &duration))
        printf("duration: %.3f s\n", duration);

    AudioFilePacketTableInfo table;
    size = sizeof table;
    if (!AudioFileGetProperty(file, kAudioFilePropertyPacketTableInfo, &size, &table))
        printf("valid %lld, priming %d, remainder %d\n", (long long)table.mNumberValidFrames, (int)table.mPrimingFrames,
               (int)table.mRemainderFrames);
    AudioFramePacketTranslation frame = {.mFrame = 5000};
    size = sizeof frame;
    if (!AudioFileGetProperty(file, kAudioFilePropertyFrameToPacket, &size, &frame))
        printf("frame 5000: packet %lld + %u\n", (long long)frame.mPacket, (unsigned)frame.mFrameOffsetInPacket);

    if (!AudioFileGetPropertyInfo(file, kAudioFilePropertyFormatList, &size, NULL) && size) {
        AudioFormatListItem *items = malloc(size);
        if (!AudioFileGetProperty(file, kAudioFilePropertyFormatList, &size, items))
            for (UInt32 i = 0; i < size / sizeof *items; i++)
                PrintCode(i ? ", " : "formats: ", items[i].mASBD.mFormatID);
        printf("\n");
        free(items);
    }
    if (!AudioFileGetPropertyInfo(file, kAudioFilePropertyChannelLayout, &size, NULL) && size) {
        AudioChannelLayout *layout = malloc(size);
        if (!AudioFileGetProperty(file, kAudioFilePropertyChannelLayout, &size, layout)) {
            UInt32 nameSize = sizeof name;
            if (!AudioFormatGetProperty(kAudioFormatProperty_ChannelLayoutName, size, layout, &nameSize, &name)) {
                CFStringGetCString(name, text, sizeof text, kCFStringEncodingUTF8);
                printf("layout: %s\n", text);
                CFRelease(name);
            }
        }
        free(layout);
    }
    if (!AudioFileGetPropertyInfo(file, kAudioFilePropertyMarkerList, &size, NULL) && size) {
        AudioFileMarkerList *markers = malloc(size);
        if (!AudioFileGetProperty(file, kAudioFilePropertyMarkerList, &size, markers))
            for (UInt32 i = 0; i < markers->mNumberMarkers; i++) {
                text[0] = 0;
                if (markers->mMarkers[i].mName) {
                    CFStringGetCString(markers->mMarkers[i].mName, text, sizeof text, kCFStringEncodingUTF8);
                    CFRelease(markers->mMarkers[i].mName);
                }
                printf("marker %d at %.0f: %s\n", (int)markers->mMarkers[i].mMarkerID,
                       markers->mMarkers[i].mFramePosition, text);
            }
        free(markers);
    }
    if (!AudioFileGetPropertyInfo(file, kAudioFilePropertyChunkIDs, &size, NULL) && size) {
        OSType *ids = malloc(size);
        if (!AudioFileGetProperty(file, kAudioFilePropertyChunkIDs, &size, ids))
            for (UInt32 i = 0; i < size / sizeof *ids; i++) {
                UInt32 bytes = 0;
                AudioFileGetUserDataSize(file, ids[i], 0, &bytes);
                PrintCode("chunk ", ids[i]);
                printf(": %u bytes\n", (unsigned)bytes);
            }
        free(ids);
    }
    CFDictionaryRef info = NULL;
    size = sizeof info;
    if (!AudioFileGetProperty(file, kAudioFilePropertyInfoDictionary, &size, &info) && info) {
        printf("info:\n");
        CFDictionaryApplyFunction(info, PrintEntry, NULL);
        CFRelease(info);
    }
    AudioFileClose(file);
    return 0;
}
