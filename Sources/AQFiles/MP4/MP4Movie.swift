// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The movie box of an MPEG-4 file: its tracks and text metadata.
///
/// The movie depends only on the bytes of a complete `moov` box, for files and streams.
struct MP4Movie {
    let timescale: Int64
    let metadata: MP4Metadata
    /// Whether samples may follow in fragments.
    let isFragmented: Bool
    let fragmentDefaults: [MP4FragmentDefaults]
    private let tracks: [MP4Bytes]

    init(_ moov: MP4Bytes) throws(AudioFileError) {
        guard let header = moov.box("mvhd"), let version = header.uint8(at: 0),
            let timescale = header.uint32(at: version == 1 ? 20 : 12)
        else { throw AudioFileError(.damaged, "its movie has no header") }
        self.timescale = Int64(timescale)
        metadata = MP4Metadata(moov)
        let extends = moov.box("mvex")
        isFragmented = extends != nil
        let trex = FourCharacterCode(mp4: "trex")
        fragmentDefaults =
            extends?.boxes().lazy.filter { $0.type == trex }.prefix(Self.mostTracks)
            .compactMap { MP4FragmentDefaults(trex: $0.contents) } ?? []
        let trak = FourCharacterCode(mp4: "trak")
        tracks = moov.boxes().lazy.filter { $0.type == trak }.prefix(Self.mostTracks).map(\.contents)
    }

    /// Finds the first audio track that is enabled and readable, or else the first readable one.
    ///
    /// - Throws: The error of the first audio track if none is readable; `unsupported` if there is none.
    func soundTrack() throws(AudioFileError) -> MP4Track {
        var refusal: AudioFileError?
        var spare: MP4Track?
        for trak in tracks where MP4Track.isAudio(trak) {
            do throws(AudioFileError) {
                let track = try MP4Track(trak, in: self)
                if track.isEnabled { return track }
                spare = spare ?? track
            } catch {
                refusal = refusal ?? error
            }
        }
        if let spare { return spare }
        throw refusal ?? AudioFileError(.unsupported, "it has no audio")
    }

    private static let mostTracks = 256
}

struct MP4Track {
    let identifier: UInt32
    let isEnabled: Bool
    let timescale: Int64
    let edits: MP4Edits
    let coding: MP4Coding
    let tables: MP4SampleTables

    /// Returns whether a track has an audio handler.
    static func isAudio(_ trak: MP4Bytes) -> Bool {
        trak.box(path: "mdia", "hdlr")?.uint32(at: 8) == FourCharacterCode(mp4: "soun").rawValue
    }

    init(_ trak: MP4Bytes, in movie: MP4Movie) throws(AudioFileError) {
        let header = trak.box("tkhd")
        identifier = header?.uint32(at: header?.uint8(at: 0) == 1 ? 20 : 12) ?? 0
        isEnabled = (header?.uint8(at: 3) ?? 0) & 1 == 1
        let mediaHeader = trak.box(path: "mdia", "mdhd")
        timescale = Int64(mediaHeader?.uint32(at: mediaHeader?.uint8(at: 0) == 1 ? 20 : 12) ?? 0)
        edits = trak.box(path: "edts", "elst").map { MP4Edits($0) } ?? MP4Edits()
        guard let media = trak.box(path: "mdia", "minf"), let stbl = media.box("stbl"),
            let stsd = stbl.box("stsd"), let description = MP4SoundDescription(stsd)
        else { throw AudioFileError(.damaged, "its audio track has no description") }
        tables = MP4SampleTables(stbl)
        coding = try MP4Coding(
            description, timescale: timescale, sampleDuration: tables.firstSampleDuration)
        guard Self.isInFile(media, reference: description.dataReference) else {
            throw AudioFileError(.unsupported, "its audio is in another file")
        }
    }

    /// Returns false if a data reference refers to another file. A missing reference means this file.
    private static func isInFile(_ media: MP4Bytes, reference: Int) -> Bool {
        guard let list = media.box(path: "dinf", "dref"), reference > 0 else { return true }
        var entries = list.boxes(from: 8)
        for _ in 1..<min(reference, 256) { _ = entries.next() }
        guard let flags = entries.next()?.contents.uint8(at: 3) else { return true }
        return flags & 1 == 1
    }
}
