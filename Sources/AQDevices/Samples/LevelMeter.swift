// SPDX-License-Identifier: MIT

import Synchronization

/// The peak and RMS of every channel in blocks of 20 ms, kept until they are audible.
///
/// The device's thread writes; any thread reads. Each value is one atomic word, so a reader may get an old value but
/// never a partial one.
@safe final class LevelMeter: @unchecked Sendable {
    // SAFETY: the memory is written and read through atomics only and lives as long as the meter; only the device's
    // thread uses the accumulating fields.

    private static let blocks = 256
    private let channels: Int
    private let blockFrames: Int
    /// For each block: the frame after its last one, then one word per channel with the peak and the mean square.
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let wordsPerBlock: Int
    private let nextBlock = Atomic<Int>(0)
    private let isOn = Atomic<Bool>(false)

    private let peaks: UnsafeMutablePointer<Float>
    private let squares: UnsafeMutablePointer<Float>
    private var accumulatedFrames = 0

    init(channels: Int, sampleRate: Double) {
        self.channels = channels
        blockFrames = max(1, Int(sampleRate / 50))
        wordsPerBlock = channels + 1
        let wordCount = wordsPerBlock * LevelMeter.blocks
        unsafe words = .allocate(capacity: wordCount)
        for index in 0..<wordCount { unsafe (words + index).initialize(to: Atomic(0)) }
        unsafe peaks = .allocate(capacity: channels)
        unsafe peaks.initialize(repeating: 0, count: channels)
        unsafe squares = .allocate(capacity: channels)
        unsafe squares.initialize(repeating: 0, count: channels)
    }

    deinit {
        unsafe words.deinitialize(count: wordsPerBlock * LevelMeter.blocks)
        unsafe words.deallocate()
        unsafe peaks.deallocate()
        unsafe squares.deallocate()
    }

    func setOn(_ on: Bool) { isOn.store(on, ordering: .relaxed) }

    /// Clears all measurements. Device's thread. REAL-TIME.
    @_noLocks func clear() {
        accumulatedFrames = 0
        var channel = 0
        while channel < channels {
            unsafe peaks[channel] = 0
            unsafe squares[channel] = 0
            channel &+= 1
        }
        nextBlock.store(0, ordering: .releasing)
    }

    /// Measures the frames that end before `endFrame`. REAL-TIME.
    ///
    /// - Parameters:
    ///   - data: Nil for silence.
    ///   - gain: The gain that the samples will get.
    @_noLocks func measure(
        _ data: UnsafeRawPointer?, frames: Int, encoding: SampleFormat.Encoding, gain: Float = 1,
        endFrame: Int64
    ) {
        guard isOn.load(ordering: .relaxed) else { return }
        // Integer samples are clipped at full scale when the gain is applied.
        let limit: Float =
            switch encoding {
            case .float32: .greatestFiniteMagnitude
            case .signed16, .signed24, .signed32, .unsigned8: 1
            }
        var frame = 0
        while frame < frames {
            var channel = 0
            while channel < channels {
                let index = frame &* channels &+ channel
                var value: Float = 0
                if let data = unsafe data {
                    value = min(
                        limit, abs(unsafe SampleKernels.value(data, index, encoding: encoding) * gain))
                }
                unsafe peaks[channel] = max(peaks[channel], value)
                unsafe squares[channel] += value * value
                channel &+= 1
            }
            frame &+= 1
            accumulatedFrames &+= 1
            if accumulatedFrames == blockFrames { finishBlock(endFrame &- Int64(frames &- frame)) }
        }
    }

    @_noLocks private func finishBlock(_ endFrame: Int64) {
        let block = nextBlock.load(ordering: .relaxed)
        let base = (block % LevelMeter.blocks) &* wordsPerBlock
        var channel = 0
        while channel < channels {
            // The mean square is stored; the reader takes its root.
            let meanSquare = unsafe squares[channel] / Float(accumulatedFrames)
            let peak = unsafe peaks[channel]
            let word = UInt64(peak.bitPattern) << 32 | UInt64(meanSquare.bitPattern)
            unsafe words[base &+ 1 &+ channel].store(word, ordering: .relaxed)
            unsafe peaks[channel] = 0
            unsafe squares[channel] = 0
            channel &+= 1
        }
        unsafe words[base].store(UInt64(bitPattern: endFrame), ordering: .releasing)
        nextBlock.store(block &+ 1, ordering: .releasing)
        accumulatedFrames = 0
    }

    /// The levels of the block that contains `frame`, before gain; empty if metering is off.
    func levels(at frame: Double) -> [ChannelLevel] {
        let newest = nextBlock.load(ordering: .acquiring)
        var found: Int?
        for back in 1...LevelMeter.blocks where newest - back >= 0 {
            let base = ((newest - back) % LevelMeter.blocks) * wordsPerBlock
            let end = Double(Int64(bitPattern: unsafe words[base].load(ordering: .acquiring)))
            // The newest block is also used for the later frames, which do not fill a block, and for positions of
            // devices whose clock is up to a period ahead of their requests.
            if end < frame && (back > 1 || end + 2 * Double(blockFrames) < frame) { break }
            found = base
            if end - Double(blockFrames) <= frame { break }
        }
        return levels(ofBlockAt: found)
    }

    /// The levels of the newest whole block, for capture, where the newest frames are the current ones. Empty if
    /// metering is off.
    func newestLevels() -> [ChannelLevel] {
        let newest = nextBlock.load(ordering: .acquiring)
        return levels(ofBlockAt: newest > 0 ? ((newest - 1) % LevelMeter.blocks) * wordsPerBlock : nil)
    }

    /// The levels during silence; empty if metering is off.
    func silence() -> [ChannelLevel] { levels(ofBlockAt: nil) }

    /// The levels in the words at `base`; silence for nil. Empty if metering is off.
    private func levels(ofBlockAt base: Int?) -> [ChannelLevel] {
        guard isOn.load(ordering: .relaxed) else { return [] }
        guard let base else { return .init(repeating: ChannelLevel(rms: 0, peak: 0), count: channels) }
        return (0..<channels).map { channel in
            let word = unsafe words[base + 1 + channel].load(ordering: .relaxed)
            return ChannelLevel(
                rms: Float(bitPattern: UInt32(truncatingIfNeeded: word)).squareRoot(),
                peak: Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32)))
        }
    }
}
