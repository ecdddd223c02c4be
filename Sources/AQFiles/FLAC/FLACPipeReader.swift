// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A reader of FLAC in a pipe, which decodes each frame as soon as its last byte has arrived.
///
/// libsndfile reads FLAC only from files, because it seeks while it reads the header.
final class FLACPipeReader: ForwardReader {
    let format: AudioStreamBasicDescription
    let channelLabels: [AudioChannelLabel]
    let containerName: String
    let isLossy = false
    let decodedCodec: String? = "FLAC"
    let isSeekable = false
    var leastFramesPerRead = Int64.max
    private(set) var nextFrame: Int64 = 0

    private let bytes: ArrivingBytes
    private let source: FLACFrameSource
    private var metadata: FileMetadata
    /// The number of frames of silence before the decoded frames.
    private var silentFrames: Int64 = 0
    /// The range of decoded bytes that are still to be returned.
    private var decoded = 0..<0
    private var isAtEnd = false
    private var ownWarnings = WarningList()

    /// Opens a stream that begins with its header, and reads the header.
    ///
    /// - Parameter head: The bytes already read from `pipe`.
    /// - Throws: `damaged`, `unsupported`; `unreadable` if the system fails.
    convenience init(
        _ pipe: any PipeBytes, head: [UInt8] = [], containerName: String = "FLAC"
    ) throws(AudioFileError) {
        let bytes = ArrivingBytes(pipe, head: head)
        let header = try FLACStreamHeader(bytes)
        try self.init(header.info, bytes, header.metadata, isJoined: false, containerName: containerName)
    }

    /// Opens a stream without a header, from a frame on.
    ///
    /// - Parameters:
    ///   - info: The description in the header of the frame at the start of `head`.
    ///   - head: The bytes already read from `pipe`.
    convenience init(
        joining pipe: any PipeBytes, _ info: FLACStreamInfo, head: [UInt8]
    ) throws(AudioFileError) {
        try self.init(
            info, ArrivingBytes(pipe, head: head), FileMetadata(), isJoined: true, containerName: "FLAC")
    }

    private init(
        _ info: FLACStreamInfo, _ bytes: ArrivingBytes, _ metadata: FileMetadata, isJoined: Bool,
        containerName: String
    ) throws(AudioFileError) {
        if let fault = FormatLimits.fault(sampleRate: Double(info.sampleRate), channels: info.channels) {
            throw AudioFileError(.unsupported, "it has \(fault)")
        }
        self.bytes = bytes
        self.metadata = metadata
        self.containerName = containerName
        source = try FLACFrameSource(info, bytes: bytes, isJoined: isJoined)
        format = info.format
        sampleDigest = isJoined || info.frameCount == nil ? nil : info.digest
        channelLabels = ChannelLabels.defaults(channels: info.channels)
    }

    var packetTable: PacketTable? {
        source.frameCount.map { PacketTable(primingFrames: 0, validFrames: $0, remainderFrames: 0) }
    }

    /// The checksum of the first recording, if its count ends the reading.
    let sampleDigest: SampleDigest?

    var packetSizeUpperBound: Int { Int(format.mBytesPerPacket) }

    /// The bit rate so far.
    var averageBitRate: Double {
        let frames = source.decodedFrames
        return frames > 0 ? Double(bytes.queue.offset) * 8 * format.mSampleRate / Double(frames) : 0
    }

    var information: [AudioFileInformation] { metadata.information }

    var artwork: AudioFileArtwork? { metadata.artwork }

    var warnings: WarningList {
        var warnings = source.warnings
        for problem in ownWarnings.problems { warnings.append(problem) }
        return warnings
    }

    func countPackets() throws(AudioFileError) -> Int64 {
        guard let frames = source.frameCount else {
            throw AudioFileError(.notSeekable, "a pipe without a length cannot be read twice")
        }
        return frames
    }

    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        _ = try decodedFrame(frame, in: packetTable)
        guard frame >= nextFrame else { throw AudioFileError(.notSeekable, "it can only be read forwards") }
        return SeekPoint(packet: frame, framesToDiscard: 0)
    }

    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        let frameBytes = Int(format.mBytesPerFrame)
        let room = bytes.count / frameBytes
        guard room > 0 else {
            throw AudioFileError(
                .bufferTooSmall, "a frame of \(frameBytes) bytes does not fit \(bytes.count)")
        }
        guard packet >= nextFrame else {
            throw AudioFileError(
                .notSeekable, "frame \(packet) has passed, and it can only be read forwards")
        }
        var done = 0
        do throws(AudioFileError) {
            while nextFrame < packet, try fill(mayWait: true) {
                _ = unsafe take(Int(clamping: packet - nextFrame), into: nil)
            }
            guard nextFrame == packet else { return PacketRead(packets: 0, bytes: 0) }
            while done < room {
                let mayWait = done == 0 || Int64(done) < leastFramesPerRead
                guard try fill(mayWait: mayWait) else { break }
                let memory = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(done * frameBytes)...])
                done += unsafe take(room - done, into: memory)
            }
        } catch {
            // The frames before the failure are returned first.
            if done == 0 { throw error }
        }
        return PacketRead(packets: done, bytes: done * frameBytes)
    }

    var isReadable: Bool? {
        do throws(AudioFileError) {
            return try fill(mayWait: false) || isAtEnd || nextFrame >= source.frameCount ?? .max
        } catch {
            // The next read fails in the same way.
            return true
        }
    }

    /// Makes frames available; returns false at the end, or if that would require a wait.
    private func fill(mayWait: Bool) throws(AudioFileError) -> Bool {
        while silentFrames == 0, decoded.isEmpty {
            if isAtEnd || nextFrame >= source.frameCount ?? .max { return false }
            bytes.mayWait = mayWait
            switch try source.next() {
            case .frame(let silentFrames):
                self.silentFrames = silentFrames
                decoded = 0..<source.decoder.samples.count
            case .recording(let metadata): self.metadata = metadata
            case .late: return false
            case .end:
                isAtEnd = true
                if let frames = source.frameCount {
                    ownWarnings.append("the audio ends at frame \(nextFrame) of \(frames)")
                }
            }
        }
        return nextFrame < source.frameCount ?? .max
    }

    /// Takes available frames, at most `most`; drops them if there is no memory for them.
    private func take(_ most: Int, into memory: UnsafeMutableRawBufferPointer?) -> Int {
        let frameBytes = Int(format.mBytesPerFrame)
        let most = min(most, Int(clamping: (source.frameCount ?? .max) - nextFrame))
        let isSilent = silentFrames > 0
        let frames = isSilent ? Int(min(Int64(most), silentFrames)) : min(most, decoded.count / frameBytes)
        let byteCount = frames * frameBytes
        if isSilent {
            if let memory = unsafe memory {
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<byteCount]).initializeMemory(
                    as: UInt8.self, repeating: 0)
            }
            silentFrames -= Int64(frames)
        } else {
            let part = decoded.prefix(byteCount)
            if let memory = unsafe memory {
                unsafe source.decoder.samples.withUnsafeBytes {
                    unsafe memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[part]))
                }
            }
            decoded = part.upperBound..<decoded.upperBound
        }
        nextFrame += Int64(frames)
        return frames
    }
}
