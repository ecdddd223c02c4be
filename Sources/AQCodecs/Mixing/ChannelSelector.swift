// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A step that copies samples of any type to other positions in the frame, bit for bit.
struct ChannelSelector: Sendable {
    private let containerBytes: Int
    private let inputs: Int
    private let map: [Int]
    /// The bytes of a silent sample: zeros, or the middle of the range of unsigned integers.
    private let silence: [UInt8]

    /// Prepares to copy samples of `format`.
    ///
    /// - Parameter map: The input channel for each output channel, -1 for silence.
    init(of format: AudioStreamBasicDescription, inputs: Int, map: [Int]) throws(CodecError) {
        let sample = try SampleLayout(of: format)
        containerBytes = sample.containerBytes
        self.inputs = inputs
        self.map = map
        var mono = format
        mono.mChannelsPerFrame = 1
        mono.mBytesPerFrame = UInt32(containerBytes)
        mono.mBytesPerPacket = UInt32(containerBytes)
        let converter = try LinearPCMConverter(
            from: .float(channels: 1, sampleRate: format.mSampleRate), to: mono)
        var silence = [UInt8](repeating: 0, count: containerBytes)
        try unsafe silence.withUnsafeMutableBufferPointer {
            (silence: inout UnsafeMutableBufferPointer<UInt8>) throws(CodecError) in
            let zero: Float = 0
            var failure: CodecError?
            unsafe withUnsafeBytes(of: zero) { zero in
                do throws(CodecError) {
                    try unsafe converter.convert(zero, into: UnsafeMutableRawBufferPointer(silence))
                } catch { failure = error }
            }
            if let failure { throw failure }
        }
        self.silence = silence
    }

    /// Copies `frames` frames.
    ///
    /// SAFETY: the caller has checked that both memories hold the frames and do not overlap.
    @unsafe
    func select(frames: Int, from: UnsafeRawPointer, to: UnsafeMutableRawPointer) {
        switch containerBytes {
        case 1: unsafe select(UInt8.self, frames, from, to)
        case 2: unsafe select(UInt16.self, frames, from, to)
        case 4: unsafe select(UInt32.self, frames, from, to)
        case 8: unsafe select(UInt64.self, frames, from, to)
        default: unsafe selectBytes(frames, from, to)
        }
    }

    @inline(__always)
    private func select<Word: FixedWidthInteger & BitwiseCopyable>(
        _: Word.Type, _ frames: Int, _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer
    ) {
        let bytes = MemoryLayout<Word>.size
        let (inputStride, outputStride) = (inputs &* bytes, map.count &* bytes)
        for (output, input) in map.enumerated() {
            let target = unsafe to + output &* bytes
            if input < 0 {
                let silence = unsafe silence.withUnsafeBytes { unsafe $0.loadUnaligned(as: Word.self) }
                for frame in 0..<frames {
                    unsafe target.storeBytes(of: silence, toByteOffset: frame &* outputStride, as: Word.self)
                }
            } else {
                let source = unsafe from + input &* bytes
                for frame in 0..<frames {
                    let word = unsafe source.loadUnaligned(
                        fromByteOffset: frame &* inputStride, as: Word.self)
                    unsafe target.storeBytes(of: word, toByteOffset: frame &* outputStride, as: Word.self)
                }
            }
        }
    }

    private func selectBytes(_ frames: Int, _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) {
        let (inputStride, outputStride) = (inputs &* containerBytes, map.count &* containerBytes)
        for (output, input) in map.enumerated() {
            for frame in 0..<frames {
                let target = unsafe to + (frame &* outputStride &+ output &* containerBytes)
                for byte in 0..<containerBytes {
                    let value =
                        unsafe input < 0
                        ? silence[byte]
                        : (from + (frame &* inputStride &+ input &* containerBytes &+ byte))
                            .load(as: UInt8.self)
                    unsafe (target + byte).storeBytes(of: value, as: UInt8.self)
                }
            }
        }
    }
}
