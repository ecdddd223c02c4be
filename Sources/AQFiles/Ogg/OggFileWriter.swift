// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A writer of Ogg files of linear PCM, which libvorbis or libopus encodes.
///
/// Each append writes the pages that are complete. A page holds 4 KiB or a quarter of a second, whichever is less, so
/// that a process that dies loses little. In a file, the last page is marked as the end of the stream: the mark of the
/// page before is removed first, so a process that dies in between leaves a file without the mark, which readers accept.
final class OggFileWriter: PacketWriter {
    let file: OutputFile

    private let encoder: any OggEncoder
    private let input: EncoderInput
    private let serial = UInt32.random(in: .min ... .max)
    private var stream: PacketStreamFile
    private var pages: OggPageBuilder
    private var metadata = FileMetadata()
    private var isBegun = false
    /// The last page of the file and its offset; nil in a stream.
    private var last: (page: OggPageBuilder.Page, offset: Int64)?
    /// The position at the end of the last complete page.
    private var pageEndPosition: Int64 = 0
    private var encodedFrames: Int64 = 0
    /// The number of frames in the file.
    private var storedFrames: Int64 = 0
    /// Whether the file lacks audio that was encoded.
    private var isCut = false

    /// Checks that the encoder supports the format, then creates the file.
    static func make(_ order: FileOrder, of type: AudioFileType) throws(AudioFileError) -> any PacketWriter {
        let input = try EncoderInput(format: order.format, of: type)
        let channels = Int(order.format.mChannelsPerFrame)
        let encoder: any OggEncoder =
            type == .oggOpus
            ? try OpusEncoder(sampleRate: input.sampleRate, channels: channels, bitRate: order.bitRate)
            : try VorbisEncoder(sampleRate: input.sampleRate, channels: channels, bitRate: order.bitRate)
        return try order.createFile { (file) throws(AudioFileError) in
            try OggFileWriter(encoder, input: input, to: file)
        }
    }

    init(
        _ encoder: any OggEncoder, input: EncoderInput, to file: OutputFile
    ) throws(AudioFileError) {
        self.encoder = encoder
        self.input = input
        self.file = file
        stream = PacketStreamFile(file)
        pages = OggPageBuilder(serial: serial)
        // The start of a stream waits for the metadata, because it cannot be changed after it is written.
        if file.isSeekable { try begin() }
    }

    /// The number of frames passed to the encoder, which are all in the file once it is closed; after a failure, the
    /// number in the file.
    var frameCount: Int64 { isCut ? storedFrames : encodedFrames }

    /// Whether no audio was appended; the file does not show it, because the encoder holds back packets.
    var isEmpty: Bool { encodedFrames == 0 }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        let frames = try unsafe input.frames(in: bytes)
        do throws(AudioFileError) {
            try unsafe input.divide(bytes, frames: frames) { (block, frames) throws(AudioFileError) in
                let packets = try encoder.encode(unsafe input.floats(block), frames: frames)
                encodedFrames += Int64(frames)
                try store(packets)
            }
        } catch {
            isCut = true
            throw error
        }
    }

    func set(_ setting: FileSetting) throws(AudioFileError) {
        try checkIsEmpty(before: setting)
        var changed = metadata
        try changed.set(setting)
        let bytes = encoder.headerPackets(changed).reduce(0) { $0 + $1.count }
        guard bytes <= OggComments.mostBytes else {
            throw AudioFileError(
                .unsupported, "tags and pictures of \(bytes) bytes exceed the 24 MB that players read")
        }
        metadata = changed
        if isBegun { try begin() }
    }

    func complete(hasFailed: Bool) throws(AudioFileError) {
        guard !hasFailed else { return }
        do throws(AudioFileError) {
            try store(encoder.finish(), isEnd: true)
        } catch {
            isCut = true
            throw error
        }
    }

    /// Writes the header packets, or writes them again in an empty file.
    private func begin() throws(AudioFileError) {
        pages = OggPageBuilder(serial: serial)
        for (number, packet) in encoder.headerPackets(metadata).enumerated() {
            pages.add(OggPacket(bytes: packet, endPosition: 0))
            // The first packet has a page of its own, and so does the audio.
            if number == 0 { pages.endPage() }
        }
        pages.endPage()
        var header = pages.takePages()
        isBegun = true
        last = nil
        if file.isSeekable { header[header.count - 1].isLast = true }
        try stream.begin(with: header.flatMap(\.bytes))
        if file.isSeekable, let page = header.last { last = (page, -Int64(page.bytes.count)) }
    }

    /// Writes the pages that are complete with these packets.
    private func store(_ packets: [OggPacket], isEnd: Bool = false) throws(AudioFileError) {
        if !isBegun { try begin() }
        for (number, packet) in packets.enumerated() {
            pages.add(packet)
            let isLast = isEnd && number == packets.count - 1
            if isLast || isPageDue(at: packet.endPosition) {
                pages.endPage(isLast: isLast)
                pageEndPosition = packet.endPosition
            }
        }
        try write(pages.takePages())
    }

    private func isPageDue(at position: Int64) -> Bool {
        // The first frames come in a short page, so that the file soon has some.
        if encoder.timing.frames(until: pageEndPosition) == 0 {
            return encoder.timing.frames(until: position) > 0
        }
        return pages.contentByteCount >= Self.pageBytes
            || position - pageEndPosition >= encoder.timing.positionsPerSecond / Self.pagesPerSecond
    }

    private func write(_ complete: [OggPageBuilder.Page]) throws(AudioFileError) {
        guard !complete.isEmpty else { return }
        var complete = complete
        if file.isSeekable {
            complete[complete.count - 1].isLast = true
            try markLastPage(false)
        }
        var offset = stream.endOffset
        var end = 0
        let ends = complete.map { page in
            end += page.bytes.count
            return end
        }
        do throws(AudioFileError) {
            try stream.append(complete.flatMap(\.bytes), packetEnds: ends) { count in
                for page in complete.prefix(count) {
                    if let position = page.endPosition {
                        storedFrames = encoder.timing.frames(until: position)
                    }
                    if file.isSeekable { last = (page, offset) }
                    offset += Int64(page.bytes.count)
                }
            }
        } catch {
            // The first failure is reported. Without the mark the file is readable too.
            if file.isSeekable { try? markLastPage(true) }
            throw error
        }
    }

    /// Marks the last page of the file as the end of the stream, or removes the mark, with a single write.
    private func markLastPage(_ isLast: Bool) throws(AudioFileError) {
        guard var marked = last else { return }
        marked.page.isLast = isLast
        let changed = OggPage.flagsOffset..<OggPage.headerBytes
        try stream.patch(
            Array(marked.page.bytes[changed]), at: marked.offset + Int64(changed.lowerBound))
        last = marked
    }

    private static let pageBytes = 4096
    private static let pagesPerSecond: Int64 = 4
}
