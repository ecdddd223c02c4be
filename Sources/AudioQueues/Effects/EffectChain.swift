// SPDX-License-Identifier: MIT

import AQDevices
import Synchronization

/// The stages between decoding and the device: a tap before the effects, time and pitch, pan, a tap after the
/// effects.
///
/// Each path that needs effects has one chain. Decoded frames wait until taps and the stretcher can process whole
/// chunks. In `process` each stage requests frames from the stage before. The frames between two marks of an end are
/// a sequence, which is output completely.
///
/// The frames are interleaved 32-bit floats. A tap receives the channels of the queue's format: mono becomes stereo
/// after the last tap.
///
/// Belongs to the engine's thread, except for the settings of a stopped queue and the members for any thread.
/// Allocates no memory in the steady state.
@safe final class EffectChain: @unchecked Sendable {
    // SAFETY: state that other threads use is in monitors or atomic, or changes while the engine's thread
    // does not use the chain.

    private static let chunkSeconds = 0.02
    /// The largest number of chunks kept for a tap that reads ahead.
    static let mostChunksAhead = 8

    let sampleRate: Double
    /// The number of input channels.
    let channels: Int
    let outputChannels: Int
    let chunkFrames: Int

    let before: TapStage
    /// The output of time, pitch and pan, and the tap that reads it; unused if there is no such tap.
    let after: TapStage
    let stretching: StretchStage
    var pan: PanStage

    /// Whether the output of the effects passes through `after`.
    private(set) var isTapBehind = false
    /// Changes of parameters, and gaps, at frames of the first tap's output.
    var changes = FIFO<Change>()
    /// The events of the effects for later stages.
    var behind = Boundary()
    /// The number of frames that have to be decoded before a chunk is made.
    var framesNeeded: Int

    let newSettings = Monitor(Settings())
    let timeline: Timeline

    /// A parameter change or a gap, at a frame of the first tap's output.
    struct Change {
        let frame: Int64
        /// The new parameter; nil for a gap.
        let event: QueueParameterEvent?
    }

    /// Changes between two frames that the effects output.
    struct Boundary {
        var pan: Float?
        var isGap = false
        var isSequenceEnd = false

        var isEmpty: Bool { pan == nil && !isGap && !isSequenceEnd }
    }

    /// The requests of other threads that the engine has not read.
    struct Settings {
        var rate: Float?
        var pitchCents: Float?
        var pan: Float?
        var isBypassed: Bool?
    }

    /// The state for taps on any thread: the relation of output to source frames, and whether the queue is paused.
    final class Timeline: Sendable {
        let maps = Monitor(SourceMaps())
        let isPaused = Atomic<Bool>(false)
    }

    /// - Parameters:
    ///   - channels: The number of input channels, at least 1.
    ///   - outputChannels: The same number as `channels`, or 2 for mono that can be panned.
    ///   - makeStretcher: Makes the stretcher for rate and pitch. Not required for ``TimePitchAlgorithm/varispeed``.
    init(sampleRate: Double, channels: Int, outputChannels: Int, makeStretcher: TimeStretcherMaker?) {
        let channels = max(channels, 1)
        let isSpread = channels == 1 && outputChannels == 2
        let format = QueueTapFormat(sampleRate: sampleRate, channels: channels)
        let chunkFrames = min(
            Int((sampleRate * EffectChain.chunkSeconds).clamped(to: 32...16384)), format.maximumFrames)
        let timeline = Timeline()
        self.sampleRate = sampleRate
        self.channels = channels
        self.outputChannels = isSpread ? 2 : channels
        self.chunkFrames = chunkFrames
        self.timeline = timeline
        stretching = StretchStage(
            sampleRate: sampleRate, channels: channels, chunkFrames: chunkFrames, makeStretcher: makeStretcher
        )
        before = TapStage(
            fifo: FrameFIFO(channels: channels, capacityFrames: 4 * chunkFrames), sampleRate: sampleRate,
            maximumFrames: format.maximumFrames, isPaused: { timeline.isPaused.load(ordering: .relaxed) })
        after = TapStage(
            fifo: FrameFIFO(channels: channels, capacityFrames: 4 * chunkFrames), sampleRate: sampleRate,
            maximumFrames: format.maximumFrames,
            queueFrame: { frame in timeline.maps.withLock { $0.source(atTreated: frame) } },
            isPaused: { timeline.isPaused.load(ordering: .relaxed) })
        pan = PanStage(isSpread: isSpread)
        framesNeeded = chunkFrames
    }

