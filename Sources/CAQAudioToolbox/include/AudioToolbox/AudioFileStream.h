/* SPDX-License-Identifier: MIT */

/* Audio File Stream Services: a parser for the packets of a file that arrives in parts. */
#ifndef AUDIO_FILE_STREAM_H
#define AUDIO_FILE_STREAM_H

#include <AudioToolbox/AudioFile.h>
#include <CoreAudio/AudioCoreFoundation.h>

AUDIO_DECLARATIONS_BEGIN

/* A parser of a stream. */
typedef struct OpaqueAudioFileStreamID *AudioFileStreamID;
/* A property of a parser. */
typedef UInt32 AudioFileStreamPropertyID;

/* Whether a property stays readable after the call of its listener. */
AUDIO_OPTIONS(UInt32, AudioFileStreamPropertyFlags) {
    kAudioFileStreamPropertyFlag_PropertyIsCached = 1U << 0, /* the property stays readable */
    kAudioFileStreamPropertyFlag_CacheProperty = 1U << 1     /* the listener requests that it stays readable */
};

/* Flags of the bytes to be parsed. */
AUDIO_OPTIONS(UInt32, AudioFileStreamParseFlags) {
    kAudioFileStreamParseFlag_Discontinuity = 1U << 0 /* bytes are missing before these */
};

/* Flags of an offset in the stream. */
AUDIO_OPTIONS(UInt32, AudioFileStreamSeekFlags) {
    kAudioFileStreamSeekFlag_OffsetIsEstimated = 1U << 0 /* the offset is only near the packet */
};

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioFileStreamError_UnsupportedFileType = 'typ?',     /* the file type is unknown */
    kAudioFileStreamError_UnsupportedDataFormat = 'fmt?',   /* the format is unknown */
    kAudioFileStreamError_UnsupportedProperty = 'pty?',     /* there is no such property */
    kAudioFileStreamError_BadPropertySize = '!siz',         /* there is no room for the value */
    kAudioFileStreamError_NotOptimized = 'optm',            /* the header is after the audio */
    kAudioFileStreamError_InvalidPacketOffset = 'pck?',     /* the packet is outside the file */
    kAudioFileStreamError_InvalidFile = 'dta?',             /* the bytes are not of the stated file type */
    kAudioFileStreamError_ValueUnknown = 'unk?',            /* the header does not contain the value */
    kAudioFileStreamError_DataUnavailable = 'more',         /* the header has not been parsed to its end */
    kAudioFileStreamError_IllegalOperation = 'nope',        /* the call is not possible now */
    kAudioFileStreamError_UnspecifiedError = 'wht?',        /* any other error */
    kAudioFileStreamError_DiscontinuityCantRecover = 'dsc!' /* no packet can be found after a gap */
};

