// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// A reader of the audio of an MPEG-4 or QuickTime file, which returns packets as stored.
///
/// The initializer builds the index.
final class MP4FileReader: PacketReader {
    private(set) var format: AudioStreamBasicDescription
    let containerName: String
    private(set) var channelLabels: [AudioChannelLabel]
    private(set) var magicCookie: [UInt8]
    let information: [AudioFileInformation]
    let artwork: AudioFileArtwork?
    private let chapters: [(start: Int64, name: String)]
    private(set) var warnings = WarningList()
    private(set) var chunks: [AudioFileChunk] = []

    private let file: OpenFile
    private var index: PacketIndex
    private var trims: MP4Trims
    /// The number of packets that the tables declare; some may be missing.
    private let claimedPackets: Int64
    /// The defaults for fragments; nil if the file has no fragments.
    private let fragmentDefaults: [MP4FragmentDefaults]?
    private let track: UInt32
    private var isCutReported = false

    /// - Parameter file: A regular file.
    init(file: OpenFile) throws(AudioFileError) {
        self.file = file
        var layout = MP4Layout(file)
        let (movie, name) = try Self.findMovie(&layout)
        let track = try movie.soundTrack()
        let built = MP4TablePackets(track.tables, of: track.coding.format, fileBytes: file.bytes)
        format = track.coding.format
        magicCookie = track.coding.magicCookie
        channelLabels = track.coding.channelLabels
        containerName = name
        (information, artwork) = (movie.metadata.information, movie.metadata.artwork)
        chapters = movie.metadata.chapters
        index = built.index
        claimedPackets = built.claimedPackets
        trims = MP4Trims(
            edits: track.edits, gapless: movie.metadata.gapless, movieTimescale: movie.timescale,
            timescale: track.timescale, mediaDuration: track.tables.totalDuration)
        fragmentDefaults = movie.isFragmented ? movie.fragmentDefaults : nil
        self.track = track.identifier
        for line in built.faults + track.edits.notes { warnings.append(line) }
        try indexFragments(&layout)
        chunks = layout.chunks
        for fault in layout.faults { warnings.append(fault) }
        detectExtensions()
    }

    /// Takes the format from the first packets, if they show extensions that the description does not announce.
    private func detectExtensions() {
        guard let config = MP4Coding.config(format: format, magicCookie: magicCookie) else { return }
        let shown = file.config(announced: config, shownBy: IndexPositions(index: index))
        guard let coding = MP4Coding(found: shown, insteadOf: config) else { return }
        (format, magicCookie, channelLabels) = (coding.format, coding.magicCookie, coding.channelLabels)
    }

    var markers: [AudioFileMarker] {
        chapters.enumerated().map { number, chapter in
            AudioFileMarker(
                framePosition: Double(chapter.start) / 1e7 * format.mSampleRate, name: chapter.name,
                identifier: UInt32(number + 1))
        }
    }

    /// Skips all boxes before the movie, and reads the movie.
    private static func findMovie(
        _ layout: inout MP4Layout
    ) throws(AudioFileError) -> (MP4Movie, containerName: String) {
        // Older QuickTime files begin without a file type.
        var name = "QuickTime"
        while let part = try layout.next() {
            switch part.type.description {
            case "'ftyp'":
                let brand = try layout.contents(of: part).uint32(at: 0) ?? 0
                name = brand == FourCharacterCode(mp4: "qt  ").rawValue ? "QuickTime" : AudioFileType.m4a.name
            case "'moov'":
                let moov = try layout.contents(of: part)
                layout.listBoxes(in: moov)
                guard moov.box("cmov") == nil else {
                    throw AudioFileError(.unsupported, "an index that is itself compressed is not supported")
                }
                return (try MP4Movie(moov), name)
            default: break
            }
        }
        let fault = layout.faults.first.map { ": \($0)" } ?? ""
        throw AudioFileError(.damaged, "it has no index ('moov'), so its audio cannot be found\(fault)")
    }

    var isSeekable: Bool { true }

    var dataRange: Range<Int64>? { index.byteRange }

    var packetSizeUpperBound: Int { max(index.largestPacketBytes, 1) }

    var averageBitRate: Double {
        let frames = Double(index.count) * Double(format.mFramesPerPacket)
        return frames > 0 ? Double(index.audioBytes) * 8 * format.mSampleRate / frames : 0
    }

    var packetTable: PacketTable? {
        // Fragments declare no more packets than are present.
        trims.packetTable(
            of: format, packets: index.count, claimedPackets: max(claimedPackets, index.count))
    }

    func countPackets() throws(AudioFileError) -> Int64 { index.count }

    /// Skips the boxes after the movie, and adds the packets of fragments to the index.
    private func indexFragments(_ layout: inout MP4Layout) throws(AudioFileError) {
        while let part = try layout.next() {
            guard let fragmentDefaults, part.type == FourCharacterCode(mp4: "moof") else { continue }
            let contents = try layout.contents(of: part)
            layout.listBoxes(in: contents)
            let fragment = MP4Fragment(
                contents, fileOffset: part.fileOffset, track: track, defaults: fragmentDefaults)
            if let fault = index.append(fragment, fileBytes: file.byteCount) { warnings.append(fault) }
            trims.mediaDuration = fragment.runs.reduce(trims.mediaDuration ?? 0) {
                let (sum, overflow) = $0.addingReportingOverflow($1.totalDuration)
                return overflow ? .max : sum
            }
        }
    }
}

extension MP4FileReader {
    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        let (read, isCut) = try unsafe file.read(
            IndexPositions(index: index, packet: packet), isDescribed: format.mBytesPerPacket == 0,
            into: bytes,
            descriptions: descriptions)
        if isCut { noteCut(at: packet + Int64(read.packets)) }
        return read
    }

    private func noteCut(at packet: Int64) {
        guard !isCutReported else { return }
        isCutReported = true
        warnings.append("it ends at packet \(packet) of \(index.count)")
    }
}

extension MP4FileReader {
    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        let framesPerPacket = Int64(max(format.mFramesPerPacket, 1))
        let target = try decodedFrame(frame, in: packetTable)
        let packet = target / framesPerPacket
        let start = Preroll.firstPacket(for: min(packet, index.count), of: format) { index.bytes(of: $0) }
        return SeekPoint(packet: start, framesToDiscard: target - start * framesPerPacket)
    }

    func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        0..<index.count ~= packet ? index.byteOffset(of: packet) : nil
    }
}
