// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The frames of FLAC in a pipe, decoded as they arrive, in the order and with the numbers of the stream.
///
/// Damaged and missing frames are found like in files, by headers and checksums: see ``RepairedFLAC``.
final class FLACFrameSource {
    enum Event {
        /// A frame was decoded, after a number of frames that are lost.
        case frame(silentFrames: Int64)
        /// A new recording begins, with its own metadata.
        case recording(FileMetadata)
        /// Progress would require a wait.
        case late
        case end
    }

    private(set) var info: FLACStreamInfo
    private(set) var decoder: FLACFrameDecoder
    private(set) var warnings = WarningList()
    /// The number of frames of the recording; nil if unknown, or if the pipe begins inside the recording.
    private(set) var frameCount: Int64?
    /// The number of frames decoded.
    private(set) var decodedFrames: Int64 = 0

    private let bytes: ArrivingBytes
    /// The number of the next frame's first sample; nil before the first frame of a recording.
    private var expected: Int64?
    /// The offset and first bytes of the data since the last frame; nil if there is none.
    private var lost: (offset: Int64, firstBytes: [UInt8])?
    /// Whether the pipe began without a header.
    private let isJoined: Bool
    /// Whether the recording has another format than the first one.
    private var isLeftOut = false
    private var recordings = 1
    /// The number of consecutive frames with numbers that have passed.
    private var passedFrames = 0
    /// The number of frames of silence that lost bytes do not explain, and that are still allowed.
    private var silenceFrames: Int64 = 1 << 20
    /// The number of bytes that failed attempts may still read.
    private var attemptBytes: Int64 = 1 << 20

    /// - Parameters:
    ///   - bytes: The bytes from the first frame on, or near it.
    ///   - isJoined: Whether `info` is not from a header.
    init(_ info: FLACStreamInfo, bytes: ArrivingBytes, isJoined: Bool) throws(AudioFileError) {
        self.info = info
        self.bytes = bytes
        self.isJoined = isJoined
        frameCount = info.frameCount
        decoder = try FLACFrameDecoder(info, bytes: bytes)
    }

    /// Finds and decodes the next frame.
    func next() throws(AudioFileError) -> Event {
        while true {
            guard bytes.hold(FLACFrameHeader.mostBytes) || bytes.isAtEnd else { return .late }
            guard bytes.queue.count > 0 else {
                reportEnd()
                if let failure = bytes.failure { throw failure }
                return .end
            }
            if isHeader {
                if let metadata = try beginRecording() { return .recording(metadata) }
                continue
            }
            if !isLeftOut, attemptBytes >= 0,
                let header = unsafe FLACFrameHeader(bytes.queue.bytes, in: info), isCredible(header)
            {
                let offset = bytes.queue.offset
                switch try decoder.decode(header) {
                case .late: return .late
                case .decoded:
                    if let silentFrames = accept(header, at: offset) {
                        return .frame(silentFrames: silentFrames)
                    }
                    continue
                case .damaged: attemptBytes -= Int64(max(decoder.readBytes, Self.leastAttemptBytes))
                }
            }
            try passBytes()
        }
    }

    /// Skips the first byte, up to the next byte that may begin a frame or a header.
    private func passBytes() throws(AudioFileError) {
        try decoder.restart()
        let queue = bytes.queue
        if lost == nil { lost = (queue.offset, queue.prefix(FLACFrameHeader.mostBytes)) }
        let next = unsafe queue.bytes.dropFirst().firstIndex { $0 == 0xFF || $0 == Self.mark[0] }
        let count = Int64(next ?? queue.count)
        attemptBytes = min(attemptBytes + Self.attemptsPerByte * count, Self.mostAttemptBytes)
        queue.skip(count)
    }

    /// Returns whether a frame after damage can belong to the recording.
    private func isCredible(_ header: FLACFrameHeader) -> Bool {
        guard lost != nil, let frameCount else { return true }
        return header.firstSample + header.frames <= frameCount
    }

