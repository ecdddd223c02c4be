// SPDX-License-Identifier: MIT

import AudioQueues
import AudioUnits

/// The time stretcher of queues, for units.
final class UnitStretcher: SliceStretcher {
    private let stretcher: any TimeStretcher

    private init(_ stretcher: any TimeStretcher) { self.stretcher = stretcher }

    /// Makes a stretcher that keeps the pitch; nil if the library is not there, or does not support the channels.
    static let make: SliceStretcherMaker = { sampleRate, channels in
        QueueStretcher.maker?(sampleRate, channels, .spectral).map { UnitStretcher($0) }
    }

    func setRate(_ rate: Double) { stretcher.setRate(rate) }
    func setPitch(cents: Double) { stretcher.setPitch(cents: cents) }
    func put(_ frames: UnsafePointer<Float>, count: Int) { unsafe stretcher.put(frames, count: count) }
    func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        unsafe stretcher.take(into: output, capacity: capacity)
    }
    func restart() { stretcher.restart() }
}
