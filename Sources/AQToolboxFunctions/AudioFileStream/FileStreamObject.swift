// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The object of an `AudioFileStreamID`.
///
/// Only one call of a handle runs at a time, as the published interface requires of its callers. A procedure
/// that is called inside a call may make other calls.
// SAFETY: calls of one handle do not overlap in time, and the table of handles has a lock of its own.
final class FileStreamObject: @unchecked Sendable {
    static let all = HandleTable<FileStreamObject>()

    let stream: AudioFileStream
    private let client: FileStreamClient

    init(client: FileStreamClient, typeHint: AudioFileType?) {
        self.client = client
        stream = unsafe AudioFileStream(
            typeHint: typeHint,
            onProperty: { stream, property in client.report(property, of: stream) },
            onPackets: { _, bytes, packets, descriptions in
                unsafe client.give(bytes, packets: packets, descriptions)
            })
    }

    /// Reports properties and packets to the client, by its handle.
    func begin(as handle: AudioFileStreamID) { unsafe client.begin(as: handle) }

    func end() { client.end() }

    /// The file type that a client expects; nil for none, and for types that make no difference here.
    static func typeHint(_ type: AudioFileTypeID) -> AudioFileType? {
        switch type {
        case kAudioFileMP1Type, kAudioFileMP2Type: .mp3
        default: AudioFileType.allCases.first { $0.fourCharacterCode.rawValue == type }
        }
    }
}
