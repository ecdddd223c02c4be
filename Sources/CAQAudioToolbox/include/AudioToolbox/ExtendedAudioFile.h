/* SPDX-License-Identifier: MIT */

/* Extended Audio File Services: a file and a converter in one object, for clients that use linear PCM. */
#ifndef EXTENDED_AUDIO_FILE_H
#define EXTENDED_AUDIO_FILE_H

#include <AudioToolbox/AudioConverter.h>
#include <AudioToolbox/AudioFile.h>

AUDIO_DECLARATIONS_BEGIN

/* An open file, and its converter. */
typedef struct OpaqueExtAudioFile *ExtAudioFileRef;
/* A property of an extended audio file. */
typedef UInt32 ExtAudioFilePropertyID;

/* Properties. */
AUDIO_CONSTANTS(ExtAudioFilePropertyID) {
    kExtAudioFileProperty_FileDataFormat = 'ffmt',      /* AudioStreamBasicDescription */
    kExtAudioFileProperty_FileChannelLayout = 'fclo',   /* AudioChannelLayout */
    kExtAudioFileProperty_ClientDataFormat = 'cfmt',    /* AudioStreamBasicDescription: linear PCM */
    kExtAudioFileProperty_ClientChannelLayout = 'cclo', /* AudioChannelLayout */
    kExtAudioFileProperty_CodecManufacturer = 'cman',   /* UInt32; set before the client's format */
    kExtAudioFileProperty_AudioConverter = 'acnv',      /* AudioConverterRef; must not be freed */
    kExtAudioFileProperty_AudioFile = 'afil',           /* AudioFileID; must not be closed */
    kExtAudioFileProperty_FileMaxPacketSize = 'fmps',   /* UInt32: bytes */
    kExtAudioFileProperty_ClientMaxPacketSize = 'cmps', /* UInt32: bytes */
    kExtAudioFileProperty_FileLengthFrames = '#frm',    /* SInt64 */
    kExtAudioFileProperty_ConverterConfig = 'accf',     /* CFArrayRef of settings, or NULL; set only */
    kExtAudioFileProperty_IOBufferSizeBytes = 'iobs',   /* UInt32: bytes */
    kExtAudioFileProperty_IOBuffer = 'iobf',            /* the address of the client's buffer, or NULL */
    kExtAudioFileProperty_PacketTable = 'xpti'          /* AudioFilePacketTableInfo */
};

/* A property of this library alone. */
AUDIO_CONSTANTS(ExtAudioFilePropertyID) {
    /* UInt64: packets read since the file was opened that could not be decoded and became silence; read only. */
    kExtAudioFileProperty_DamagedPacketCount = 'AQdp'
};

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    /* The codec has become unavailable; the input is used up. */
    kExtAudioFileError_CodecUnavailableInputConsumed = -66559,
    kExtAudioFileError_CodecUnavailableInputNotConsumed = -66560, /* the codec has become unavailable; try again */
    kExtAudioFileError_InvalidProperty = -66561,         /* no such property, or not of this file */
    kExtAudioFileError_InvalidPropertySize = -66562,     /* the value has another size */
    kExtAudioFileError_NonPCMClientFormat = -66563,      /* the client's format is not PCM */
    kExtAudioFileError_InvalidChannelMap = -66564,       /* a layout of another number of channels, or unknown */
    kExtAudioFileError_InvalidOperationOrder = -66565,   /* the operation is not possible now */
    kExtAudioFileError_InvalidDataFormat = -66566,       /* linear PCM without a sample rate */
    kExtAudioFileError_MaxPacketSizeUnknown = -66567,    /* the encoder has not been made */
    kExtAudioFileError_InvalidSeek = -66568,             /* outside the valid frames, or the file is written */
    kExtAudioFileError_AsyncWriteTooLarge = -66569,      /* more frames than the ring can hold */
    kExtAudioFileError_AsyncWriteBufferOverflow = -66570 /* the ring is full now; try again */
};

/* Opens a file for reading. */
OSStatus ExtAudioFileOpenURL(CFURLRef inURL, ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

/* Wraps an open file for reading or writing; the caller still has to close the file. */
OSStatus ExtAudioFileWrapAudioFileID(
    AudioFileID inFileID, Boolean inForWriting, ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

/* Creates a file for audio of a format. */
OSStatus ExtAudioFileCreateWithURL(
    CFURLRef inURL, AudioFileTypeID inFileType, const AudioStreamBasicDescription *inStreamDesc,
    const AudioChannelLayout *_Nullable inChannelLayout, UInt32 inFlags,
    ExtAudioFileRef _Nullable *_Nonnull outExtAudioFile);

/* Completes and closes the file, unless it was wrapped. */
OSStatus ExtAudioFileDispose(ExtAudioFileRef inExtAudioFile);

/* Reads frames in the client's format; 0 frames at the end of the file. */
OSStatus ExtAudioFileRead(ExtAudioFileRef inExtAudioFile, UInt32 *ioNumberFrames, AudioBufferList *ioData);

/* Writes frames in the client's format. */
OSStatus ExtAudioFileWrite(
    ExtAudioFileRef inExtAudioFile, UInt32 inNumberFrames, const AudioBufferList *ioData);

/* Passes the frames to a thread that writes them, without waiting. */
OSStatus ExtAudioFileWriteAsync(
    ExtAudioFileRef inExtAudioFile, UInt32 inNumberFrames, const AudioBufferList *_Nullable ioData);

/* Sets the position to a frame, counted at the file's rate. */
OSStatus ExtAudioFileSeek(ExtAudioFileRef inExtAudioFile, SInt64 inFrameOffset);

/* Returns the number of the next frame, counted at the file's rate. */
OSStatus ExtAudioFileTell(ExtAudioFileRef inExtAudioFile, SInt64 *outFrameOffset);

/* Returns the size of a property's value, and whether the property can be set. */
OSStatus ExtAudioFileGetPropertyInfo(
    ExtAudioFileRef inExtAudioFile, ExtAudioFilePropertyID inPropertyID, UInt32 *_Nullable outSize,
    Boolean *_Nullable outWritable) AUDIO_REFINED_FOR_SWIFT;

/* Copies a property's value into outPropertyData, which holds *ioPropertyDataSize bytes. */
OSStatus ExtAudioFileGetProperty(
    ExtAudioFileRef inExtAudioFile, ExtAudioFilePropertyID inPropertyID, UInt32 *ioPropertyDataSize,
    void *outPropertyData);

/* Sets a property. */
OSStatus ExtAudioFileSetProperty(
    ExtAudioFileRef inExtAudioFile, ExtAudioFilePropertyID inPropertyID, UInt32 inPropertyDataSize,
    const void *inPropertyData);

AUDIO_DECLARATIONS_END

#endif
