// SPDX-License-Identifier: MIT

import Dispatch
import AQThreads

/// A recorder and its delegate, for calls on the main queue. Neither is kept alive.
final class RecorderLink: Sendable {
    private struct State {
        weak var recorder: AVAudioRecorder?
        weak var delegate: (any AVAudioRecorderDelegate)?
    }

    private let state = Monitor(State())

    var delegate: (any AVAudioRecorderDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    func attach(_ recorder: AVAudioRecorder) { state.withLock { $0.recorder = recorder } }

    /// Reports the end of a recording.
    func postEnd(_ ending: RecordingRun.Ending) {
        DispatchQueue.main.async { [self] in
            if case .failed(let error) = ending {
                call { $1.audioRecorderEncodeErrorDidOccur($0, error: error) }
            }
            call { $1.audioRecorderDidFinishRecording($0, successfully: ending.isComplete) }
        }
    }

    private func call(_ body: (AVAudioRecorder, any AVAudioRecorderDelegate) -> Void) {
        // Called without the lock, and with references that last until the return.
        let (recorder, delegate) = state.withLock { ($0.recorder, $0.delegate) }
        if let recorder, let delegate { body(recorder, delegate) }
    }
}
