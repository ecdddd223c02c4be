import AudioToolbox
import Foundation
import Testing

/// The same for the services that read and write files.
extension SwiftFunctionTests {
    @Test("AudioFileStream.h has 7 functions of the published types") func audioFileStream() {
        let _:
            (
                UnsafeMutableRawPointer?, AudioFileStream_PropertyListenerProc, AudioFileStream_PacketsProc,
                AudioFileTypeID, UnsafeMutablePointer<AudioFileStreamID?>
            ) -> OSStatus = unsafe AudioFileStreamOpen
        let _:
            (
                AudioFileStreamID, UInt32, UnsafeRawPointer?, AudioFileStreamParseFlags
            ) -> OSStatus = unsafe AudioFileStreamParseBytes
        let _:
            (
                AudioFileStreamID, Int64, UnsafeMutablePointer<Int64>,
                UnsafeMutablePointer<AudioFileStreamSeekFlags>
            ) -> OSStatus = unsafe AudioFileStreamSeek
        let _:
            (
                AudioFileStreamID, AudioFileStreamPropertyID, UnsafeMutablePointer<UInt32>?,
                UnsafeMutablePointer<DarwinBoolean>?
            ) -> OSStatus = unsafe AudioFileStreamGetPropertyInfo
        let _:
            (
                AudioFileStreamID, AudioFileStreamPropertyID, UnsafeMutablePointer<UInt32>,
                UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioFileStreamGetProperty
        let _:
            (
                AudioFileStreamID, AudioFileStreamPropertyID, UInt32, UnsafeRawPointer
            ) -> OSStatus = unsafe AudioFileStreamSetProperty
        let _: (AudioFileStreamID) -> OSStatus = unsafe AudioFileStreamClose
    }

    @Test("ExtendedAudioFile.h has 12 functions of the published types") func extendedAudioFile() {
        let _: (CFURL, UnsafeMutablePointer<ExtAudioFileRef?>) -> OSStatus = unsafe ExtAudioFileOpenURL
        let _:
            (
                AudioFileID, Bool, UnsafeMutablePointer<ExtAudioFileRef?>
            ) -> OSStatus = unsafe ExtAudioFileWrapAudioFileID
        let _:
            (
                CFURL, AudioFileTypeID, UnsafePointer<AudioStreamBasicDescription>,
                UnsafePointer<AudioChannelLayout>?, UInt32, UnsafeMutablePointer<ExtAudioFileRef?>
            ) -> OSStatus = unsafe ExtAudioFileCreateWithURL
        let _: (ExtAudioFileRef) -> OSStatus = unsafe ExtAudioFileDispose
        let _:
            (
                ExtAudioFileRef, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<AudioBufferList>
            ) -> OSStatus = unsafe ExtAudioFileRead
        let _: (ExtAudioFileRef, UInt32, UnsafePointer<AudioBufferList>) -> OSStatus =
            unsafe ExtAudioFileWrite
        let _:
            (
                ExtAudioFileRef, UInt32, UnsafePointer<AudioBufferList>?
            ) -> OSStatus = unsafe ExtAudioFileWriteAsync
        let _: (ExtAudioFileRef, Int64) -> OSStatus = unsafe ExtAudioFileSeek
        let _: (ExtAudioFileRef, UnsafeMutablePointer<Int64>) -> OSStatus = unsafe ExtAudioFileTell
        let _:
            (
                ExtAudioFileRef, ExtAudioFilePropertyID, UnsafeMutablePointer<UInt32>?,
                UnsafeMutablePointer<DarwinBoolean>?
            ) -> OSStatus = unsafe ExtAudioFileGetPropertyInfo
        let _:
            (
                ExtAudioFileRef, ExtAudioFilePropertyID, UnsafeMutablePointer<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe ExtAudioFileGetProperty
        let _:
            (
                ExtAudioFileRef, ExtAudioFilePropertyID, UInt32, UnsafeRawPointer
            ) -> OSStatus = unsafe ExtAudioFileSetProperty
    }

    @Test("AudioFile.h has 24 functions of the published types") func audioFile() {
        let _:
            (
                CFURL, AudioFileTypeID, UnsafePointer<AudioStreamBasicDescription>, AudioFileFlags,
                UnsafeMutablePointer<AudioFileID?>
            ) -> OSStatus = unsafe AudioFileCreateWithURL
        let _:
            (
                CFURL, AudioFilePermissions, AudioFileTypeID, UnsafeMutablePointer<AudioFileID?>
            ) -> OSStatus = unsafe AudioFileOpenURL
        let _:
            (
                UnsafeMutableRawPointer, AudioFile_ReadProc, AudioFile_WriteProc, AudioFile_GetSizeProc,
                AudioFile_SetSizeProc, AudioFileTypeID, UnsafePointer<AudioStreamBasicDescription>,
                AudioFileFlags,
                UnsafeMutablePointer<AudioFileID?>
            ) -> OSStatus = unsafe AudioFileInitializeWithCallbacks
        let _:
            (
                UnsafeMutableRawPointer, AudioFile_ReadProc, AudioFile_WriteProc?, AudioFile_GetSizeProc,
                AudioFile_SetSizeProc?, AudioFileTypeID, UnsafeMutablePointer<AudioFileID?>
            ) -> OSStatus = unsafe AudioFileOpenWithCallbacks
        let _: (AudioFileID) -> OSStatus = unsafe AudioFileClose
        let _: (AudioFileID) -> OSStatus = unsafe AudioFileOptimize
        let _:
            (
                AudioFileID, Bool, Int64, UnsafeMutablePointer<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioFileReadBytes
        let _:
            (
                AudioFileID, Bool, Int64, UnsafeMutablePointer<UInt32>, UnsafeRawPointer
            ) -> OSStatus = unsafe AudioFileWriteBytes
        let _:
            (
                AudioFileID, Bool, UnsafeMutablePointer<UInt32>,
                UnsafeMutablePointer<AudioStreamPacketDescription>?, Int64, UnsafeMutablePointer<UInt32>,
                UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioFileReadPacketData
        let _:
            (
                AudioFileID, Bool, UnsafeMutablePointer<UInt32>,
                UnsafeMutablePointer<AudioStreamPacketDescription>?, Int64, UnsafeMutablePointer<UInt32>,
                UnsafeMutableRawPointer?
            ) -> OSStatus = unsafe AudioFileReadPackets
        let _:
            (
                AudioFileID, Bool, UInt32, UnsafePointer<AudioStreamPacketDescription>?, Int64,
                UnsafeMutablePointer<UInt32>, UnsafeRawPointer
            ) -> OSStatus = unsafe AudioFileWritePackets
        let _:
            (
                AudioFileID, Bool, UInt32, UnsafePointer<AudioStreamPacketDescription>?,
                UnsafePointer<AudioStreamPacketDependencyDescription>, Int64, UnsafeMutablePointer<UInt32>,
                UnsafeRawPointer
            ) -> OSStatus = unsafe AudioFileWritePacketsWithDependencies
        let _: (AudioFileID, UInt32, UnsafeMutablePointer<UInt32>) -> OSStatus = unsafe AudioFileCountUserData
        let _:
            (
                AudioFileID, UInt32, UInt32, UnsafeMutablePointer<UInt32>
            ) -> OSStatus = unsafe AudioFileGetUserDataSize
        let _:
            (
                AudioFileID, UInt32, UInt32, UnsafeMutablePointer<UInt64>
            ) -> OSStatus = unsafe AudioFileGetUserDataSize64
        let _:
            (
                AudioFileID, UInt32, UInt32, UnsafeMutablePointer<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioFileGetUserData
        let _:
            (
                AudioFileID, UInt32, UInt32, Int64, UnsafeMutablePointer<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioFileGetUserDataAtOffset
        let _: (AudioFileID, UInt32, UInt32, UInt32, UnsafeRawPointer) -> OSStatus =
            unsafe AudioFileSetUserData
        let _: (AudioFileID, UInt32, UInt32) -> OSStatus = unsafe AudioFileRemoveUserData
        let _:
            (
                AudioFileID, AudioFilePropertyID, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<UInt32>?
            ) -> OSStatus = unsafe AudioFileGetPropertyInfo
        let _:
            (
                AudioFileID, AudioFilePropertyID, UnsafeMutablePointer<UInt32>, UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioFileGetProperty
        let _:
            (
                AudioFileID, AudioFilePropertyID, UInt32, UnsafeRawPointer
            ) -> OSStatus = unsafe AudioFileSetProperty
        let _:
            (
                AudioFilePropertyID, UInt32, UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt32>
            ) -> OSStatus = unsafe AudioFileGetGlobalInfoSize
        let _:
            (
                AudioFilePropertyID, UInt32, UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt32>,
                UnsafeMutableRawPointer
            ) -> OSStatus = unsafe AudioFileGetGlobalInfo
    }

    @Test("the helpers have the published types") func helpers() {
        let _: (AudioChannelLayoutTag) -> UInt32 = AudioChannelLayoutTag_GetNumberOfChannels
        let _: (Int) -> Int = NumBytesToNumAudioFileMarkers
        let _: (Int) -> Int = NumAudioFileMarkersToNumBytes
        let _: (UnsafePointer<AudioFileRegion>) -> UnsafeMutablePointer<AudioFileRegion> =
            unsafe NextAudioFileRegion
    }
}
