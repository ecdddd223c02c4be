// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// Faulty input procedures, and requests that exceed one call.
@Suite struct ConverterInputTests {
    @Test("a procedure that removes the buffers fails the call without a crash")
    func takesBuffersAway() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let filled = unsafe fill(converter, frames: 10) { _, list in
            unsafe list.pointee.mNumberBuffers = 0
            return noErr
        }
        expectEqual(filled.status, kAudioConverterErr_InvalidInputSize)
        expectEqual(filled.frames, 0)
    }

    @Test("with 0 packets the buffers may be missing: that ends the stream")
    func takesBuffersAwayAtTheEnd() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let filled = unsafe fill(converter, frames: 10) { packets, list in
            unsafe packets.pointee = 0
            unsafe list.pointee.mNumberBuffers = 0
            return noErr
        }
        expectEqual(filled.status, noErr)
        expectEqual(filled.frames, 0)
    }

    @Test(
        "packets of varying size without bytes count as none, whatever their number is",
        .enabled(
            if: CodecAvailability.decoder(of: kAudioFormatMPEG4AAC).isAvailable, "no AAC decoder is installed"
        ))
    func givesNoBytes() {
        let aac = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 1, sampleRate: 48_000)
        let converter = ConverterCalls(from: aac, to: floats())
        let filled = unsafe fill(converter, frames: 10) { _, list in
            unsafe list.pointee.mBuffers.mDataByteSize = 0
            return noErr
        }
        expectEqual(filled.status, noErr)
        expectEqual(filled.frames, 0)
    }

    @Test("more input than fits the memory is requested in pieces")
    func asksInPieces() {
        let converter = ConverterCalls(from: floats(), to: shorts())
        let frames = (9 << 20) / 4
        let giver = HalvesGiver()
        var output = [Int16](repeating: 1, count: frames)
        var size = UInt32(frames * 2)
        let status = unsafe output.withUnsafeMutableBytes { memory in
            unsafe audioConverterFillBuffer(
                converter.handle, giveHalves, Unmanaged.passUnretained(giver).toOpaque(), &size,
                memory.baseAddress)
        }
        expectEqual(status, noErr)
        expectEqual(size, UInt32(frames * 2))
        #expect(output.allSatisfy { $0 == 16_384 })
        expectEqual(giver.asked, [8 << 20, 1 << 20])
    }

    /// Requests frames of one channel, of four bytes.
    private func fill(
        _ converter: ConverterCalls, frames: Int, _ give: @escaping InputAnswer.Give
    ) -> (status: OSStatus, frames: Int) {
        let answer = unsafe InputAnswer(give)
        var output = [Float](repeating: 9, count: frames)
        var count = UInt32(frames)
        let status = unsafe output.withUnsafeMutableBytes { memory in
            var list = unsafe AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(
                    mNumberChannels: 1, mDataByteSize: UInt32(memory.count), mData: memory.baseAddress))
            return unsafe audioConverterFillComplexBuffer(
                converter.handle, answerInput, Unmanaged.passUnretained(answer).toOpaque(), &count, &list,
                nil)
        }
        return (status, Int(count))
    }
}

/// The behaviour of an input procedure.
@safe private final class InputAnswer {
    typealias Give = (
        _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus

    let give: Give

    init(_ give: @escaping Give) { unsafe self.give = give }
}

private func answerInput(
    _ converter: AudioConverterRef, _ packets: UnsafeMutablePointer<UInt32>,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
    _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let context = unsafe context else { return kAudio_ParamError }
    return unsafe Unmanaged<InputAnswer>.fromOpaque(context).takeUnretainedValue().give(packets, list)
}

/// Fills the given memory, and records its size.
private final class HalvesGiver {
    var asked: [Int] = []
}

private func giveHalves(
    _ converter: AudioConverterRef, _ bytes: UnsafeMutablePointer<UInt32>,
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer>, _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let context = unsafe context else { return kAudio_ParamError }
    let count = unsafe Int(bytes.pointee)
    unsafe Unmanaged<HalvesGiver>.fromOpaque(context).takeUnretainedValue().asked.append(count)
    unsafe data.pointee.initializeMemory(as: Float.self, repeating: 0.5, count: count / 4)
    return noErr
}
