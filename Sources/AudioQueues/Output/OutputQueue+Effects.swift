import AudioDevices
import CoreAudioTypes

extension OutputQueue {
    // MARK: Processing taps

    /// Puts a tap into the queue: what was decoded passes through it.
    ///
    /// The tap is called on the thread that decodes, which is neither the device's nor that of callbacks, and never by
    /// two threads at a time; it must not call the queue. The first call after a start, a reset or a gap has
    /// ``QueueTapFlags/startOfStream``. Disposing of the queue takes it out, and waits for it as for callbacks: what
    /// is played after that is untapped.
    ///
    /// - Returns: What the tap works on: linear PCM of 32-bit floating point at the format's rate with the format's
    ///   channels; and the most frames of a call.
    /// - Throws: ``QueueError/Code/tooManyTaps``; ``QueueError/Code/invalidRunState`` unless the queue is stopped, for
    ///   which a pause is not enough.
    package func installTap(_ tap: QueueTap) throws(QueueError) -> QueueTapFormat {
        try usableCore.installTap(tap)
        return QueueTapFormat(sampleRate: format.mSampleRate, channels: Int(format.mChannelsPerFrame))
    }

    /// Takes the tap out, if there is one. It is not called any more on return.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func removeTap() throws(QueueError) { try usableCore.removeTap() }

    // MARK: Pan

    /// The position between left and right: -1 to 1, 0 at first.
    ///
    /// Mono is panned, of equal power; stereo is balanced, so that one side stays as it is; more channels are left
    /// alone.
    package var pan: Float { core.monitor.withLock { $0.settings.panInForce(on: $0.path) } }

    /// Sets the position, for what is not yet heard.
    ///
    /// A queue of one channel that plays in the middle has a stream of one channel: it moves from the next start on.
    ///
    /// - Parameter pan: Values out of range count as the nearer bound, and what is no number as 0.
    package func setPan(_ pan: Float) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setPan(pan, on: $0.path) }
    }

    // MARK: Time and pitch

    /// The rate of playback, 0.5 to 2, 1 at first; kept without effect while time and pitch are not enabled.
    ///
    /// The queue's time counts frames of the format: at rate 2 it runs twice as fast.
    package var playRate: Float { core.monitor.withLock { $0.settings.playRate } }

    /// - Parameter rate: Values out of range count as the nearer bound, and what is no number as 0.
    package func setPlayRate(_ rate: Float) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setPlayRate(rate, on: $0.path) }
    }

    /// The shift of pitch in cents, -2400 to 2400, initially 0; it has an effect only with the spectral
    /// algorithm.
    package var pitchCents: Float { core.monitor.withLock { $0.settings.pitchCents } }

    /// - Parameter cents: Values out of range count as the nearer bound, and what is no number as 0.
    package func setPitch(cents: Float) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setPitch(cents: cents, on: $0.path) }
    }

    /// Whether rate and pitch can be changed; false at first.
    package var isTimePitchEnabled: Bool { core.monitor.withLock { $0.path.plan.isTimePitchEnabled } }

    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/invalidPropertyValue`` where there is nothing that could do it.
    package func setTimePitchEnabled(_ isEnabled: Bool) throws(QueueError) {
        try usableCore.setTimePitchEnabled(isEnabled)
    }

    /// How; ``TimePitchAlgorithm/spectral`` at first. Varispeed changes the pitch with the rate.
    package var timePitchAlgorithm: TimePitchAlgorithm { core.monitor.withLock { $0.path.plan.algorithm } }

    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped and time and pitch are enabled;
    ///   ``QueueError/Code/invalidPropertyValue`` where there is nothing that could do it.
    package func setTimePitchAlgorithm(_ algorithm: TimePitchAlgorithm) throws(QueueError) {
        try usableCore.setTimePitchAlgorithm(algorithm)
    }

    /// Whether what is enabled is passed by; false at first.
    package var isTimePitchBypassed: Bool { core.monitor.withLock { $0.settings.isBypassed } }

    /// Passes effects by, or not, at any time and without a gap.
    package func setTimePitchBypassed(_ isBypassed: Bool) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setBypassed(isBypassed, on: $0.path) }
    }
}