    /// Adds a decoded frame to the recording.
    ///
    /// - Returns: The number of frames lost before the frame; nil if the frame is a repetition.
    private func accept(_ header: FLACFrameHeader, at offset: Int64) -> Int64? {
        let first = header.firstSample
        let lostBytes = offset - (lost?.offset ?? offset)
        var silentFrames: Int64 = 0
        if let expected {
            guard first >= expected || first == 0 || passedFrames >= Self.mostPassedFrames else {
                passedFrames += 1
                if lost == nil { lost = (offset, []) }
                return nil
            }
            silentFrames = gap(from: expected, to: first, lostBytes: lostBytes, at: offset)
        } else if first > 0 {
            // A file that counts its frames has lost the first ones; otherwise a listener joins a broadcast.
            let explained = RepairedFLAC.explainedFrames(lostBytes: lostBytes, info)
            if frameCount != nil, lostBytes > 0, first <= explained {
                silentFrames = gap(from: 0, to: first, lostBytes: lostBytes, at: offset)
            } else {
                frameCount = frameCount.map { max($0 - first, 0) }
            }
        } else if lostBytes > 0, !isJoined {
            reportForeign(lostBytes, before: 0)
        }
        expected = first + header.frames
        (lost, passedFrames) = (nil, 0)
        decodedFrames += header.frames
        silenceFrames += header.frames
        return silentFrames
    }

    /// Reports what is between two frames.
    ///
    /// - Returns: The number of lost frames that are replaced by silence.
    private func gap(from expected: Int64, to first: Int64, lostBytes: Int64, at offset: Int64) -> Int64 {
        let start = offset - lostBytes
        guard first > expected else {
            if first < expected {
                warnings.append("the frame numbers begin again at byte \(offset)", grade: .oddity)
            } else if lostBytes > 0 {
                reportForeign(lostBytes, before: expected)
            }
            return 0
        }
        let missing = expected..<first
        let unexplained = max(
            Int64(missing.count) - RepairedFLAC.explainedFrames(lostBytes: lostBytes, info), 0)
        guard unexplained <= silenceFrames else {
            warnings.append("\(missing.count) frames from frame \(expected) on, at byte \(start), are lost")
            return 0
        }
        silenceFrames -= unexplained
        warnings.append(RepairedFLAC.words(missing, from: start))
        return Int64(missing.count)
    }

    private func reportForeign(_ byteCount: Int64, before frame: Int64) {
        let start = lost?.offset ?? 0
        warnings.append(DamageWords.foreign(byteCount, at: start, "before frame \(frame)", no: "FLAC"))
    }

    /// Reports what follows the last frame, unless it is a tag.
    private func reportEnd() {
        guard let lost, frameCount == nil, !StreamTag.begins(lost.firstBytes) else { return }
        let isCut =
            unsafe lost.firstBytes.withUnsafeBytes { unsafe FLACFrameHeader($0, in: info) } != nil
        let byteCount = bytes.queue.offset - lost.offset
        warnings.append(
            isCut
                ? "the last frame, at byte \(lost.offset), is damaged or cut short"
                : DamageWords.foreign(byteCount, at: lost.offset, "after the last frame", no: "FLAC"))
        self.lost = nil
    }

    /// Whether a header begins at the start of the queue, as sent by a broadcast between two recordings.
    private var isHeader: Bool {
        let start = bytes.queue.prefix(Self.mark.count)
        return start == Self.mark || start == Self.onlyMark
    }

    /// Reads the header at the start of the queue, or skips bytes if it is damaged.
    ///
    /// - Returns: The metadata; nil if the header is damaged, or of a recording in another format.
    private func beginRecording() throws(AudioFileError) -> FileMetadata? {
        try decoder.restart()
        let start = bytes.queue.offset
        let mayWait = bytes.mayWait
        bytes.mayWait = true
        defer { bytes.mayWait = mayWait }
        guard let header = try? FLACStreamHeader(bytes) else {
            if bytes.queue.offset == start { try passBytes() }
            return nil
        }
        recordings += 1
        (expected, lost, frameCount) = (nil, nil, nil)
        isLeftOut = !header.info.hasSameFrames(as: info)
        guard !isLeftOut else {
            let format = header.info.format.summary
            warnings.append("recording \(recordings) has another format, \(format), and is left out")
            return nil
        }
        info = header.info
        decoder = try FLACFrameDecoder(info, bytes: bytes)
        return header.metadata
    }

    /// The start of a header: the marker, and the type and length of STREAMINFO.
    private static let mark = Array("fLaC".utf8) + [0, 0, 0, 34]
    private static let onlyMark = Array("fLaC".utf8) + [0x80, 0, 0, 34]
    /// The number of frames that are left out as repetitions before the numbers count as a new start.
    private static let mostPassedFrames = 16
    private static let leastAttemptBytes = 1024
    private static let attemptsPerByte: Int64 = 8
    private static let mostAttemptBytes: Int64 = 16 << 20
}
