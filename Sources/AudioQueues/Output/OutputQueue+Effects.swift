import AudioDevices
import CoreAudioTypes

extension OutputQueue {
    // MARK: Processing taps

    /// Installs a tap that all decoded audio passes through.
    ///
    /// The tap is called on the decoding thread, which is neither the device's nor that of callbacks, and never by two
    /// threads at a time; it must not call the queue. The first call after a start, a reset or a gap has
    /// ``QueueTapFlags/startOfStream``. Disposing of the queue removes the tap, and waits for it as for callbacks:
    /// audio that is played after that bypasses it.
    ///
    /// - Returns: The format of the tap's audio: linear PCM of 32-bit floating point with the rate and channels of the
    ///   queue's format; and the most frames of a call.
    /// - Throws: ``QueueError/Code/tooManyTaps``; ``QueueError/Code/invalidRunState`` unless the queue is stopped; a
    ///   pause is not enough.
    package func installTap(_ tap: QueueTap) throws(QueueError) -> QueueTapFormat {
        try usableCore.installTap(tap)
        return QueueTapFormat(sampleRate: format.mSampleRate, channels: Int(format.mChannelsPerFrame))
    }

    /// Removes the tap, if there is one. It is not called any more on return.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func removeTap() throws(QueueError) { try usableCore.removeTap() }

    // MARK: Pan

    /// The position between left and right: -1 to 1, initially 0.
    ///
    /// Mono is panned with equal power; stereo is balanced, with one side unchanged; more channels are not changed.
    package var pan: Float { core.monitor.withLock { $0.settings.panInForce(on: $0.path) } }

    /// Sets the position, for audio that is not yet played.
    ///
    /// The stream of a queue with one channel in the middle has one channel: a new position applies from the next
    /// start.
    ///
    /// - Parameter pan: Values out of range count as the nearer bound, and NaN as 0.
    package func setPan(_ pan: Float) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setPan(pan, on: $0.path) }
    }

    // MARK: Time and pitch

    /// The playback rate, 0.5 to 2, initially 1; stored without effect while time and pitch are not enabled.
    ///
    /// The queue's time counts frames of the format: at rate 2 it advances twice as fast.
    package var playRate: Float { core.monitor.withLock { $0.settings.playRate } }

    /// - Parameter rate: Values out of range count as the nearer bound, and NaN as 0.
    package func setPlayRate(_ rate: Float) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setPlayRate(rate, on: $0.path) }
    }

    /// The shift of pitch in cents, -2400 to 2400, initially 0; it has an effect only with the spectral
    /// algorithm.
    package var pitchCents: Float { core.monitor.withLock { $0.settings.pitchCents } }

    /// - Parameter cents: Values out of range count as the nearer bound, and NaN as 0.
    package func setPitch(cents: Float) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setPitch(cents: cents, on: $0.path) }
    }

    /// Whether rate and pitch can be changed; initially false.
    package var isTimePitchEnabled: Bool { core.monitor.withLock { $0.path.plan.isTimePitchEnabled } }

    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/invalidPropertyValue`` if nothing can change them.
    package func setTimePitchEnabled(_ isEnabled: Bool) throws(QueueError) {
        try usableCore.setTimePitchEnabled(isEnabled)
    }

    /// The algorithm; initially ``TimePitchAlgorithm/spectral``. Varispeed changes the pitch with the rate.
    package var timePitchAlgorithm: TimePitchAlgorithm { core.monitor.withLock { $0.path.plan.algorithm } }

    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped and time and pitch are enabled;
    ///   ``QueueError/Code/invalidPropertyValue`` if the algorithm is not available.
    package func setTimePitchAlgorithm(_ algorithm: TimePitchAlgorithm) throws(QueueError) {
        try usableCore.setTimePitchAlgorithm(algorithm)
    }

    /// Whether audio bypasses the enabled effects; initially false.
    package var isTimePitchBypassed: Bool { core.monitor.withLock { $0.settings.isBypassed } }

    /// Bypasses effects or ends the bypass, at any time and without a gap.
    package func setTimePitchBypassed(_ isBypassed: Bool) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setBypassed(isBypassed, on: $0.path) }
    }
}
