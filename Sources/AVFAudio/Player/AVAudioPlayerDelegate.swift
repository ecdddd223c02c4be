// SPDX-License-Identifier: MIT

public import Foundation

/// The methods that a player calls, on the main queue. All are optional.
///
/// A program without a run loop calls `dispatchMain()` or `RunLoop.main.run()`; otherwise no method is called.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// Called once when playback has reached its end, including all repetitions, but not when it is paused or stopped.
    ///
    /// - Parameter flag: False if the audio could not be decoded to its end.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)

    /// Called before the end of playback if the audio could not be read or decoded.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
    /// Does nothing.
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}

    /// Does nothing.
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}
