import AudioFiles
import AudioQueues
import CoreAudioTypes
import ToolSupport

/// One track that was opened to be played: its file, how far it was read, and what was heard of it.
///
/// Belongs to the ``Feeder``, whose lock guards it.
final class Playback {
    /// How much of samples a queue's first buffer holds, in seconds.
    private static let firstSeconds = 0.1

    /// In the order of playing.
    let step: Int
    let file: AudioFile
    let path: FilePath
    /// As a progress line and a mixer show it: the artist before the title, as players order them, or the file's name.
    let title: String
    let format: AudioStreamBasicDescription
    /// Frames of sound in the file; nil as long as that is not known.
    private(set) var totalFrames: Int64?
    /// Where `--end` says it ends.
    private let wantedEnd: Int64?
    var cursor: PacketCursor
    /// The frame that the cursor stands at.
    var startFrame: Int64
    var framesHeard: Int64 = 0
    /// Whether anything was read that is to be heard.
    private(set) var hasGivenSound = false
    /// Why it could not be played to its end.
    var error: String?

    /// Opens a track at the frame where it is to start.
    ///
    /// - Parameter onWait: As for opening a file: called while all of a pipe is read first.
    /// - Throws: ``AudioFileError`` when it cannot be opened or ends before that.
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
            // All buffers are filled before the first sound. From a pipe they get what is there, but together one
            // buffer's time, which is how long the pipe may then pause without a gap.
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

    /// Where `--end` says it ends, or else the file; nil as long as that is not known.
    var endFrame: Int64? {
        guard let totalFrames, let wantedEnd else { return totalFrames ?? wantedEnd }
        return min(totalFrames, wantedEnd)
    }

    /// Makes reading go on at `frame`, at most at the end.
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
    /// - Parameter isFirst: True for a queue's first buffer, which is not filled if it holds samples: the first sound
    ///   waits for it.
    /// - Returns: What of them is to be heard; nil at the end of the track.
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

    /// Takes over the length, which a pipe may tell late, or otherwise than it said at first.
    private func takeTotal() {
        let total = file.frameCount
        guard total != totalFrames else { return }
        totalFrames = total
        cursor.framesLeft = endFrame.map { max(0, $0 - startFrame - cursor.framesHeard) }
    }

    /// What there is to tell of it, but for what the queue knows.
    var report: TrackReport {
        TrackReport(
            file: path, container: file.containerName, format: format, framesPlayed: framesHeard,
            warnings: file.warnings, error: error)
    }

    /// Whether this track can follow `other` in the same queue, whose buffers hold `byteCapacity` bytes.
    func canFollow(_ other: Playback, byteCapacity: Int) -> Bool {
        format.isSame(as: other.format) && file.channelLabels == other.file.channelLabels
            && DecoderConfiguration(file) == DecoderConfiguration(other.file)
            && file.packetSizeUpperBound <= byteCapacity
    }

    private static func frame(at seconds: Double, _ format: AudioStreamBasicDescription) -> Int64 {
        // At most 10^9 seconds at a rate that a file was opened with: far from any limit.
        Int64((seconds * format.mSampleRate).rounded())
    }

    static func title(of track: TrackList.Track, tags: AudioFileTags) -> String {
        let title = tags.title ?? track.title
        guard let title else { return track.path == "-" ? "standard input" : track.path.name.description }
        return tags.artist.map { "\($0) - \(title)" } ?? title
    }
}
