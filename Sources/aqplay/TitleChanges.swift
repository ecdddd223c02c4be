// SPDX-License-Identifier: MIT

import AQToolSupport

/// The titles of a track, each from the frame on where it begins.
struct TitleChanges {
    private var changes: [(frame: Int64, title: String)]

    /// The largest number of titles that are kept. Earlier ones are not audible any more.
    private static let most = 64

    init(_ title: String) { changes = [(.min, DisplayText.sanitized(title))] }

    /// Adds a title, unless it is the latest.
    mutating func append(_ title: String, from frame: Int64) {
        let title = DisplayText.sanitized(title)
        guard title != latest else { return }
        changes.append((frame, title))
        if changes.count > Self.most { changes.removeFirst() }
    }

    var latest: String { changes.last?.title ?? "" }

    func title(at frame: Int64) -> String {
        changes.last { $0.frame <= frame }?.title ?? changes.first?.title ?? ""
    }
}
