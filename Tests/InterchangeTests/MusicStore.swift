// SPDX-License-Identifier: MIT

import Synchronization

/// The audio of the round trips, each made once.
final class MusicStore: Sendable {
    static let shared = MusicStore()

    private let sounds = Mutex<[SoundLayout: Sound]>([:])

    func music(_ layout: SoundLayout) -> Sound {
        if let known = sounds.withLock({ $0[layout] }) { return known }
        let sound = Sound.music(channels: layout.channels, sampleRate: layout.sampleRate)
        sounds.withLock { $0[layout] = sound }
        return sound
    }
}