    var isSpread: Bool { outputChannels != channels }

    // MARK: While the queue is stopped

    /// The client's tap, before or after the effects as its flags specify; nil for none.
    var tap: QueueTap? {
        get { before.tap ?? after.tap }
        set {
            restart()
            before.tap = newValue?.isBeforeEffects == true ? newValue : nil
            after.tap = newValue?.isBeforeEffects == false ? newValue : nil
            isTapBehind = after.tap != nil
            framesNeeded = chunkFrames
        }
    }

    /// Sets the position of the first frame on the queue's timeline, after a restart.
    func begin(atQueueFrame frame: Double) {
        before.timelineStart = frame
        after.timelineStart = frame
    }

    /// Sets the position of the first frame while the queue plays, on the engine's thread: after an underrun the
    /// timeline includes the silence.
    func move(toQueueFrame frame: Double) {
        // A difference of less than a frame is a rounding error.
        if abs(frame - before.timelineStart) >= 0.5 { begin(atQueueFrame: frame) }
    }

    /// Removes the tap while the queue plays, and keeps all pending frames. Called on the engine's thread.
    func dropTap() {
        before.dropTap()
        after.dropTap()
        framesNeeded = chunkFrames
    }

    var algorithm: TimePitchAlgorithm {
        get { stretching.algorithm }
        set {
            stretching.algorithm = newValue
            restart()
        }
    }

    var isTimePitchEnabled: Bool {
        get { stretching.isEnabled }
        set {
            stretching.isEnabled = newValue
            restart()
        }
    }

    /// Whether the present settings require a stretcher that is not available. Rate and pitch are then unchanged.
    var lacksStretcher: Bool { stretching.isEnabled && !stretching.isActive }

    // MARK: Any thread

    /// Returns the frame of the decoded audio for an output frame, both counted from the last restart.
    func sourceFrame(atOutput frame: Double) -> Double {
        timeline.maps.withLock { $0.source(atOutput: frame) }
    }

    func setRate(_ rate: Float) { newSettings.withLock { $0.rate = EffectChain.validSpeed(rate) } }

    func setPitch(cents: Float) {
        newSettings.withLock { $0.pitchCents = EffectChain.validPitch(cents: cents) }
    }

    func setPan(_ pan: Float) { newSettings.withLock { $0.pan = EffectChain.validPan(pan) } }

    /// Begins or ends the bypass of rate and pitch, without a gap.
    func setBypassed(_ isBypassed: Bool) { newSettings.withLock { $0.isBypassed = isBypassed } }

    /// Sets whether the queue is paused, for taps that ask.
    func setPaused(_ isPaused: Bool) { timeline.isPaused.store(isPaused, ordering: .relaxed) }

    /// The nearest speed that stretchers support, 0.25 to 4. NaN counts as 0.
    static func validSpeed(_ speed: Float) -> Float { clamp(speed, 0.25, 4) }

    /// The nearest valid rate of the published interface, 0.5 to 2. NaN counts as 0.
    static func validRate(_ rate: Float) -> Float { clamp(rate, 0.5, 2) }

    /// The nearest valid shift of pitch, -2400 to 2400 cents.
    static func validPitch(cents: Float) -> Float { clamp(cents, -2400, 2400) }

    /// The nearest valid pan position, -1 to 1.
    static func validPan(_ pan: Float) -> Float { clamp(pan, -1, 1) }

    private static func clamp(_ value: Float, _ least: Float, _ most: Float) -> Float {
        min(max(value.isNaN ? 0 : value, least), most)
    }
}
