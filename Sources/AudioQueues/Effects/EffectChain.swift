import AudioDevices
import Synchronization

/// The effects between the decoder and the device: a tap, time and pitch, pan, another tap.
///
/// One for each path that needs it. It pulls: what was decoded waits until there is enough of it for taps and the
/// stretcher to see whole chunks, and `process` then has each stage ask the one before. What is put in between two
/// marks of an end is a sequence, of which everything comes out.
///
/// The frames are interleaved 32-bit floats. A tap gets the channels of the format: mono becomes stereo behind the last.
///
/// Belongs to the engine's thread, but for what is set while the queue is stopped, and for what is said to be for any
/// thread. In its steady state it gets no memory.
@safe final class EffectChain: @unchecked Sendable {
    // SAFETY: what other threads touch is in monitors or atomic, or is changed while the engine's thread has nothing
    // to do with the chain.

    /// Frames that are processed at a time, in seconds.
    private static let chunkSeconds = 0.02
    /// The most chunks that are kept for a tap that reads ahead.
    static let mostChunksAhead = 8

    let sampleRate: Double
    /// The channels of the frames that go in.
    let channels: Int
    /// The channels of the frames that come out.
    let outputChannels: Int
    let chunkFrames: Int

    /// The decoded frames, and the tap that reads them.
    let before: TapStage
    /// The frames behind time, pitch and pan, and the tap that reads them; unused without such a tap.
    let after: TapStage
    let stretching: StretchStage
    var pan: PanStage

    /// Whether the frames of the effects pass through `after`.
    private(set) var isTapBehind = false
    /// Parameters that change, and gaps, when the effects have come to a frame of the first tap's.
    var changes = FIFO<Change>()
    /// Changes at the frame that the effects have reached, for the stages behind them.
    var behind = Boundary()
    /// The frames that have to be decoded before a chunk is made of them.
    var framesNeeded: Int

    let newSettings = Monitor(Settings())
    let timeline: Timeline

    /// A change at a frame of the first tap's.
    struct Change {
        let frame: Int64
        /// The parameter that holds from there on; nil at a gap.
        let event: QueueParameterEvent?
    }

    /// Changes between two frames of the effects'.
    struct Boundary {
        var pan: Float?
        var isGap = false
        var isSequenceEnd = false

        var isEmpty: Bool { pan == nil && !isGap && !isSequenceEnd }
    }

    /// The values that other threads have set since the engine's thread took them last.
    struct Settings {
        var rate: Float?
        var pitchCents: Float?
        var pan: Float?
        var isBypassed: Bool?
    }

    /// The source of the frames, and whether the queue is paused, for taps on any thread.
    final class Timeline: Sendable {
        let maps = Monitor(SourceMaps())
        let isPaused = Atomic<Bool>(false)
    }

    /// - Parameters:
    ///   - channels: 1 and more.
    ///   - outputChannels: The same, or 2 for mono that has a pan.
    ///   - makeStretcher: What changes rate and pitch, but for ``TimePitchAlgorithm/varispeed``, which needs none.
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

    /// The tap; where it is, it says itself.
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

    /// Says which frame of the queue's timeline the first one is, behind a restart.
    func begin(atQueueFrame frame: Double) {
        before.timelineStart = frame
        after.timelineStart = frame
    }

    /// The same on the engine's thread while the queue plays: if it has run dry, the silence is on its timeline.
    func move(toQueueFrame frame: Double) {
        // What is less than a frame comes of calculating.
        if abs(frame - before.timelineStart) >= 0.5 { begin(atQueueFrame: frame) }
    }

    /// Takes the tap out while the queue plays, on the engine's thread: nothing that is pending is forgotten.
    func dropTap() {
        before.dropTap()
        after.dropTap()
        framesNeeded = chunkFrames
    }

    /// The algorithm that changes rate and pitch.
    var algorithm: TimePitchAlgorithm {
        get { stretching.algorithm }
        set {
            stretching.algorithm = newValue
            restart()
        }
    }

    /// Whether rate and pitch can be changed.
    var isTimePitchEnabled: Bool {
        get { stretching.isEnabled }
        set {
            stretching.isEnabled = newValue
            restart()
        }
    }

    /// Whether there is nothing that could change rate and pitch as is set. They stay as they are then.
    var lacksStretcher: Bool { stretching.isEnabled && !stretching.isActive }

    // MARK: Any thread

    /// The source frame, of the format, for a frame that came out; both counted from the last restart.
    func sourceFrame(atOutput frame: Double) -> Double {
        timeline.maps.withLock { $0.source(atOutput: frame) }
    }

    func setRate(_ rate: Float) { newSettings.withLock { $0.rate = EffectChain.validRate(rate) } }

    func setPitch(cents: Float) {
        newSettings.withLock { $0.pitchCents = EffectChain.validPitch(cents: cents) }
    }

    func setPan(_ pan: Float) { newSettings.withLock { $0.pan = EffectChain.validPan(pan) } }

    /// Has rate and pitch be as if they were not changed, or takes that back; without a gap.
    func setBypassed(_ isBypassed: Bool) { newSettings.withLock { $0.isBypassed = isBypassed } }

    /// Whether the queue's time stands still, which taps are told.
    func setPaused(_ isPaused: Bool) { timeline.isPaused.store(isPaused, ordering: .relaxed) }

    /// The nearest rate that there is; what is no number counts as 0.
    static func validRate(_ rate: Float) -> Float { clamp(rate, 0.5, 2) }

    /// The nearest shift of pitch that there is.
    static func validPitch(cents: Float) -> Float { clamp(cents, -2400, 2400) }

    /// The nearest position that there is.
    static func validPan(_ pan: Float) -> Float { clamp(pan, -1, 1) }

    private static func clamp(_ value: Float, _ least: Float, _ most: Float) -> Float {
        min(max(value.isNaN ? 0 : value, least), most)
    }
}
