/* SPDX-License-Identifier: MIT */

/* Audio File Services: the packets and properties of audio files. */
#ifndef AUDIO_FILE_H
#define AUDIO_FILE_H

#include <AudioToolbox/AudioFileProperties.h>
#include <AudioToolbox/AudioFileTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* Reads bytes from the client's file. */
typedef OSStatus (*AudioFile_ReadProc)(
    void *inClientData, SInt64 inPosition, UInt32 requestCount, void *buffer, UInt32 *actualCount);

/* Writes bytes to the client's file. */
typedef OSStatus (*AudioFile_WriteProc)(
    void *inClientData, SInt64 inPosition, UInt32 requestCount, const void *buffer, UInt32 *actualCount);

/* Returns the size of the client's file in bytes. */
typedef SInt64 (*AudioFile_GetSizeProc)(void *inClientData);

/* Sets the size of the client's file. */
typedef OSStatus (*AudioFile_SetSizeProc)(void *inClientData, SInt64 inSize);

/* Creates a file for audio of a format. */
OSStatus AudioFileCreateWithURL(
    CFURLRef inFileRef, AudioFileTypeID inFileType, const AudioStreamBasicDescription *inFormat,
    AudioFileFlags inFlags, AudioFileID _Nullable *_Nonnull outAudioFile);

/* Opens a file. Its bytes determine the file type; the hint is used only if they are the same for several types. */
OSStatus AudioFileOpenURL(
    CFURLRef inFileRef, AudioFilePermissions inPermissions, AudioFileTypeID inFileTypeHint,
    AudioFileID _Nullable *_Nonnull outAudioFile);

/* Creates a file that the client stores through procedures. */
OSStatus AudioFileInitializeWithCallbacks(
    void *inClientData, AudioFile_ReadProc inReadFunc, AudioFile_WriteProc inWriteFunc,
    AudioFile_GetSizeProc inGetSizeFunc, AudioFile_SetSizeProc inSetSizeFunc, AudioFileTypeID inFileType,
    const AudioStreamBasicDescription *inFormat, AudioFileFlags inFlags,
    AudioFileID _Nullable *_Nonnull outAudioFile);

/* Opens a file that the client provides through procedures; for reading if those for writing are NULL. */
OSStatus AudioFileOpenWithCallbacks(
    void *inClientData, AudioFile_ReadProc inReadFunc, AudioFile_WriteProc _Nullable inWriteFunc,
    AudioFile_GetSizeProc inGetSizeFunc, AudioFile_SetSizeProc _Nullable inSetSizeFunc,
    AudioFileTypeID inFileTypeHint, AudioFileID _Nullable *_Nonnull outAudioFile);

/* Completes and closes the file. */
OSStatus AudioFileClose(AudioFileID inAudioFile);

/* Moves the audio data to the end of the file. */
OSStatus AudioFileOptimize(AudioFileID inAudioFile);

/* Reads bytes of the audio data. */
OSStatus AudioFileReadBytes(
    AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte, UInt32 *ioNumBytes, void *outBuffer);

/* Writes bytes of the audio data. */
OSStatus AudioFileWriteBytes(
    AudioFileID inAudioFile, Boolean inUseCache, SInt64 inStartingByte, UInt32 *ioNumBytes,
    const void *inBuffer);

/* Reads as many whole packets as are requested and fit. */
OSStatus AudioFileReadPacketData(
    AudioFileID inAudioFile, Boolean inUseCache, UInt32 *ioNumBytes,
    AudioStreamPacketDescription *_Nullable outPacketDescriptions, SInt64 inStartingPacket,
    UInt32 *ioNumPackets, void *_Nullable outBuffer);

/* Reads packets into a buffer with room for all packets. Replaced by AudioFileReadPacketData. */
OSStatus AudioFileReadPackets(
    AudioFileID inAudioFile, Boolean inUseCache, UInt32 *outNumBytes,
    AudioStreamPacketDescription *_Nullable outPacketDescriptions, SInt64 inStartingPacket,
    UInt32 *ioNumPackets, void *_Nullable outBuffer);

/* Writes packets. */
OSStatus AudioFileWritePackets(
    AudioFileID inAudioFile, Boolean inUseCache, UInt32 inNumBytes,
    const AudioStreamPacketDescription *_Nullable inPacketDescriptions, SInt64 inStartingPacket,
    UInt32 *ioNumPackets, const void *inBuffer);

/* Writes packets with their dependencies on earlier packets. */
OSStatus AudioFileWritePacketsWithDependencies(
    AudioFileID inAudioFile, Boolean inUseCache, UInt32 inNumBytes,
    const AudioStreamPacketDescription *_Nullable inPacketDescriptions,
    const AudioStreamPacketDependencyDescription *inPacketDependencies, SInt64 inStartingPacket,
    UInt32 *ioNumPackets, const void *inBuffer);

/* Counts the chunks of a type. */
OSStatus AudioFileCountUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 *outNumberItems);

/* Returns the size of a chunk's contents in bytes. */
OSStatus AudioFileGetUserDataSize(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt32 *outUserDataSize);

/* Returns the size of a chunk's contents in bytes, also above 4 GB. */
OSStatus AudioFileGetUserDataSize64(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt64 *outUserDataSize);

/* Reads a chunk's contents. */
OSStatus AudioFileGetUserData(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt32 *ioUserDataSize, void *outUserData);

/* Reads a part of a chunk's contents. */
OSStatus AudioFileGetUserDataAtOffset(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, SInt64 inOffset, UInt32 *ioUserDataSize,
    void *outUserData);

/* Sets a chunk's contents. */
OSStatus AudioFileSetUserData(
    AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex, UInt32 inUserDataSize,
    const void *inUserData);

/* Removes a chunk. */
OSStatus AudioFileRemoveUserData(AudioFileID inAudioFile, UInt32 inUserDataID, UInt32 inIndex);

/* Returns the size of a property's value, and whether the property can be set. */
OSStatus AudioFileGetPropertyInfo(
    AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 *_Nullable outDataSize,
    UInt32 *_Nullable isWritable);

/* Copies a property's value into outPropertyData, which holds *ioDataSize bytes. */
OSStatus AudioFileGetProperty(
    AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 *ioDataSize, void *outPropertyData);

/* Sets a property. */
OSStatus AudioFileSetProperty(
    AudioFileID inAudioFile, AudioFilePropertyID inPropertyID, UInt32 inDataSize, const void *inPropertyData);

/* Returns the size of a property of file types in bytes. */
OSStatus AudioFileGetGlobalInfoSize(
    AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize, void *_Nullable inSpecifier,
    UInt32 *outDataSize);

/* Copies the value of a property of file types. */
OSStatus AudioFileGetGlobalInfo(
    AudioFilePropertyID inPropertyID, UInt32 inSpecifierSize, void *_Nullable inSpecifier, UInt32 *ioDataSize,
    void *outPropertyData);

AUDIO_DECLARATIONS_END

#endif
