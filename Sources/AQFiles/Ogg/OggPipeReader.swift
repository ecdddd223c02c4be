// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A reader of the consecutive Ogg streams in a pipe: FLAC through libFLAC, all others through libsndfile.
final class OggPipeReader: PacketReader {
    let containerName = "Ogg"
    let isSeekable = false

    private let pipe: OggPipe
    /// The bytes that the reader of the stream reads.
    private var bytes: any PipeBytes
    private var reader: any ForwardReader
    private var earlierFrames: Int64 = 0
    private var ownWarnings = WarningList()
    private var streams = 1

    init(_ pipe: OggPipe) throws(AudioFileError) {
        self.pipe = pipe
        bytes = pipe
        reader = try Self.begin(in: pipe, &bytes)
    }

    /// Opens the next stream.
    ///
    /// - Parameter bytes: Receives the bytes that the reader uses, also if it fails.
    private static func begin(
        in pipe: OggPipe, _ bytes: inout any PipeBytes
    ) throws(AudioFileError) -> any ForwardReader {
        bytes = pipe
        if try pipe.begin() { return try FLACPipeReader(pipe, containerName: "Ogg") }
        // Bytes received ahead stay in the source, which counts them: a network's buffer decides by their number.
        let file = try PipePump.start(from: pipe, blockBytes: PipePump.leastBlockBytes)
        bytes = file
        return try SndFileReader(file: file, isPipe: true)
    }

    var format: AudioStreamBasicDescription { reader.format }
    var isLossy: Bool { reader.isLossy }
    var decodedCodec: String? { reader.decodedCodec }
    var channelLabels: [AudioChannelLabel] { reader.channelLabels }
    var packetTable: PacketTable? { nil }
    var isReadable: Bool? { reader.isReadable }
    var packetSizeUpperBound: Int { reader.packetSizeUpperBound }
    var averageBitRate: Double { 0 }
    var information: [AudioFileInformation] { reader.information }
    var artwork: AudioFileArtwork? { reader.artwork }

    var leastFramesPerRead = Int64.max {
        didSet { reader.leastFramesPerRead = leastFramesPerRead }
    }

    var warnings: WarningList {
        var warnings = ownWarnings
        for problem in reader.warnings.problems { warnings.append(problem) }
        return warnings
    }

    func countPackets() throws(AudioFileError) -> Int64 {
        throw AudioFileError(.notSeekable, "a pipe without a length cannot be read twice")
    }

    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        guard frame >= earlierFrames + reader.nextFrame else {
            throw AudioFileError(.notSeekable, "it can only be read forwards")
        }
        return SeekPoint(packet: frame, framesToDiscard: 0)
    }

    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        while true {
            guard packet >= earlierFrames else {
                throw AudioFileError(
                    .notSeekable, "frame \(packet) has passed, and it can only be read forwards")
            }
            let read = try unsafe reader.readPackets(
                from: packet - earlierFrames, into: bytes, descriptions: descriptions)
            guard read.packets == 0, try openNext() else { return read }
        }
    }

    /// Opens the next stream that can follow; returns false if the pipe ends before one.
    private func openNext() throws(AudioFileError) -> Bool {
        while try endStream() {
            streams += 1
            do throws(AudioFileError) {
                let next = try Self.begin(in: pipe, &bytes)
                guard next.format.hasSameFrames(as: format) else {
                    ownWarnings.append(
                        "stream \(streams) has another format, \(next.format.summary), and is left out")
                    continue
                }
                for problem in reader.warnings.problems { ownWarnings.append(problem) }
                earlierFrames += reader.nextFrame
                next.leastFramesPerRead = leastFramesPerRead
                reader = next
                return true
            } catch {
                ownWarnings.append("stream \(streams) is left out: \(error.message)")
            }
        }
        return false
    }

    /// Reads the stream to its end, so that its pump stops using the pipe.
    ///
    /// - Returns: Whether another stream follows.
    private func endStream() throws(AudioFileError) -> Bool {
        var block = [UInt8](repeating: 0, count: 16_384)
        while try bytes.readSome(into: &block) > 0 {}
        return pipe.hasNext
    }
}
