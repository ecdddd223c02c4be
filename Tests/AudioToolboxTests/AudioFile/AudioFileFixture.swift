// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing
import AQTestSupport

/// A folder of one test, with files that are written and read through the C interface, and closed with it.
@safe final class AudioFileFixture {
    private let scratch = ScratchFolder()
    private var files: [AudioFileID] = unsafe []
    var folder: URL { URL(filePath: scratch.path) }

    deinit {
        // The test may have closed them: another call has no effect.
        for index in unsafe files.indices { unsafe _ = AudioFileClose(files[index]) }
    }

    func url(_ name: String) -> URL { folder.appending(path: name) }

    /// Creates a file, which must succeed.
    func create(
        _ name: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription
    ) throws -> AudioFileID {
        var (format, file): (AudioStreamBasicDescription, AudioFileID?) = (format, nil)
        let status = unsafe AudioFileCreateWithURL(url(name) as CFURL, type, &format, .eraseFile, &file)
        expectEqual(status, noErr)
        return unsafe try kept(file)
    }

    func createPCM(_ name: String, _ type: AudioFileTypeID) throws -> AudioFileID {
        unsafe try create(name, type, Self.pcm(for: type))
    }

    /// Opens a file, which must succeed.
    func open(
        _ name: String, _ permissions: AudioFilePermissions = .readPermission
    ) throws -> AudioFileID {
        var file: AudioFileID?
        let status = unsafe AudioFileOpenURL(url(name) as CFURL, permissions, 0, &file)
        expectEqual(status, noErr)
        return unsafe try kept(file)
    }

    private func kept(_ file: AudioFileID?) throws -> AudioFileID {
        let file = unsafe try #require(unsafe file)
        unsafe files.append(file)
        return unsafe file
    }

    /// Opens a new file of a number of frames, whose samples count up.
    func openRamp(
        _ type: AudioFileTypeID, frames: Int, _ permissions: AudioFilePermissions = .readPermission
    ) throws -> AudioFileID {
        try writeRamp("sound", type, frames: frames)
        return unsafe try open("sound", permissions)
    }

    /// Writes a file of a number of frames, whose samples count up.
    func writeRamp(_ name: String, _ type: AudioFileTypeID, frames: Int) throws {
        let file = unsafe try create(name, type, Self.pcm(for: type))
        unsafe expectEqual(append(AudioFileFixture.ramp(frames: frames, for: type), to: file, at: 0), noErr)
        unsafe expectEqual(AudioFileClose(file), noErr)
    }

    /// Appends frames of two bytes.
    func append(_ bytes: [UInt8], to file: AudioFileID, at packet: Int64) -> OSStatus {
        var packets = UInt32(bytes.count / 2)
        return unsafe AudioFileWritePackets(
            file, false, UInt32(bytes.count), nil, packet, &packets, bytes)
    }

    /// Reads packets of two bytes, and returns the result.
    func read(
        _ file: AudioFileID, from packet: Int64, packets: Int
    ) -> (status: OSStatus, bytes: [UInt8], packets: Int) {
        var bytes = [UInt8](repeating: 0xEE, count: max(packets * 2, 1))
        var (byteCount, packetCount) = (UInt32(packets * 2), UInt32(packets))
        let status = unsafe AudioFileReadPacketData(
            file, false, &byteCount, nil, packet, &packetCount, &bytes)
        return (status, Array(bytes.prefix(Int(byteCount))), Int(packetCount))
    }

    /// A property of fixed size, and the result of reading it.
    func property<Value: BitwiseCopyable>(
        _ property: AudioFilePropertyID, of file: AudioFileID, _ value: Value
    ) -> (status: OSStatus, value: Value) {
        var value = value
        var byteCount = UInt32(MemoryLayout<Value>.size)
        let status = unsafe AudioFileGetProperty(file, property, &byteCount, &value)
        return (status, value)
    }

    /// One channel of 16 bits, in the byte order of a file type.
    static func pcm(for type: AudioFileTypeID) -> AudioStreamBasicDescription {
        let order = isBigEndian(type) ? kAudioFormatFlagIsBigEndian : 0
        return AudioStreamBasicDescription(
            mSampleRate: 44100, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | order,
            mBytesPerPacket: 2, mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1,
            mBitsPerChannel: 16, mReserved: 0)
    }

    /// Packets of any size, like AAC.
    static let packed = AudioStreamBasicDescription(
        mSampleRate: 44100, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
        mFramesPerPacket: 1024, mBytesPerFrame: 0, mChannelsPerFrame: 1, mBitsPerChannel: 0, mReserved: 0)

    static func ramp(frames: Int, for type: AudioFileTypeID) -> [UInt8] {
        (0..<frames).flatMap { frame -> [UInt8] in
            let (high, low) = (UInt8(frame >> 8 & 0xFF), UInt8(frame & 0xFF))
            return isBigEndian(type) ? [high, low] : [low, high]
        }
    }

    private static func isBigEndian(_ type: AudioFileTypeID) -> Bool { type == kAudioFileAIFFType }
}
