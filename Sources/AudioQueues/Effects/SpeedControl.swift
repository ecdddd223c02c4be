// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// A method of changing the speed of playback without changing the pitch.
///
/// The module `AQTimeStretching` has one: `SpeedControl.soundTouch`.
public struct SpeedControl: Sendable {
    /// Makes the stretcher of a queue.
    package let makeStretcher: TimeStretcherMaker
    /// Returns the reason why there is no stretcher for a number of channels.
    private let failure: @Sendable (_ channels: Int) -> String

    package init(
        makeStretcher: @escaping TimeStretcherMaker, failure: @escaping @Sendable (_ channels: Int) -> String
    ) {
        self.makeStretcher = makeStretcher
        self.failure = failure
    }

    /// Checks that the method is available for a format.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertyValue`` if it is not.
    public func check(for format: AudioStreamBasicDescription) throws(QueueError) {
        let channels = Int(format.mChannelsPerFrame)
        guard makeStretcher(format.mSampleRate, channels, .spectral) == nil else { return }
        throw QueueError(.invalidPropertyValue, "cannot change the speed: \(failure(channels))")
    }
}
