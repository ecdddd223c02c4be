// SPDX-License-Identifier: MIT

public import Foundation

/// The methods that a recorder calls, on the main queue. All are optional.
///
/// A program without a run loop calls `dispatchMain()` or `RunLoop.main.run()`; otherwise no method is called.
public protocol AVAudioRecorderDelegate: NSObjectProtocol, Sendable {
    /// Called once when a recording has ended and its file is closed.
    ///
    /// - Parameter flag: False if the recording ended because of an error, the file could not be completed, or the
    ///   sound server or the device disappeared and did not return. The file has the audio until then.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)

    /// Called before the end of a recording if the audio could not be encoded or written, or the file
    /// not be completed.
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
    /// Does nothing.
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}

    /// Does nothing.
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}
