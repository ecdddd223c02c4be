import AudioFiles
import AudioQueues
import CoreAudioTypes
import ToolSupport

/// An open track: its file, its reading position, and the frames that were played.
///
/// The lock of its ``Feeder`` guards it.
final class Playback {
    /// The duration of a queue's first buffer of samples.
    private static let firstSeconds = 0.1

    /// The track's index in the order of playing.
    let step: Int
    let file: AudioFile
    let path: FilePath
    /// The title for the progress line and mixers: artist and title, or the name of the file.
    let title: String
    let format: AudioStreamBasicDescription
    /// The number of valid frames in the file; nil while it is unknown.
    private(set) var totalFrames: Int64?
    /// The end that `--end` sets, in frames.
    private let wantedEnd: Int64?
    var cursor: PacketCursor
    /// The frame at the cursor.
    var startFrame: Int64
    var framesPlayed: Int64 = 0
    /// Whether audible frames were read.
    private(set) var hasGivenSound = false
    /// The reason why the track could not be played to its end.
    var error: String?

    /// Opens a track at its start frame.
    ///
    /// - Parameter onWait: Called while a whole pipe is read before the first audio, with the number of bytes so far.
    /// - Throws: ``AudioFileError`` if the file cannot be opened, or ends before the start frame.
    init(
        _ track: TrackList.Track, step: Int, options: PlayOptions,
        onWait: @escaping (_ bytes: Int64) -> Void
    ) throws(AudioFileError) {
        self.step = step
        path = track.path
        file = try AudioFile.open(path: track.path, onWait: onWait)
        format = file.format
        title = DisplayText.sanitized(Playback.title(of: track, tags: file.tags))
        totalFrames = file.frameCount
        startFrame = Playback.frame(at: options.startSeconds, format)
        wantedEnd = options.endSeconds.map { [format] in Playback.frame(at: $0, format) }
        cursor = PacketCursor(packet: 0, framesToDiscard: file.primingFrames, framesLeft: nil)
        cursor.framesLeft = endFrame
        if !file.isSeekable {
            // All buffers are filled before the first audio. From a pipe they get the available data, at least the
            // duration of one buffer in total. The pipe may then pause for that time without a gap.
            file.leastFramesPerRead = max(
                1, Int64(options.bufferSeconds * format.mSampleRate) / Int64(options.bufferCount))
        }
        if startFrame > 0 {
            if let totalFrames, startFrame >= totalFrames {
                let length = TimeParser.clock(Double(totalFrames) / format.mSampleRate)
                let start = TimeParser.clock(options.startSeconds)
                throw AudioFileError(.endOfFile, "cannot start '\(path)' at \(start): it is \(length) long")
            }
            try move(to: startFrame)
        }
    }

    /// The end that `--end` sets, or the end of the file; nil while it is unknown.
    var endFrame: Int64? {
        guard let totalFrames, let wantedEnd else { return totalFrames ?? wantedEnd }
        return min(totalFrames, wantedEnd)
    }

    /// Moves the reading position to `frame`, at most to the end.
    func move(to frame: Int64) throws(AudioFileError) {
        let frame = min(max(0, frame), endFrame ?? .max)
        let point = try file.seekPoint(forFrame: frame)
        startFrame = frame
        cursor = PacketCursor(
            packet: point.packet, framesToDiscard: point.framesToDiscard,
            framesLeft: endFrame.map { $0 - frame })
    }

    /// Reads the next packets into `buffer`.
    ///
    /// - Parameter isFirst: True for a queue's first buffer, which is not filled completely if the track consists of
    ///   samples, because the first audio waits for this buffer.
    /// - Returns: The audible part of the packets; nil at the end of the track.
    func fill(_ buffer: QueueBuffer, isFirst: Bool = false) throws(AudioFileError) -> PacketCursor.Audible? {
        guard !cursor.isAtEnd else { return nil }
        let descriptions = unsafe buffer.packetDescriptions
        var room = unsafe buffer.bytes
        if isFirst, format.isLinearPCM {
            let frames = max(1, Int(Playback.firstSeconds * format.mSampleRate))
            unsafe room = UnsafeMutableRawBufferPointer(
                rebasing: room.prefix(frames * Int(format.mBytesPerFrame)))
        }
        let read = try unsafe file.readPackets(
            from: cursor.packet, into: room, descriptions: descriptions)
        guard read.packets > 0 else { return nil }
        if !file.isSeekable { takeTotal() }
        buffer.byteCount = read.bytes
        buffer.packetDescriptionCount = descriptions.isEmpty ? 0 : read.packets
        var frames = Int64(read.packets) * Int64(format.mFramesPerPacket)
        if format.mFramesPerPacket == 0 {
            frames = unsafe descriptions.prefix(read.packets).reduce(0) {
                $0 + Int64($1.mVariableFramesInPacket)
            }
        }
        let audible = cursor.advance(packets: read.packets, frames: frames)
        if audible.frames > 0 { hasGivenSound = true }
        return audible
    }

    /// Copies the length, which a pipe may report late, or correct later.
    private func takeTotal() {
        let total = file.frameCount
        guard total != totalFrames else { return }
        totalFrames = total
        cursor.framesLeft = endFrame.map { max(0, $0 - startFrame - cursor.framesPlayed) }
    }

    /// The report of the track, without the values of the queue.
    var report: TrackReport {
        TrackReport(
            file: path, container: file.containerName, format: format, framesPlayed: framesPlayed,
            warnings: file.warnings, error: error)
    }

    /// Returns whether this track can follow `other` in the same queue, whose buffers hold `byteCapacity` bytes.
    func canFollow(_ other: Playback, byteCapacity: Int) -> Bool {
        format.isSame(as: other.format) && file.channelLabels == other.file.channelLabels
            && DecoderConfiguration(file) == DecoderConfiguration(other.file)
            && file.packetSizeUpperBound <= byteCapacity
    }

    private static func frame(at seconds: Double, _ format: AudioStreamBasicDescription) -> Int64 {
        // At most 10^9 seconds at the rate of an open file, which cannot overflow.
        Int64((seconds * format.mSampleRate).rounded())
    }

    static func title(of track: TrackList.Track, tags: AudioFileTags) -> String {
        let title = tags.title ?? track.title
        guard let title else { return track.path == "-" ? "standard input" : track.path.name.description }
        return tags.artist.map { "\($0) - \(title)" } ?? title
    }
}
