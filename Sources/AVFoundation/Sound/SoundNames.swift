// SPDX-License-Identifier: MIT

import AQDevices
import Foundation

/// The sounds that the program has named.
final class SoundNames: Sendable {
    static let shared = SoundNames()

    /// The audio of a sound.
    enum Source: Equatable, Sendable {
        case file(URL)
        case data(Data)
    }

    private let sources = Monitor<[String: Source]>([:])

    func source(of name: String) -> Source? { sources.withLock { $0[name] } }

    /// Gives a sound a new name, and removes its old one.
    ///
    /// - Returns: False without any change if other audio has the new name.
    func rename(_ source: Source, from old: String?, to new: String?) -> Bool {
        sources.withLock { sources in
            if let new, let other = sources[new], other != source { return false }
            if let old, sources[old] == source { sources[old] = nil }
            if let new { sources[new] = source }
            return true
        }
    }
}