/* Properties; none can be set. */
AUDIO_CONSTANTS(AudioFileStreamPropertyID) {
    kAudioFileStreamProperty_ReadyToProducePackets = 'redy',     /* UInt32: 1 when packets come next */
    kAudioFileStreamProperty_FileFormat = 'ffmt',                /* AudioFileTypeID */
    kAudioFileStreamProperty_DataFormat = 'dfmt',                /* AudioStreamBasicDescription */
    kAudioFileStreamProperty_FormatList = 'flst',                /* AudioFormatListItem for each layer */
    kAudioFileStreamProperty_MagicCookieData = 'mgic',           /* bytes */
    kAudioFileStreamProperty_AudioDataByteCount = 'bcnt',        /* UInt64 */
    kAudioFileStreamProperty_AudioDataPacketCount = 'pcnt',      /* UInt64 */
    kAudioFileStreamProperty_MaximumPacketSize = 'psze',         /* UInt32: bytes */
    kAudioFileStreamProperty_DataOffset = 'doff',                /* SInt64: bytes into the file */
    kAudioFileStreamProperty_ChannelLayout = 'cmap',             /* AudioChannelLayout */
    kAudioFileStreamProperty_PacketToFrame = 'pkfr',             /* AudioFramePacketTranslation */
    kAudioFileStreamProperty_FrameToPacket = 'frpk',             /* AudioFramePacketTranslation */
    kAudioFileStreamProperty_RestrictsRandomAccess = 'rrap',     /* UInt32 */
    kAudioFileStreamProperty_PacketToRollDistance = 'pkrl',      /* AudioPacketRollDistanceTranslation */
    kAudioFileStreamProperty_PreviousIndependentPacket = 'pind', /* AudioIndependentPacketTranslation */
    kAudioFileStreamProperty_NextIndependentPacket = 'nind',     /* AudioIndependentPacketTranslation */
    kAudioFileStreamProperty_PacketToDependencyInfo = 'pkdp',    /* AudioPacketDependencyInfoTranslation */
    kAudioFileStreamProperty_PacketToByte = 'pkby',              /* AudioBytePacketTranslation */
    kAudioFileStreamProperty_ByteToPacket = 'bypk',              /* AudioBytePacketTranslation */
    kAudioFileStreamProperty_PacketTableInfo = 'pnfo',           /* AudioFilePacketTableInfo */
    kAudioFileStreamProperty_PacketSizeUpperBound = 'pkub',      /* UInt32: bytes */
    kAudioFileStreamProperty_AverageBytesPerPacket = 'abpp',     /* Float64 */
    kAudioFileStreamProperty_BitRate = 'brat',                   /* UInt32: bits a second */
    kAudioFileStreamProperty_InfoDictionary = 'info'             /* CFDictionaryRef; the caller releases it */
};

/* Called while bytes are parsed, when a property has become known. */
typedef void (*AudioFileStream_PropertyListenerProc)(
    void *inClientData, AudioFileStreamID inAudioFileStream, AudioFileStreamPropertyID inPropertyID,
    AudioFileStreamPropertyFlags *ioFlags);

/* Called with the packets in the parsed bytes; the data is valid during the call. */
typedef void (*AudioFileStream_PacketsProc)(
    void *inClientData, UInt32 inNumberBytes, UInt32 inNumberPackets, const void *inInputData,
    AudioStreamPacketDescription *_Nullable inPacketDescriptions);

/* Creates a parser. The hint is used only if the bytes do not determine the file type. */
OSStatus AudioFileStreamOpen(
    void *_Nullable inClientData, AudioFileStream_PropertyListenerProc inPropertyListenerProc,
    AudioFileStream_PacketsProc inPacketsProc, AudioFileTypeID inFileTypeHint,
    AudioFileStreamID _Nullable *_Nonnull outAudioFileStream);

/* Parses the next bytes, and calls both procedures; 0 bytes at NULL end the stream. */
OSStatus AudioFileStreamParseBytes(
    AudioFileStreamID inAudioFileStream, UInt32 inDataByteSize, const void *_Nullable inData,
    AudioFileStreamParseFlags inFlags);

/* Returns the offset of a packet in the audio data, and expects the bytes from there next. */
OSStatus AudioFileStreamSeek(
    AudioFileStreamID inAudioFileStream, SInt64 inPacketOffset, SInt64 *outDataByteOffset,
    AudioFileStreamSeekFlags *ioFlags);

/* Returns the size of a property's value, and whether the property can be set. */
OSStatus AudioFileStreamGetPropertyInfo(
    AudioFileStreamID inAudioFileStream, AudioFileStreamPropertyID inPropertyID,
    UInt32 *_Nullable outPropertyDataSize, Boolean *_Nullable outWritable) AUDIO_REFINED_FOR_SWIFT;

/* Copies a property's value into outPropertyData, which holds *ioPropertyDataSize bytes. */
OSStatus AudioFileStreamGetProperty(
    AudioFileStreamID inAudioFileStream, AudioFileStreamPropertyID inPropertyID, UInt32 *ioPropertyDataSize,
    void *outPropertyData);

/* Returns an error, because no property can be set. */
OSStatus AudioFileStreamSetProperty(
    AudioFileStreamID inAudioFileStream, AudioFileStreamPropertyID inPropertyID, UInt32 inPropertyDataSize,
    const void *inPropertyData);

/* Frees the parser. */
OSStatus AudioFileStreamClose(AudioFileStreamID inAudioFileStream);

AUDIO_DECLARATIONS_END

#endif
