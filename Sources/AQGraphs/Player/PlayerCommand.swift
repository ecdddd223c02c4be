// SPDX-License-Identifier: MIT

/// A call of a client that the player obeys at the beginning of the next slice.
final class PlayerCommand: PassedObject, @unchecked Sendable {
    // SAFETY: nothing changes.
    enum Kind: Sendable {
        case add(PlayItem)
        case play(PlayerElement.Start)
        case pause
        case stop
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }
}
