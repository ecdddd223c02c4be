// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A detector of a stream's type by its first bytes, which passes the stream to the right parser.
final class FileTypeDetector: ContainerParser {
    private let typeHint: AudioFileType?
    private var probe = StreamProbe()

    init(typeHint: AudioFileType?) { self.typeHint = typeHint }

    func step(_ core: StreamCore) throws(AudioFileError) -> StreamStep {
        guard core.queue.count >= Self.headBytes || core.isAtEnd else { return .needs(Self.headBytes) }
        let head = core.queue.prefix(Self.headBytes)
        // An empty stream has no known type.
        guard !head.isEmpty else { return .needs(1) }
        // Any type of stream may begin with a tag.
        if let tagBytes = StreamTag.id3Bytes(head) {
            let wanted = Int(min(tagBytes, StreamFacts.longestText))
            guard core.queue.count >= wanted || core.isAtEnd else { return .needs(wanted) }
            core.facts.add(ID3Reader.metadata(in: TagBytes(core.queue.prefix(wanted))))
            core.queue.skip(tagBytes)
            return .again
        }
        switch FileSignature(head: head) {
        case .container:
            guard [.wave, .rf64, .aiff, .aiffC].contains(AudioFileType(head: head)) else {
                throw AudioFileError(.unrecognised, "containers of its kind are not parsed")
            }
            core.hand(over: ChunkStreamParser())
        case .caf: core.hand(over: CAFStreamParser())
        case .mpeg4: core.hand(over: MP4StreamParser())
        case .refused(let error): throw AudioFileError(.unrecognised, error.message)
        case .text where typeHint != .mp3 && typeHint != .adts:
            throw AudioFileError(.unrecognised, "it is text")
        case .packet, .text, .unknown: return try findStream(core)
        }
        return .again
    }

    /// Detects packets without a header, which may begin at any offset, as in broadcasts.
    private func findStream(_ core: StreamCore) throws(AudioFileError) -> StreamStep {
        switch unsafe probe.search(core.queue.bytes, isEnd: core.isAtEnd) {
        case .needs(let count): return .needs(count)
        case .nothing:
            throw AudioFileError(
                .unrecognised, "no packet of MPEG audio or AAC in its first \(core.queue.count) bytes")
        case .found(.loas, _): throw AudioFile.loas
        case .found(.adts, _): core.hand(over: ADTSStreamParser())
        case .found(.mpegAudio, _):
            #if HAVE_MPEG_AUDIO
            core.hand(over: MPEGStreamParser())
            #else
            throw AudioFileError(
                .unrecognised, "it is MPEG audio, which this program was built without")
            #endif
        }
        return .again
    }

    func position(ofPacket packet: Int64, _ core: StreamCore) -> StreamPosition? { nil }
    func resume(atPacket packet: Int64, _ position: StreamPosition, _ core: StreamCore) {}
    func resumeAfterGap(_ core: StreamCore) -> Bool { false }

    /// The number of bytes that contain every signature.
    private static let headBytes = 16
}
