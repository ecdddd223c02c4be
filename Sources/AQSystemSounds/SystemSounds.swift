// SPDX-License-Identifier: MIT

import AQDevices

/// The system sounds of a process: the program's own sounds by their numbers, and the numbers of built-in sounds.
///
/// May be used from any thread. No call waits for the server.
package final class SystemSounds: Sendable {
    /// The settings of a sound, which the program can change.
    package struct Settings: Sendable, Equatable {
        /// Whether the user's volume for system sounds applies. Otherwise the sound is played with the program's own
        /// volume.
        package var isInterfaceSound = true
        /// Whether the sound should continue after the end of the process. Kept for the program: a sound here ends
        /// with its process.
        package var completesAfterExit = false

        package init() {}
    }

    /// The built-in numbers.
    package enum BuiltIn {
        /// Numbers that play the beep: the user's alert.
        package static let alert: UInt32 = 0x1000
        /// Numbers of sounds that portable systems have built in. They play the beep.
        package static let portable: Range<UInt32> = 1000..<1350
        /// Numbers for the screen and the vibration motor, which play nothing.
        package static let silent: Set<UInt32> = [0xFFE, 0xFFF]
    }

    private struct State {
        var clips: [UInt32: SoundClip] = [:]
        var settings: [UInt32: Settings] = [:]
        var nextNumber = BuiltIn.alert + 1
    }

    private let state = Monitor(State())
    private let player: ClipPlayer

    package init(player: ClipPlayer) { self.player = player }

    /// Adds a sound.
    ///
    /// - Returns: The sound's number, above those of all built-in sounds. Numbers are not used again, unless all 2^32
    ///   were.
    package func add(_ clip: SoundClip) -> UInt32 {
        state.withLock { state in
            while state.clips[state.nextNumber] != nil || state.nextNumber <= BuiltIn.alert {
                state.nextNumber &+= 1
            }
            let number = state.nextNumber
            state.clips[number] = clip
            state.nextNumber &+= 1
            return number
        }
    }

    /// Removes a sound of the program, and stops it with a short fade.
    ///
    /// - Returns: False if there is no such sound.
    package func remove(_ number: UInt32) -> Bool {
        let removed = state.withLock { state in
            state.settings[number] = nil
            return state.clips.removeValue(forKey: number)
        }
        guard removed != nil else { return false }
        player.stop(number)
        return true
    }

    /// Plays a sound; a number without a sound plays nothing.
    ///
    /// - Parameter completion: Called once, on any thread, whether or not the sound was played.
    package func play(_ number: UInt32, completion: @escaping @Sendable () -> Void) {
        let (clip, settings) = state.withLock { state in
            (state.clips[number] ?? Self.builtIn(number), state.settings[number] ?? Settings())
        }
        guard let clip else { return completion() }
        player.play(
            clip, number: number, role: settings.isInterfaceSound ? .event : nil, completion: completion)
    }

    /// The settings of a sound; nil for a number without a sound.
    package func settings(of number: UInt32) -> Settings? {
        state.withLock { state in
            guard Self.isKnown(number, state) else { return nil }
            return state.settings[number] ?? Settings()
        }
    }

    /// Changes the settings of a sound from its next playback on.
    ///
    /// - Returns: False for a number without a sound.
    package func change(_ number: UInt32, _ body: (inout Settings) -> Void) -> Bool {
        state.withLock { state in
            guard Self.isKnown(number, state) else { return false }
            body(&state.settings[number, default: Settings()])
            return true
        }
    }

    private static func isKnown(_ number: UInt32, _ state: State) -> Bool {
        state.clips[number] != nil || builtIn(number) != nil || BuiltIn.silent.contains(number)
    }

    private static func builtIn(_ number: UInt32) -> SoundClip? {
        number == BuiltIn.alert || BuiltIn.portable.contains(number) ? SoundClip.beep : nil
    }
}
