// SPDX-License-Identifier: MIT

import Dispatch
import AQThreads

/// A player and its delegate, for calls on the main queue. Neither is kept alive.
final class PlayerLink: Sendable {
    private struct State {
        weak var player: AVAudioPlayer?
        weak var delegate: (any AVAudioPlayerDelegate)?
    }

    private let state = Monitor(State())

    var delegate: (any AVAudioPlayerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    func attach(_ player: AVAudioPlayer) { state.withLock { $0.player = player } }

    /// Reports the end of playback, after an error if there was one.
    func postEnd(error: (any Error)? = nil) {
        DispatchQueue.main.async { [self] in
            if let error { call { $1.audioPlayerDecodeErrorDidOccur($0, error: error) } }
            call { $1.audioPlayerDidFinishPlaying($0, successfully: error == nil) }
        }
    }

    private func call(_ body: (AVAudioPlayer, any AVAudioPlayerDelegate) -> Void) {
        // Called without the lock, and with references that last until the return.
        let (player, delegate) = state.withLock { ($0.player, $0.delegate) }
        if let player, let delegate { body(player, delegate) }
    }
}
