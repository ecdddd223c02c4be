import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// What an `AudioFileStreamID` stands for.
///
/// Of one handle, one call is made at a time, as the published interface asks of its callers; a procedure that is
/// called from inside one may make others.
// SAFETY: calls of one handle do not overlap in time, and the table of handles has a lock of its own.
final class FileStreamObject: @unchecked Sendable {
    /// All that are open.
    static let all = HandleTable<FileStreamObject>()

    let stream: AudioFileStream
    private let client: FileStreamClient

    init(client: FileStreamClient, typeHint: AudioFileType?) {
        self.client = client
        stream = unsafe AudioFileStream(
            typeHint: typeHint,
            onProperty: { stream, property in client.tell(property, of: stream) },
            onPackets: { _, bytes, packets, descriptions in
                unsafe client.give(bytes, packets: packets, descriptions)
            })
    }

    /// Tells the client of what comes, by the handle that it is given.
    func begin(as handle: AudioFileStreamID) { unsafe client.begin(as: handle) }

    /// Tells the client nothing any more.
    func end() { client.end() }

    /// The kind of file that a client expects; nil for none, and for those that decide nothing here.
    static func typeHint(_ type: AudioFileTypeID) -> AudioFileType? {
        switch type {
        case kAudioFileMP1Type, kAudioFileMP2Type: .mp3
        default: AudioFileType.allCases.first { $0.fourCharacterCode.rawValue == type }
        }
    }
}
