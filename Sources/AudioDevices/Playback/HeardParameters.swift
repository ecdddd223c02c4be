import Synchronization

/// Volume and pan where a stream is heard: told by the device's thread, read by any, without a lock.
///
/// Ramps and not values, so that whoever reads knows the value at its frame, though the device's thread tells a few
/// times a second only. A sequence lock, as ``PlaybackClock`` is one.
final class HeardParameters: Sendable {
    struct Parameter {
        var ramp: GainRamp
        /// Whether it came with a segment, and no call has set it since.
        var isOfSegment: Bool
    }

    private struct Words: ~Copyable, Sendable {
        private let startFrame = Atomic<Int64>(0)
        private let rampFrames = Atomic<Int64>(0)
        /// The values at the ramp's beginning and at its end, as bits.
        private let values = Atomic<UInt64>(0)
        private let isOfSegment = Atomic<Bool>(false)

        init() {}

        @_noLocks func store(_ ramp: GainRamp, isOfSegment isSegment: Bool) {
            let word = UInt64(ramp.startGain.bitPattern) << 32 | UInt64(ramp.endGain.bitPattern)
            startFrame.store(ramp.startFrame, ordering: .relaxed)
            rampFrames.store(ramp.rampFrames, ordering: .relaxed)
            values.store(word, ordering: .relaxed)
            isOfSegment.store(isSegment, ordering: .relaxed)
        }

        func load() -> Parameter {
            let word = values.load(ordering: .relaxed)
            var ramp = GainRamp(constant: Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32)))
            ramp.ramp(
                to: Float(bitPattern: UInt32(truncatingIfNeeded: word)),
                from: startFrame.load(ordering: .relaxed), frames: rampFrames.load(ordering: .relaxed))
            return Parameter(ramp: ramp, isOfSegment: isOfSegment.load(ordering: .relaxed))
        }
    }

    private let sequence = Atomic<UInt64>(0)
    private let volumeWords = Words()
    private let panWords = Words()

    init() {
        publish(
            volume: GainRamp(constant: 1), isVolumeOfSegment: false, pan: GainRamp(constant: 0),
            isPanOfSegment: false)
    }

    /// Publishes what is in force. One writer at a time. REAL-TIME.
    @_noLocks func publish(
        volume: GainRamp, isVolumeOfSegment: Bool, pan: GainRamp, isPanOfSegment: Bool
    ) {
        let number = sequence.load(ordering: .relaxed)
        sequence.store(number &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        volumeWords.store(volume, isOfSegment: isVolumeOfSegment)
        panWords.store(pan, isOfSegment: isPanOfSegment)
        sequence.store(number &+ 2, ordering: .releasing)
    }

    /// A consistent copy of what was last published.
    func snapshot() -> (volume: Parameter, pan: Parameter) {
        while true {
            let before = sequence.load(ordering: .acquiring)
            guard before & 1 == 0 else { continue }
            let parameters = (volume: volumeWords.load(), pan: panWords.load())
            atomicMemoryFence(ordering: .acquiring)
            if sequence.load(ordering: .relaxed) == before { return parameters }
        }
    }
}
