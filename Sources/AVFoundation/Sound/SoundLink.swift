// SPDX-License-Identifier: MIT

import AVFAudio
import AQDevices
import Foundation

/// A sound and its delegate, for calls on the main actor, and the sounds that are kept alive while they play.
final class SoundLink: NSObject, AVAudioPlayerDelegate, Sendable {
    private struct State {
        weak var sound: NSSound?
        weak var delegate: (any NSSoundDelegate)?
    }

    private static let playing = Monitor<[ObjectIdentifier: NSSound]>([:])

    private let state = Monitor(State())

    var delegate: (any NSSoundDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    func attach(_ sound: NSSound) { state.withLock { $0.sound = sound } }

    /// Keeps the sound alive.
    func keep() {
        let sound = state.withLock { $0.sound }
        Self.playing.withLock { $0[ObjectIdentifier(self)] = sound }
    }

    /// No longer keeps the sound alive.
    func letGo() {
        // Released without the lock.
        _ = Self.playing.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    }

    /// Reports the end.
    func postEnd(isWhole: Bool) {
        Task { @MainActor [self] in
            let (sound, delegate) = self.state.withLock { ($0.sound, $0.delegate) }
            if let sound { delegate?.sound(sound, didFinishPlaying: isWhole) }
            if sound?.isPlaying != true { letGo() }
        }
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        postEnd(isWhole: flag)
    }
}
