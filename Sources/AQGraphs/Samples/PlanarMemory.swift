// SPDX-License-Identifier: MIT

/// Memory for samples, which is allocated once.
///
/// Used by one thread at a time.
@safe package final class PlanarMemory: @unchecked Sendable {
    // SAFETY: the memory is allocated here and freed by deinit, and its users take turns.

    package let channels: Int
    package let capacityFrames: Int
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: UnsafeMutablePointer<Float>

    package init(channels: Int, capacityFrames: Int) {
        self.channels = channels
        self.capacityFrames = capacityFrames
        let count = max(1, channels * capacityFrames)
        unsafe samples = .allocate(capacity: count)
        unsafe samples.initialize(repeating: 0, count: count)
        unsafe table = .allocate(capacity: max(1, channels))
        for channel in 0..<channels {
            unsafe (table + channel).initialize(to: samples + channel * capacityFrames)
        }
    }

    deinit {
        unsafe samples.deallocate()
        unsafe table.deallocate()
    }

    /// The first frames of the memory.
    package func prefix(_ frames: Int) -> PlanarSamples {
        precondition(frames <= capacityFrames, "the memory has \(capacityFrames) frames")
        return unsafe PlanarSamples(table, channels: channels, frames: frames)
    }
}
