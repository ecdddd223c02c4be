// SPDX-License-Identifier: MIT

import AQDevices
import Glibc
import Synchronization

/// The levels of a bus, before and after its gain, by channel.
///
/// The rendering thread measures; any thread reads.
@safe final class BusMeter: @unchecked Sendable {
    // SAFETY: the memory is used through atomics only, and lives as long as the meter.

    /// A level of a channel.
    enum Level: Int, Sendable, CaseIterable {
        /// The power of the last slice.
        case average = 0
        /// The highest sample, which falls by 20 dB in a second.
        case peak = 1
    }

    /// The level of silence, in decibels.
    static let silence: Float = -120
    private static let fallPerSecond: Float = 20

    private let words: UnsafeMutablePointer<Atomic<UInt32>>
    private static let channels = SampleFormat.maximumChannels
    private static let wordCount = channels * 4
    private let measures = Atomic<Bool>(false)

    init() {
        unsafe words = .allocate(capacity: Self.wordCount)
        for index in 0..<Self.wordCount { unsafe (words + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe words.deinitialize(count: Self.wordCount)
        unsafe words.deallocate()
    }

    /// Whether levels are measured.
    var isOn: Bool {
        get { measures.load(ordering: .relaxed) }
        set {
            measures.store(newValue, ordering: .relaxed)
            if !newValue { clear() }
        }
    }

    func clear() {
        for index in 0..<Self.wordCount { unsafe words[index].store(0, ordering: .relaxed) }
    }

    /// Returns a level in decibels; nil for a channel that no format has.
    func decibels(_ level: Level, channel: Int, afterGain: Bool) -> Float? {
        guard 0..<Self.channels ~= channel else { return nil }
        let value = load(level, channel, afterGain)
        guard value > 0 else { return Self.silence }
        let decibels = (level == .average ? 10 : 20) * log10(value)
        return max(Self.silence, decibels)
    }

    /// Measures a slice of interleaved samples, if the meter is on.
    ///
    /// - Parameter gains: The gains after the slice.
    func measure(
        _ samples: UnsafePointer<Float>, frames: Int, channels: Int, sampleRate: Double, _ gains: ChannelGains
    ) {
        guard isOn, frames > 0 else { return }
        let fall = pow(10, -Self.fallPerSecond / 20 * Float(Double(frames) / sampleRate))
        for channel in 0..<min(channels, Self.channels) {
            var (peak, squares): (Float, Float) = (0, 0)
            for frame in 0..<frames {
                let sample = unsafe samples[frame * channels + channel]
                peak = max(peak, abs(sample))
                squares += sample * sample
            }
            let power = squares / Float(frames)
            let gain = gains[channel]
            store(.average, channel, false, power)
            store(.average, channel, true, power * gain * gain)
            store(.peak, channel, false, max(peak, load(.peak, channel, false) * fall))
            store(.peak, channel, true, max(peak * abs(gain), load(.peak, channel, true) * fall))
        }
    }

    private func index(_ level: Level, _ channel: Int, _ afterGain: Bool) -> Int {
        (channel * 2 + level.rawValue) * 2 + (afterGain ? 1 : 0)
    }

    private func load(_ level: Level, _ channel: Int, _ afterGain: Bool) -> Float {
        unsafe Float(bitPattern: words[index(level, channel, afterGain)].load(ordering: .relaxed))
    }

    private func store(_ level: Level, _ channel: Int, _ afterGain: Bool, _ value: Float) {
        unsafe words[index(level, channel, afterGain)].store(value.bitPattern, ordering: .relaxed)
    }
}
