// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes
import Glibc

/// The captured frames of a unit that renders both directions at the output's pace: resampled, so that neither device
/// gains on the other.
///
/// Used by the device's thread only.
@safe final class DuplexInput {
    // SAFETY: the memory is allocated here, and freed by deinit.

    private let captured: CapturedFrames
    private let resampler: VarispeedResampler
    private let channels: Int
    private let sampleRate: Double
    private let sliceFrames: Int
    private let block: UnsafeMutablePointer<Float>
    private let blockFrames: Int
    private var correction: DriftCorrection?
    private var lastTime: UInt64 = 0
    /// A frame with the number n among the captured frames is frame n + offset of the capture clock.
    private var offset = 0.0
    /// The number of slices that were silent because frames were missing.
    private(set) var shortages = 0
    /// The least number of frames that arrived between two calls, if any did: a server may deliver several slices at once.
    private var burstFrames = Int.max
    /// The number of times that frames have arrived, and the number of frames that had arrived before the last call.
    private var arrivals = 0
    private var seenFrames = 0

    /// Returns nil if the resampler cannot be loaded.
    init?(_ captured: CapturedFrames, channels: Int, sampleRate: Double, sliceFrames: Int) {
        guard let resampler = VarispeedResampler(channels: channels) else { return nil }
        self.captured = captured
        self.resampler = resampler
        self.channels = channels
        self.sampleRate = sampleRate
        self.sliceFrames = sliceFrames
        blockFrames = max(64, sliceFrames)
        unsafe block = .allocate(capacity: blockFrames * channels)
    }

    deinit { unsafe block.deallocate() }

    /// Fills `target` with frames, or with silence until enough have been captured.
    ///
    /// - Parameters:
    ///   - position: The capture clock.
    ///   - audibleAt: The time at which the first frame is audible. The time of the call would not do: it varies against
    ///     that one by the rhythm of the server's requests.
    func take(
        _ frames: Int, into target: UnsafeMutablePointer<Float>, position: CapturePosition, audibleAt: UInt64
    ) {
        noteArrivals()
        if correction == nil, !begin(frames, position) { return unsafe silence(target, frames) }
        guard var correction else { return }
        let elapsed = lastTime == 0 ? 0 : Double(Int64(bitPattern: audibleAt &- lastTime)) / 1e9
        lastTime = audibleAt
        if elapsed > 0 {
            let lead = Double(Int64(bitPattern: audibleAt &- position.hostTime)) / 1e9
            correction.add(
                delaySeconds: lead
                    + (position.timelineFrames - offset - Double(captured.nextNumber)) / sampleRate,
                after: elapsed)
            resampler.setRate(correction.ratio)
        }
        self.correction = correction
        var done = 0
        while done < frames {
            let given = unsafe resampler.take(into: target + done * channels, capacity: frames - done)
            done += given
            if given == 0, !feed() { break }
        }
        guard done < frames else { return }
        unsafe silence(target + done * channels, frames - done)
        shortages += 1
        // More frames wait from now on.
        self.correction = nil
    }

    /// Counts frames that the device has lost.
    func skip(_ frames: Int) { offset += Double(frames) }

    /// Ends, so that the next call begins again.
    func end() { (correction, shortages, burstFrames, arrivals) = (nil, 0, .max, 0) }

    private func noteArrivals() {
        let waiting = captured.count
        let total = captured.nextNumber + waiting
        let arrived = total - seenFrames
        seenFrames = total
        guard arrived > 0 else { return }
        arrivals += 1
        // Those of before the start are not an arrival.
        if arrivals > 1 { burstFrames = min(burstFrames, arrived) }
    }

    /// Begins if enough frames wait: those of this request, those that the resampler holds, and a reserve. Slices, or
    /// bursts of several, may arrive just before or just after a request, and late.
    private func begin(_ frames: Int, _ position: CapturePosition) -> Bool {
        guard arrivals > 2 else { return false }
        let arrival = max(sliceFrames, min(burstFrames, captured.capacity / 8))
        let reserve = arrival + sliceFrames / 2 + min(shortages, 4) * max(sliceFrames, arrival / 2)
        let needed = frames + VarispeedResampler.heldFrames + reserve
        guard captured.count >= needed else { return false }
        captured.keep(newest: needed)
        resampler.restart()
        offset = position.timelineFrames - Double(needed) - Double(captured.nextNumber)
        correction = DriftCorrection()
        lastTime = 0
        return true
    }

    /// Passes waiting frames to the resampler; returns false if there are none.
    private func feed() -> Bool {
        let count = min(captured.count, 32, blockFrames)
        guard count > 0, unsafe captured.take(count, into: UnsafeMutableRawPointer(block)) else {
            return false
        }
        unsafe resampler.put(block, count: count)
        return true
    }

    private func silence(_ target: UnsafeMutablePointer<Float>, _ frames: Int) {
        unsafe target.update(repeating: 0, count: frames * channels)
    }
}
