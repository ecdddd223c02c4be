// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// Changes to chunks that are written to a new file when its audio is complete.
///
/// Before that, a chunk after the audio would block the next packet, and a chunk in front of the audio has no
/// room to grow.
struct LateChunks {
    /// A chunk of a type, with its new contents.
    struct Entry {
        /// The index among the chunks in the file; nil for a chunk that is not in the file.
        var stored: Int?
        /// The new contents; nil if the contents do not change.
        var contents: [UInt8]?
    }

    /// The changed chunks by type, in the order of first change.
    private var changed: [(type: UInt32, entries: [Entry])] = []

    var isEmpty: Bool { changed.isEmpty }

    /// The types of chunks that are not in the file, once for each chunk.
    var newTypes: [UInt32] {
        changed.flatMap { type, entries in entries.filter { $0.stored == nil }.map { _ in type } }
    }

    /// All chunks of a type after the changes; nil if no chunk of the type changes.
    func entries(of type: UInt32) -> [Entry]? { changed.first { $0.type == type }?.entries }

    /// Sets the contents of a chunk. The index after the last chunk adds a chunk.
    ///
    /// - Parameter stored: The number of chunks of the type in the file.
    /// - Throws: `kAudioFileInvalidChunkError` for any other index.
    mutating func set(
        _ type: UInt32, index: Int, contents: [UInt8], stored: Int
    ) throws(StatusError) {
        var entries = known(type, stored: stored)
        guard 0...entries.count ~= index else { throw StatusError(kAudioFileInvalidChunkError) }
        if index == entries.count { entries.append(Entry()) }
        entries[index].contents = contents
        replace(type, entries)
    }

    /// Removes a chunk.
    ///
    /// - Throws: `kAudioFileInvalidChunkError` if there is no such chunk.
    mutating func remove(_ type: UInt32, index: Int, stored: Int) throws(StatusError) {
        var entries = known(type, stored: stored)
        guard entries.indices ~= index else { throw StatusError(kAudioFileInvalidChunkError) }
        entries.remove(at: index)
        replace(type, entries)
    }

    /// Makes the changes to a complete file.
    func apply(to editor: AudioFileEditor) throws(AudioFileError) {
        for (code, entries) in changed {
            let type = FourCharacterCode(rawValue: code)
            let kept = Set(entries.compactMap(\.stored))
            // From the last, since the removal of a chunk changes the indices of later ones.
            let least = try editor.countChunks(type)
            for stored in (0..<least).reversed() where !kept.contains(stored) {
                try editor.removeChunk(type, index: stored)
            }
            // Existing chunks precede new ones, in their order.
            for (index, entry) in entries.enumerated() {
                if let contents = entry.contents {
                    try editor.setChunk(type, index: index, contents: contents)
                }
            }
        }
    }

    private func known(_ type: UInt32, stored: Int) -> [Entry] {
        entries(of: type) ?? (0..<stored).map { Entry(stored: $0) }
    }

    private mutating func replace(_ type: UInt32, _ entries: [Entry]) {
        if let position = changed.firstIndex(where: { $0.type == type }) {
            changed[position].entries = entries
        } else {
            changed.append((type, entries))
        }
    }
}
