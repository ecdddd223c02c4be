/* Audio File Services: opens and creates files, reads and writes their packets and properties. */
#ifndef AUDIO_FILE_H
#define AUDIO_FILE_H

#include <AudioToolbox/AudioFileProperties.h>
#include <AudioToolbox/AudioFileTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* Reads bytes of a file that the client keeps. */
typedef OSStatus (*AudioFile_ReadProc)(
    void *inClientData, SInt64 inPosition, UInt32 requestCount, void *buffer, UInt32 *actualCount);

/* Writes bytes of a file that the client keeps. */
typedef OSStatus (*AudioFile_WriteProc)(
    void *inClientData, SInt64 inPosition, UInt32 requestCount, const void *buffer, UInt32 *actualCount);

/* Tells how many bytes the client's file has. */
typedef SInt64 (*AudioFile_GetSizeProc)(void *inClientData);

/* Cuts the client's file, or lets it grow. */
typedef OSStatus (*AudioFile_SetSizeProc)(void *inClientData, SInt64 inSize);

/* Creates a file for audio of a format. */
OSStatus AudioFileCreateWithURL(
    CFURLRef inFileRef, AudioFileTypeID inFileType, const AudioStreamBasicDescription *inFormat,
    AudioFileFlags inFlags, AudioFileID _Nullable *_Nonnull outAudioFile);

/* Opens a file; a hint of 0 leaves its type to be found out. */
OSStatus AudioFileOpenURL(
    CFURLRef inFileRef, AudioFilePermissions inPermissions, AudioFileTypeID inFileTypeHint,
    AudioFileID _Nullable *_Nonnull outAudioFile);

/* Creates a file that the client keeps, in place of what it holds. */
OSStatus AudioFileInitializeWithCallbacks(
    void *inClientData, AudioFile_ReadProc inReadFunc, AudioFile_WriteProc inWriteFunc,
    AudioFile_GetSizeProc inGetSizeFunc, AudioFile_SetSizeProc inSetSizeFunc, AudioFileTypeID inFileType,
    const AudioStreamBasicDescription *inFormat, AudioFileFlags inFlags,
    AudioFileID _Nullable *_Nonnull outAudioFile);

/* Opens a file that the client keeps; for reading alone if there are no procedures to write with. */
OSStatus AudioFileOpenWithCallbacks(
    void *inClientData, AudioFile_ReadProc inReadFunc, AudioFile_WriteProc _Nullable inWriteFunc,
    AudioFile_GetSizeProc inGetSizeFunc, AudioFile_SetSizeProc _Nullable inSetSizeFunc,
    AudioFileTypeID inFileTypeHint, AudioFileID _Nullable *_Nonnull outAudioFile);

/* Completes and closes the file. */
OSStatus AudioFileClose(AudioFileID inAudioFile);

/* Moves the audio data to the end of the file, where it can grow. */
OSStatus AudioFileOptimize(AudioFileID inAudioFile);

/* Reads bytes of the audio data. */
OSStatus AudioFileReadBytes(
    AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte, UInt32 *ioNumBytes, void *outBuffer);

/* Writes bytes of the audio data. */
OSStatus AudioFileWriteBytes(
    AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte, UInt32 *ioNumBytes,
    const void *inBuffer);

/* Reads as many whole packets as are asked for and fit. */
OSStatus AudioFileReadPacketData(
    AudioFileID inAudioFile, Boolean inUseCache, UInt32 *ioNumBytes,
    AudioStreamPacketDescription *_Nullable outPacketDescriptions, SInt64 inStartingPacket,
    UInt32 *ioNumPackets, void *_Nullable outBuffer);

/* Reads packets into a buffer that must have room for all. AudioFileReadPacketData has taken its place. */
OSStatus AudioFileReadPackets(
    AudioFileID inAudioFile, Boolean inUseCache, UInt32 *outNumBytes,
    AudioStreamPacketDescription *_Nullable outPacketDescriptions, SInt64 inStartingPacket,
    UInt32 *ioNumPackets, void *_Nullable outBuffer);

/* Writes packets. */
OSStatus AudioFileWritePackets(
    AudioFileID inAudioFile, Boolean inUseCache, UInt32 inNumBytes,
    const AudioStreamPacketDescription *_Nullable inPacketDescriptions, SInt64 inStartingPacket,
    UInt32 *ioNumPackets, const void *inBuffer);

/* Writes packets, and what each needs of those before it. */
OSStatus AudioFileWritePacketsWithDependencies(
    AudioFileID inAudioFile, Boolean inUseCache, UInt32 inNumBytes,
    const AudioStreamPacketDescription *_Nullable inPacketDescriptions,
    const AudioStreamPacketDependencyDescription *inPacketDependencies, SInt64 inStartingPacket,
    UInt32 *ioNumPackets, const void *inBuffer);

/* Counts the chunks of a kind. */
OSStatus AudioFileCountUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 *outNumberItems);

/* Tells how many bytes a chunk holds. */
OSStatus AudioFileGetUserDataSize(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt32 *outUserDataSize);

/* Tells how many bytes a chunk holds that may be beyond 4 GB. */
OSStatus AudioFileGetUserDataSize64(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt64 *outUserDataSize);

/* Reads a chunk's content. */
OSStatus AudioFileGetUserData(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt32 *ioUserDataSize, void *outUserData);

/* Reads a part of a chunk's content. */
OSStatus AudioFileGetUserDataAtOffset(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, SInt64 inOffset, UInt32 *ioUserDataSize,
    void *outUserData);

/* Writes a chunk's content. */
OSStatus AudioFileSetUserData(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt32 inUserDataSize,
    const void *inUserData);

/* Removes a chunk. */
OSStatus AudioFileRemoveUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex);

/* Tells how many bytes a property's value has, and whether it can be set. */
OSStatus AudioFileGetPropertyInfo(
    AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 *_Nullable outDataSize,
    UInt32 *_Nullable isWritable);

/* Copies a property's value into outPropertyData, which holds *ioDataSize bytes. */
OSStatus AudioFileGetProperty(
    AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 *ioDataSize, void *outPropertyData);

/* Changes a property. */
OSStatus AudioFileSetProperty(
    AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 inDataSize, const void *inPropertyData);

/* Tells how many bytes a property of the kinds of files has. */
OSStatus AudioFileGetGlobalInfoSize(
    AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize, void *_Nullable inSpecifier,
    UInt32 *outDataSize);

/* Copies the value of a property of the kinds of files. */
OSStatus AudioFileGetGlobalInfo(
    AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize, void *_Nullable inSpecifier, UInt32 *ioDataSize,
    void *outPropertyData);

AUDIO_DECLARATIONS_END

#endif
