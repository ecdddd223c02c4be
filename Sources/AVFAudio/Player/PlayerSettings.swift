// SPDX-License-Identifier: MIT

import AudioQueues
import CoreAudioTypes

#if HAVE_TIME_PITCH
import AQTimeStretching
#endif

/// The settings of a player, which outlast its queues.
struct PlayerSettings {
    var fade = VolumeFade()
    var pan: Float = 0
    var rate: Float = 1
    var isRateEnabled = false
    var isMetering = false
    /// The name of the device; nil for the default one.
    var deviceName: String?

    /// The rate within the limits.
    var speed: Double { rate > 0.5 ? min(Double(rate), 2) : 0.5 }

    /// The method by which a new queue changes the rate; nil if the rate is not enabled or cannot be changed.
    func speedControl(for format: AudioStreamBasicDescription) -> SpeedControl? {
        guard isRateEnabled else { return nil }
        #if HAVE_TIME_PITCH
        do throws(QueueError) {
            try SpeedControl.soundTouch.check(for: format)
            return .soundTouch
        } catch {
            MisuseNote.write("plays at rate 1: \(error.message)")
            return nil
        }
        #else
        MisuseNote.write("plays at rate 1: this package was built without the trait 'TimePitch'")
        return nil
        #endif
    }

    /// Applies the settings to a new queue.
    ///
    /// - Parameter hasSpeed: Whether the queue was made with a speed control.
    func apply(to queue: OutputQueue, hasSpeed: Bool) throws(QueueError) {
        fade.apply(to: queue)
        if pan != 0 { try queue.setPan(pan) }
        if hasSpeed { try queue.setSpeed(speed) }
        if isMetering { queue.isMeteringEnabled = true }
    }
}
