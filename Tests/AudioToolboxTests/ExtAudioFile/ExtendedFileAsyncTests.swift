// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

@Suite struct ExtendedFileAsyncTests {
    private let folder = ScratchFolder()

    @Test("frames passed to the thread are in the file, in order, once the file is disposed of")
    func writesAll() {
        let path = folder.file("a.wav")
        let file = ExtendedFileCalls(writing: path, kAudioFileWAVEType, shorts())
        expectEqual(file.primeAsync(), noErr)
        expectEqual(file.primeAsync(), noErr)
        var sound: [Int16] = []
        // Longer than the ring, so that it wraps around.
        for block in 0..<600 {
            let frames = (0..<499).map { Int16(truncatingIfNeeded: block &* 31 &+ $0) }
            var status = file.write(frames, isAsync: true)
            while status == kExtAudioFileError_AsyncWriteBufferOverflow {
                status = file.write(frames, isAsync: true)
            }
            expectEqual(status, noErr)
            sound += frames
        }
        expectEqual(file.write([1, 2, 3] as [Int16]), kExtAudioFileError_InvalidOperationOrder)
        expectEqual(
            file.set(kExtAudioFileProperty_ClientDataFormat, floats()),
            kExtAudioFileError_InvalidOperationOrder)
        expectEqual(file.dispose(), noErr)
        let written = ExtendedFileCalls(reading: path)
        expectEqual(written.length, Int64(sound.count))
        expectEqual(written.readAll(of: 0 as Int16, block: 4096), sound)
    }

    @Test(
        "a file prepared for the thread can also be written by its caller, and the thread's frames follow"
    )
    func writesAfterPriming() {
        let path = folder.file("d.wav")
        let file = ExtendedFileCalls(writing: path, kAudioFileWAVEType, shorts())
        expectEqual(file.primeAsync(), noErr)
        expectEqual(file.write([1, 2] as [Int16]), noErr)
        expectEqual(file.primeAsync(), noErr)
        expectEqual(file.write([3] as [Int16]), noErr)
        expectEqual(file.write([4, 5] as [Int16], isAsync: true), noErr)
        expectEqual(file.write([6] as [Int16]), kExtAudioFileError_InvalidOperationOrder)
        expectEqual(file.dispose(), noErr)
        expectEqual(ExtendedFileCalls(reading: path).readAll(of: 0 as Int16), [1, 2, 3, 4, 5])
    }

    @Test("more frames than the ring can hold are refused, and none is written")
    func refusesTooMuch() {
        let path = folder.file("b.wav")
        let file = ExtendedFileCalls(writing: path, kAudioFileWAVEType, shorts())
        expectEqual(file.primeAsync(), noErr)
        let much = [Int16](repeating: 1, count: 1_000_000)
        expectEqual(file.write(much, isAsync: true), kExtAudioFileError_AsyncWriteTooLarge)
        expectEqual(file.write([7, 8] as [Int16], isAsync: true), noErr)
        expectEqual(file.dispose(), noErr)
        expectEqual(ExtendedFileCalls(reading: path).readAll(of: 0 as Int16), [7, 8])
    }

    @Test("a failing write is reported by the next call or, if there is none, at the end")
    func tellsFailures() {
        let writer = unsafe AsyncFileWriter(format: shorts(), frames: 16) { _, _ in kAudioFileUnspecifiedError
        }
        #expect(writer.start())
        expectEqual(add([1, 2], to: writer), noErr)
        expectEqual(writer.finish(), kAudioFileUnspecifiedError)
    }

    @Test("a full ring accepts nothing more until some of it is written")
    func overflows() {
        // No thread takes anything out.
        let writer = unsafe AsyncFileWriter(format: shorts(), frames: 4) { _, _ in noErr }
        expectEqual(add([1, 2, 3], to: writer), noErr)
        expectEqual(add([4, 5], to: writer), kExtAudioFileError_AsyncWriteBufferOverflow)
        expectEqual(add([4], to: writer), noErr)
        expectEqual(add([1, 2, 3, 4, 5], to: writer), kExtAudioFileError_AsyncWriteTooLarge)
    }

    private func add(_ sound: [Int16], to writer: AsyncFileWriter) -> OSStatus {
        var sound = sound
        return unsafe sound.withUnsafeMutableBufferPointer { sound in
            var list = unsafe AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(sound, numberOfChannels: 1))
            return unsafe withUnsafeMutablePointer(to: &list) {
                unsafe writer.add(frames: sound.count, from: UnsafeMutableAudioBufferListPointer($0))
            }
        }
    }
}
