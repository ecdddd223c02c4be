// SPDX-License-Identifier: MIT

import AQCodecs

/// The stage that changes rate and pitch, if enabled.
///
/// Belongs to the engine's thread, except for settings of a stopped queue.
@safe final class StretchStage {
    // SAFETY: `block` holds the frames of a chunk, and is freed by deinit.

    private let sampleRate: Double
    private let channels: Int
    private let makeStretcher: TimeStretcherMaker?
    private var stretcher: (any TimeStretcher)?
    /// Whether the stretcher returned as many frames as last requested, and so may have more ready.
    private(set) var mayGive = false
    /// Whether the stretcher has received the end of the sequence.
    private(set) var isFinishing = false
    private(set) var rate = 1.0
    private(set) var pitchCents = 0.0
    private var isBypassed = false
    /// The input of the stretcher for one call of ``put(frames:)``.
    let block: UnsafeMutablePointer<Float>

    init(sampleRate: Double, channels: Int, chunkFrames: Int, makeStretcher: TimeStretcherMaker?) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.makeStretcher = makeStretcher
        unsafe block = .allocate(capacity: chunkFrames * channels)
    }

    deinit { unsafe block.deallocate() }

    // MARK: While the queue is stopped

    var algorithm = TimePitchAlgorithm.spectral {
        didSet { if algorithm != oldValue { replaceStretcher() } }
    }

    var isEnabled = false {
        didSet { if isEnabled != oldValue { replaceStretcher() } }
    }

    var isActive: Bool { stretcher != nil }

    private func replaceStretcher() {
        if !isEnabled {
            stretcher = nil
        } else if algorithm == .varispeed {
            stretcher = VarispeedResampler(channels: channels)
        } else {
            stretcher = makeStretcher?(sampleRate, channels, algorithm)
        }
        restart()
        putInForce()
    }

    // MARK: Parameters

    /// The rate of the next output frames.
    var rateInForce: Double { isActive && !isBypassed ? rate : 1 }

    func set(rate: Float? = nil, pitchCents: Float? = nil, isBypassed: Bool? = nil) {
        if let rate { self.rate = Double(rate) }
        if let pitchCents { self.pitchCents = Double(pitchCents) }
        if let isBypassed { self.isBypassed = isBypassed }
        putInForce()
    }

    private func putInForce() {
        stretcher?.setRate(rateInForce)
        // During a bypass the stretcher runs with the source's rate and pitch. Removing it would cause a gap, because
        // it holds frames.
        stretcher?.setPitch(cents: isBypassed || algorithm != .spectral ? 0 : pitchCents)
    }

    // MARK: Frames

    /// Adds frames from ``block``.
    func put(frames: Int) {
        if frames > 0 { unsafe stretcher?.put(block, count: frames) }
    }

    /// Outputs frames that are ready, and returns their number; 0 if more input is required.
    func take(into output: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let count = unsafe stretcher?.take(into: output, capacity: frames) ?? 0
        mayGive = count == frames
        return count
    }

    /// Ends the sequence: the frames that the stretcher holds become ready.
    func finish() {
        stretcher?.finish()
        isFinishing = true
    }

    /// Drops all pending frames; parameters remain.
    func restart() {
        stretcher?.restart()
        (mayGive, isFinishing) = (false, false)
    }
}
