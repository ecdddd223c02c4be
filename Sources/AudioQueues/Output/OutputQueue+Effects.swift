// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

extension OutputQueue {
    // MARK: Processing taps

    /// Installs a tap that processes all decoded audio.
    ///
    /// The tap is called on the decoding thread, which is neither the device's nor that of callbacks, and never by
    /// two threads at a time. The tap must not call the queue. The first call after a start, a reset or a gap has
    /// ``QueueTapFlags/startOfStream``. Disposing of the queue removes the tap, and waits for it as for callbacks.
    /// Audio that is played afterwards bypasses the tap.
    ///
    /// - Returns: The format of the tap's audio: 32-bit floating point with the rate and channels of the queue's
    ///   format; and the largest number of frames of a call.
    /// - Throws: ``QueueError/Code/tooManyTaps`` if the queue has a tap; ``QueueError/Code/invalidRunState`` unless
    ///   the queue is stopped; a pause is not enough.
    package func installTap(_ tap: QueueTap) throws(QueueError) -> QueueTapFormat {
        try usableCore.installTap(tap)
        return QueueTapFormat(sampleRate: format.mSampleRate, channels: Int(format.mChannelsPerFrame))
    }

    /// Removes the tap, if there is one. The tap is not called after the return.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    package func removeTap() throws(QueueError) { try usableCore.removeTap() }

    // MARK: Pan

    /// The pan position between left and right: -1 to 1, initially 0.
    ///
    /// Mono is panned with equal power. Stereo is balanced, with one side unchanged. More channels are not changed.
    package var pan: Float { core.monitor.withLock { $0.settings.panInForce(on: $0.path) } }

    /// Sets the pan position for audio that has not been played.
    ///
    /// If a queue of one channel is started with the pan in the middle, its stream is mono, and a new position applies
    /// from the next start.
    ///
    /// - Parameter pan: The position. Values out of range count as the nearer bound, and NaN as 0.
    package func setPan(_ pan: Float) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setPan(pan, on: $0.path) }
    }

    // MARK: Time and pitch

    /// The playback rate, 0.5 to 2, initially 1. Without effect unless time and pitch are enabled.
    ///
    /// The queue's time counts frames of its format: at rate 2 it advances twice as fast.
    package var playRate: Float { core.monitor.withLock { $0.settings.playRate } }

    /// Sets the playback rate.
    ///
    /// - Parameter rate: The rate. Values out of range count as the nearer bound, and NaN as 0.5.
    package func setPlayRate(_ rate: Float) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setPlayRate(rate, on: $0.path) }
    }

    /// The shift of pitch in cents, -2400 to 2400, initially 0. Only the spectral algorithm applies it.
    package var pitchCents: Float { core.monitor.withLock { $0.settings.pitchCents } }

    /// Sets the shift of pitch.
    ///
    /// - Parameter cents: The shift. Values out of range count as the nearer bound, and NaN as 0.
    package func setPitch(cents: Float) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setPitch(cents: cents, on: $0.path) }
    }

    /// Whether rate and pitch can be changed; initially false.
    package var isTimePitchEnabled: Bool { core.monitor.withLock { $0.path.plan.isTimePitchEnabled } }

    /// Enables or disables changes of rate and pitch. If there is no stretcher for ``timePitchAlgorithm``, this becomes
    /// ``TimePitchAlgorithm/varispeed``.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/invalidPropertyValue`` if varispeed is not available either.
    package func setTimePitchEnabled(_ isEnabled: Bool) throws(QueueError) {
        try usableCore.setTimePitchEnabled(isEnabled)
    }

    /// The algorithm for rate and pitch, initially ``TimePitchAlgorithm/spectral``.
    package var timePitchAlgorithm: TimePitchAlgorithm { core.monitor.withLock { $0.path.plan.algorithm } }

    /// Sets the algorithm for rate and pitch.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped and time and pitch are enabled;
    ///   ``QueueError/Code/invalidPropertyValue`` if the algorithm is not available.
    package func setTimePitchAlgorithm(_ algorithm: TimePitchAlgorithm) throws(QueueError) {
        try usableCore.setTimePitchAlgorithm(algorithm)
    }

    /// Whether audio bypasses the change of rate and pitch; initially false.
    package var isTimePitchBypassed: Bool { core.monitor.withLock { $0.settings.isBypassed } }

    /// Begins or ends the bypass of rate and pitch, at any time and without a gap.
    package func setTimePitchBypassed(_ isBypassed: Bool) throws(QueueError) {
        try usableCore.perform(.use) { $0.settings.setBypassed(isBypassed, on: $0.path) }
    }
}
