import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// Changes to the chunks of a file that is being written, which wait until its sound is complete.
///
/// A chunk behind the sound would be in the way of the next packet, and one ahead of it has no room to grow.
struct LateChunks {
    /// One chunk of a type.
    struct Entry {
        /// Which of the chunks in the file it is; nil for one that is not there yet.
        var stored: Int?
        /// What it is to hold; nil if that is what it holds already.
        var contents: [UInt8]?
    }

    /// By type, in the order of first change.
    private var changed: [(type: UInt32, entries: [Entry])] = []

    var isEmpty: Bool { changed.isEmpty }

    /// The types of chunks that are not in the file yet, as often as there are such.
    var newTypes: [UInt32] {
        changed.flatMap { type, entries in entries.filter { $0.stored == nil }.map { _ in type } }
    }

    /// All chunks of a type as they will be; nil if none of them is to change.
    func entries(of type: UInt32) -> [Entry]? { changed.first { $0.type == type }?.entries }

    /// Sets the contents of one, or adds one.
    ///
    /// - Parameter stored: Chunks of the type that the file has.
    /// - Throws: `kAudioFileInvalidChunkError` for a number past the last.
    mutating func set(
        _ type: UInt32, index: Int, contents: [UInt8], stored: Int
    ) throws(StatusError) {
        var entries = known(type, stored: stored)
        guard 0...entries.count ~= index else { throw StatusError(kAudioFileInvalidChunkError) }
        if index == entries.count { entries.append(Entry()) }
        entries[index].contents = contents
        replace(type, entries)
    }

    /// Removes one.
    ///
    /// - Throws: `kAudioFileInvalidChunkError` if there is none.
    mutating func remove(_ type: UInt32, index: Int, stored: Int) throws(StatusError) {
        var entries = known(type, stored: stored)
        guard entries.indices ~= index else { throw StatusError(kAudioFileInvalidChunkError) }
        entries.remove(at: index)
        replace(type, entries)
    }

    /// Makes the changes to a file that is complete.
    func apply(to editor: AudioFileEditor) throws(AudioFileError) {
        for (code, entries) in changed {
            let type = FourCharacterCode(rawValue: code)
            let kept = Set(entries.compactMap(\.stored))
            // From the last, since those behind a removed one change their numbers.
            let least = try editor.countChunks(type)
            for stored in (0..<least).reversed() where !kept.contains(stored) {
                try editor.removeChunk(type, index: stored)
            }
            // Those that the file has stand in front of the new ones, in their order.
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
        if let place = changed.firstIndex(where: { $0.type == type }) {
            changed[place].entries = entries
        } else {
            changed.append((type, entries))
        }
    }
}
