// SPDX-License-Identifier: MIT

public import Foundation

/// A channel of a microphone, with the levels of the audio that a session records.
///
/// Levels are in decibels: 0 is full scale, -160 is silence, and the level while the session does not run.
open class AVCaptureAudioChannel: NSObject {
    private let levels: CaptureLevels
    private let index: Int

    init(_ levels: CaptureLevels, index: Int) {
        self.levels = levels
        self.index = index
        super.init()
    }

    /// The level over the last 20 ms.
    open var averagePowerLevel: Float { levels.average(of: index) }

    /// The highest peak of the last 1.5 seconds, or the newest one if it is higher.
    open var peakHoldLevel: Float { levels.heldPeak(of: index) }
}
