// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing

@testable import AQToolboxFunctions

/// A file in memory, as a client would keep one.
private final class MemoryFile {
    var bytes: [UInt8] = []
    var readResult = noErr
    var writeResult = noErr
    var mostBytesPerCall = Int.max

    var clientData: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    static func at(_ clientData: UnsafeMutableRawPointer) -> MemoryFile {
        unsafe Unmanaged<MemoryFile>.fromOpaque(clientData).takeUnretainedValue()
    }
}

private func readMemory(
    _ clientData: UnsafeMutableRawPointer, _ position: Int64, _ count: UInt32,
    _ buffer: UnsafeMutableRawPointer, _ actual: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    let file = unsafe MemoryFile.at(clientData)
    let left = max(file.bytes.count - Int(position), 0)
    let part = file.bytes.dropFirst(Int(position)).prefix(min(Int(count), left, file.mostBytesPerCall))
    unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)).copyBytes(from: part)
    unsafe actual.pointee = UInt32(part.count)
    return file.readResult
}

private func writeMemory(
    _ clientData: UnsafeMutableRawPointer, _ position: Int64, _ count: UInt32, _ buffer: UnsafeRawPointer,
    _ actual: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    let file = unsafe MemoryFile.at(clientData)
    let written = min(Int(count), file.mostBytesPerCall)
    let end = Int(position) + written
    if file.bytes.count < end {
        file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count)
    }
    let new = unsafe UnsafeRawBufferPointer(start: buffer, count: written)
    unsafe file.bytes.replaceSubrange(Int(position)..<end, with: new)
    unsafe actual.pointee = UInt32(written)
    return file.writeResult
}

private func memorySize(_ clientData: UnsafeMutableRawPointer) -> Int64 {
    unsafe Int64(MemoryFile.at(clientData).bytes.count)
}

private func resizeMemory(_ clientData: UnsafeMutableRawPointer, _ bytes: Int64) -> OSStatus {
    let file = unsafe MemoryFile.at(clientData)
    file.bytes.removeLast(max(file.bytes.count - Int(bytes), 0))
    return noErr
}

@Suite struct AudioFileCallbackTests {
    @Test("a client's file is written and read through its procedures", arguments: [Int.max, 7])
    func goesThroughProcedures(mostBytesPerCall: Int) throws {
        let memory = MemoryFile()
        memory.bytes = [UInt8](repeating: 0xFF, count: 10_000)
        memory.mostBytesPerCall = mostBytesPerCall
        let file = unsafe try create(memory)
        #expect(memory.bytes.isEmpty)
        let ramp = AudioFileFixture.ramp(frames: 100, for: kAudioFileCAFType)
        var packets: UInt32 = 100
        unsafe expectEqual(AudioFileWritePackets(file, false, 200, nil, 0, &packets, ramp), noErr)
        unsafe expectEqual(AudioFileClose(file), noErr)
        #expect(memory.bytes.starts(with: "caff".utf8))

        let opened = unsafe try #require(try open(memory).file)
        var bytes = [UInt8](repeating: 0, count: 200)
        var byteCount: UInt32 = 200
        unsafe expectEqual(
            AudioFileReadPacketData(opened, false, &byteCount, nil, 0, &packets, &bytes), noErr)
        expectEqual(bytes, ramp)
        unsafe expectEqual(
            AudioFileWritePackets(opened, false, 2, nil, 100, &packets, ramp), kAudioFilePermissionsError)
        unsafe _ = AudioFileClose(opened)
        withExtendedLifetime(memory) {}
    }

    @Test("the client's own failure is the result")
    func tellsFailures() throws {
        let memory = MemoryFile()
        let file = unsafe try create(memory)
        memory.writeResult = -1234
        unsafe expectEqual(AudioFileClose(file), -1234)
        unsafe expectEqual(AudioFileClose(file), kAudioFileNotOpenError)
        memory.bytes = [UInt8](repeating: 0, count: 100)
        memory.readResult = -4321
        unsafe try expectEqual(open(memory).status, -4321)
        memory.readResult = noErr
        unsafe try expectEqual(open(memory).status, kAudioFileUnsupportedFileTypeError)
        memory.bytes = []
        unsafe try expectEqual(open(memory).status, kAudioFileUnsupportedFileTypeError)
    }

    @Test("a client's endless file is copied only as far as there is room")
    func limitsCopy() throws {
        let client = try unsafe ClientFile(
            nil,
            read: { _, _, count, _, actual in
                unsafe actual?.pointee = count
                return noErr
            },
            write: nil, getSize: { _ in .max }, setSize: nil)
        #expect(throws: StatusError(kAudioFileUnspecifiedError)) { try client.readAll(atMost: 200_000) }
        // Complete blocks; another would have been too much.
        let copied = try #require(FileBytes.open(path: client.path)).byteCount
        expectEqual(copied, 3 * 65_536)
    }

    private func create(_ memory: MemoryFile) throws -> AudioFileID {
        var format = AudioFileFixture.pcm(for: kAudioFileCAFType)
        var file: AudioFileID?
        let status = unsafe AudioFileInitializeWithCallbacks(
            memory.clientData, readMemory, writeMemory, memorySize, resizeMemory, kAudioFileCAFType, &format,
            [], &file)
        expectEqual(status, noErr)
        return unsafe try #require(unsafe file)
    }

    private func open(_ memory: MemoryFile) throws -> (status: OSStatus, file: AudioFileID?) {
        var file: AudioFileID?
        let status = unsafe AudioFileOpenWithCallbacks(
            memory.clientData, readMemory, nil, memorySize, nil, 0, &file)
        return unsafe (status, file)
    }
}
