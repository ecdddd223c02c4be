// SPDX-License-Identifier: MIT

/// The reason why a playlist cannot be used, as in "cannot play 'ADDRESS': REASON".
package struct HLSPlaylistError: Error, Equatable, CustomStringConvertible {
    package let reason: String

    package var description: String { reason }

    init(_ reason: String) { self.reason = reason }
}
