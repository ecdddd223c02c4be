// SPDX-License-Identifier: MIT

import AudioToolbox
import Foundation
import Testing

/// The same for the services that read and write files.
extension SwiftFunctionTests {
    @Test("AudioFileStream.h has 7 functions of the published types") func audioFileStream() {
        let _:
            (
                UnsafeMutableRawPointer?, AudioFileStream_PropertyListenerProc, AudioFileStream_PacketsProc,
                AudioFileTypeID, Out<AudioFileStreamID?>
            ) -> OSStatus = unsafe AudioFileStreamOpen
        let _: (AudioFileStreamID, UInt32, UnsafeRawPointer?, AudioFileStreamParseFlags) -> OSStatus =
            unsafe AudioFileStreamParseBytes
        let _: (AudioFileStreamID, Int64, Out<Int64>, Out<AudioFileStreamSeekFlags>) -> OSStatus =
            unsafe AudioFileStreamSeek
        let _: (AudioFileStreamID, AudioFileStreamPropertyID, Out<UInt32>?, Out<DarwinBoolean>?) -> OSStatus =
            unsafe AudioFileStreamGetPropertyInfo
        let _:
            (
                AudioFileStreamID, AudioFileStreamPropertyID, Out<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioFileStreamGetProperty
        let _: (AudioFileStreamID, AudioFileStreamPropertyID, UInt32, UnsafeRawPointer) -> OSStatus =
            unsafe AudioFileStreamSetProperty
        let _: (AudioFileStreamID) -> OSStatus = unsafe AudioFileStreamClose
    }

    @Test("ExtendedAudioFile.h has 12 functions of the published types") func extendedAudioFile() {
        let _: (CFURL, Out<ExtAudioFileRef?>) -> OSStatus = unsafe ExtAudioFileOpenURL
        let _: (AudioFileID, Bool, Out<ExtAudioFileRef?>) -> OSStatus = unsafe ExtAudioFileWrapAudioFileID
        let _:
            (
                CFURL, AudioFileTypeID, In<Format>, In<AudioChannelLayout>?, UInt32, Out<ExtAudioFileRef?>
            ) -> OSStatus = unsafe ExtAudioFileCreateWithURL
        let _: (ExtAudioFileRef) -> OSStatus = unsafe ExtAudioFileDispose
        let _: (ExtAudioFileRef, Out<UInt32>, Out<AudioBufferList>) -> OSStatus = unsafe ExtAudioFileRead
        let _: (ExtAudioFileRef, UInt32, In<AudioBufferList>) -> OSStatus = unsafe ExtAudioFileWrite
        let _: (ExtAudioFileRef, UInt32, In<AudioBufferList>?) -> OSStatus = unsafe ExtAudioFileWriteAsync
        let _: (ExtAudioFileRef, Int64) -> OSStatus = unsafe ExtAudioFileSeek
        let _: (ExtAudioFileRef, Out<Int64>) -> OSStatus = unsafe ExtAudioFileTell
        let _: (ExtAudioFileRef, ExtAudioFilePropertyID, Out<UInt32>?, Out<DarwinBoolean>?) -> OSStatus =
            unsafe ExtAudioFileGetPropertyInfo
        let _: (ExtAudioFileRef, ExtAudioFilePropertyID, Out<UInt32>, UnsafeMutableRawPointer) -> OSStatus =
            unsafe ExtAudioFileGetProperty
        let _: (ExtAudioFileRef, ExtAudioFilePropertyID, UInt32, UnsafeRawPointer) -> OSStatus =
            unsafe ExtAudioFileSetProperty
    }

    @Test("AudioFile.h has 24 functions of the published types") func audioFile() {
        let _: (CFURL, AudioFileTypeID, In<Format>, AudioFileFlags, Out<AudioFileID?>) -> OSStatus =
            unsafe AudioFileCreateWithURL
        let _: (CFURL, AudioFilePermissions, AudioFileTypeID, Out<AudioFileID?>) -> OSStatus =
            unsafe AudioFileOpenURL
        let _:
            (
                UnsafeMutableRawPointer, AudioFile_ReadProc, AudioFile_WriteProc, AudioFile_GetSizeProc,
                AudioFile_SetSizeProc, AudioFileTypeID, In<Format>, AudioFileFlags, Out<AudioFileID?>
            ) -> OSStatus = unsafe AudioFileInitializeWithCallbacks
        let _:
            (
                UnsafeMutableRawPointer, AudioFile_ReadProc, AudioFile_WriteProc?, AudioFile_GetSizeProc,
                AudioFile_SetSizeProc?, AudioFileTypeID, Out<AudioFileID?>
            ) -> OSStatus = unsafe AudioFileOpenWithCallbacks
        let _: (AudioFileID) -> OSStatus = unsafe AudioFileClose
        let _: (AudioFileID) -> OSStatus = unsafe AudioFileOptimize
        let _: (AudioFileID, Bool, Int64, Out<UInt32>, UnsafeMutableRawPointer) -> OSStatus =
            unsafe AudioFileReadBytes
        let _: (AudioFileID, Bool, Int64, Out<UInt32>, UnsafeRawPointer) -> OSStatus =
            unsafe AudioFileWriteBytes
        let _:
            (
                AudioFileID, Bool, Out<UInt32>, Out<AudioStreamPacketDescription>?, Int64, Out<UInt32>,
                UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioFileReadPacketData
        let _:
            (
                AudioFileID, Bool, Out<UInt32>, Out<AudioStreamPacketDescription>?, Int64, Out<UInt32>,
                UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioFileReadPackets
        let _:
            (
                AudioFileID, Bool, UInt32, In<AudioStreamPacketDescription>?, Int64, Out<UInt32>,
                UnsafeRawPointer
            ) -> OSStatus = unsafe AudioFileWritePackets
        let _:
            (
                AudioFileID, Bool, UInt32, In<AudioStreamPacketDescription>?,
                In<AudioStreamPacketDependencyDescription>, Int64, Out<UInt32>, UnsafeRawPointer
            ) -> OSStatus = unsafe AudioFileWritePacketsWithDependencies
        let _: (AudioFileID, UInt32, Out<UInt32>) -> OSStatus = unsafe AudioFileCountUserData
        let _: (AudioFileID, UInt32, UInt32, Out<UInt32>) -> OSStatus = unsafe AudioFileGetUserDataSize
        let _: (AudioFileID, UInt32, UInt32, Out<UInt64>) -> OSStatus = unsafe AudioFileGetUserDataSize64
        let _: (AudioFileID, UInt32, UInt32, Out<UInt32>, UnsafeMutableRawPointer) -> OSStatus =
            unsafe AudioFileGetUserData
        let _: (AudioFileID, UInt32, UInt32, Int64, Out<UInt32>, UnsafeMutableRawPointer) -> OSStatus =
            unsafe AudioFileGetUserDataAtOffset
        let _: (AudioFileID, UInt32, UInt32, UInt32, UnsafeRawPointer) -> OSStatus =
            unsafe AudioFileSetUserData
        let _: (AudioFileID, UInt32, UInt32) -> OSStatus = unsafe AudioFileRemoveUserData
        let _: (AudioFileID, AudioFilePropertyID, Out<UInt32>?, Out<UInt32>?) -> OSStatus =
            unsafe AudioFileGetPropertyInfo
        let _: (AudioFileID, AudioFilePropertyID, Out<UInt32>, UnsafeMutableRawPointer) -> OSStatus =
            unsafe AudioFileGetProperty
        let _: (AudioFileID, AudioFilePropertyID, UInt32, UnsafeRawPointer) -> OSStatus =
            unsafe AudioFileSetProperty
        let _: (AudioFilePropertyID, UInt32, UnsafeMutableRawPointer?, Out<UInt32>) -> OSStatus =
            unsafe AudioFileGetGlobalInfoSize
        let _:
            (
                AudioFilePropertyID, UInt32, UnsafeMutableRawPointer?, Out<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioFileGetGlobalInfo
    }

    @Test("the helpers have the published types") func helpers() {
        let _: (AudioChannelLayoutTag) -> UInt32 = AudioChannelLayoutTag_GetNumberOfChannels
        let _: (Int) -> Int = NumBytesToNumAudioFileMarkers
        let _: (Int) -> Int = NumAudioFileMarkersToNumBytes
        let _: (In<AudioFileRegion>) -> Out<AudioFileRegion> = unsafe NextAudioFileRegion
    }
}
