// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import Testing

@testable import AQToolboxFunctions

/// An invalid file has a result, never a crash. The calls bypass the published types, which allow no NULL.
@Suite struct AudioFileHandleTests {
    /// Every function that takes a file, with otherwise valid arguments.
    private func results(_ file: AudioFileID?) -> [String: OSStatus] {
        var (first, second): (UInt32, UInt32) = (8, 1)
        var large: UInt64 = 0
        var bytes = [UInt8](repeating: 0, count: 64)
        var dependency = AudioStreamPacketDependencyDescription(
            mIsIndependentlyDecodable: 1, mPreRollCount: 0, mFlags: 0, mReserved: 0)
        let property = kAudioFilePropertyFileFormat
        return unsafe [
            "Close": audioFileClose(file),
            "Optimize": audioFileOptimize(file),
            "ReadBytes": audioFileReadBytes(file, false, 0, &first, &bytes),
            "WriteBytes": audioFileWriteBytes(file, false, 0, &first, bytes),
            "ReadPacketData": audioFileReadPacketData(file, false, &first, nil, 0, &second, &bytes),
            "ReadPackets": audioFileReadPackets(file, false, &first, nil, 0, &second, &bytes),
            "WritePackets": audioFileWritePackets(file, false, 2, nil, 0, &second, bytes),
            "WritePacketsWithDependencies": audioFileWritePacketsWithDependencies(
                file, false, 2, nil, &dependency, 0, &second, bytes),
            "CountUserData": audioFileCountUserData(file, 1, &first),
            "GetUserDataSize": audioFileGetUserDataSize(file, 1, 0, &first),
            "GetUserDataSize64": audioFileGetUserDataSize64(file, 1, 0, &large),
            "GetUserData": audioFileGetUserData(file, 1, 0, &first, &bytes),
            "GetUserDataAtOffset": audioFileGetUserDataAtOffset(file, 1, 0, 0, &first, &bytes),
            "SetUserData": audioFileSetUserData(file, 1, 0, 2, bytes),
            "RemoveUserData": audioFileRemoveUserData(file, 1, 0),
            "GetPropertyInfo": audioFileGetPropertyInfo(file, property, &first, nil),
            "GetProperty": audioFileGetProperty(file, property, &first, &bytes),
            "SetProperty": audioFileSetProperty(file, property, 4, bytes),
        ]
    }

    @Test("NULL is a wrong parameter of every function")
    func refusesNull() {
        for (name, status) in unsafe results(nil) { expectEqual(status, kAudio_ParamError, "\(name)") }
    }

    @Test("an unknown handle is not an open file")
    func refusesForeign() {
        for bits in [1, 8, 0x7FFF_FFFF_FFF0] {
            for (name, status) in unsafe results(OpaquePointer(bitPattern: bits)) {
                expectEqual(status, kAudioFileNotOpenError, "\(name) of \(bits)")
            }
        }
    }

    @Test("NULL is a wrong parameter for opening a file")
    func refusesNullToOpen() {
        var file: AudioFileID?
        var format = AudioStreamBasicDescription()
        unsafe expectEqual(audioFileOpenURL(nil, 1, 0, &file), kAudio_ParamError)
        unsafe expectEqual(
            audioFileCreateWithURL(nil, kAudioFileCAFType, &format, 0, &file), kAudio_ParamError)
        unsafe expectEqual(audioFileOpenWithCallbacks(nil, nil, nil, nil, nil, 0, &file), kAudio_ParamError)
        unsafe expectEqual(
            audioFileInitializeWithCallbacks(
                nil, nil, nil, nil, nil, kAudioFileCAFType, &format, 0, &file), kAudio_ParamError)
        expectEqual(audioFileOpenWithCallbacks(nil, nil, nil, nil, nil, 0, nil), kAudio_ParamError)
    }
}
