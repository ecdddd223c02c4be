// SPDX-License-Identifier: MIT

import AQFiles
import AudioQueues
import CoreAudioTypes
import AQNetworkInput
import AQToolSupport

/// An open track: its file, its reading position, and the frames that were played.
///
/// The lock of its ``Feeder`` guards it.
final class Playback {
    /// The duration of a queue's first buffer of samples.
    private static let firstSeconds = 0.1

    /// The track's index in the order of playing.
    let step: Int
    let file: AudioFile
    /// The server that sends the file; nil for files of the system.
    let input: NetworkInput?
    let path: FilePath
    /// The title for the progress line and mixers, from each frame on: artist and title, or the name of the file.
    private var titles: TitleChanges
    let format: AudioStreamBasicDescription
    /// The number of valid frames in the file; nil while it is unknown.
    private(set) var totalFrames: Int64?
    /// The end that `--end` sets, in frames.
    private let wantedEnd: Int64?
    var cursor: PacketCursor
    /// The frame at the cursor.
    var startFrame: Int64
    var framesPlayed: Int64 = 0
    /// The file that continues this one, if a broadcast consists of several.
    private(set) var successor: Playback?
    /// The frames of the broadcast that were played before this file.
    private var earlierFrames: Int64 = 0
    /// Whether audible frames were read.
    private(set) var hasGivenSound = false
    /// The gain for the track's loudness; nil if gains are off.
    let gain: Leveling.Gain?
    /// Whether the next buffer begins a run of the track's audio, and must set the gain.
    var isAtStart = true
    /// The reason why the track could not be played to its end.
    var error: String?

    /// Begins a track at its start frame.
    ///
    /// - Parameters:
    ///   - file: The open file.
    ///   - input: The server that sends it; nil for files of the system.
    /// - Throws: ``AudioFileError`` if the file ends before the start frame.
    init(
        _ track: TrackList.Track, step: Int, file: AudioFile, input: NetworkInput? = nil, options: PlayOptions
    ) throws(AudioFileError) {
        self.step = step
        self.file = file
        self.input = input
        // Without a password.
        path = input.map { FilePath($0.address.description) } ?? track.path
        format = file.format
        titles = TitleChanges(Playback.title(of: track, tags: file.tags, input: input))
        totalFrames = file.frameCount
        gain = options.leveling.gain(file.replayGain)
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

    /// Begins the next file of a broadcast, after `earlier` was read to its end.
    convenience init(
        _ file: AudioFile, continuing earlier: Playback, of track: TrackList.Track, options: PlayOptions
    ) throws(AudioFileError) {
        var options = options
        options.startSeconds = 0
        options.endSeconds = earlier.secondsUntilWantedEnd
        try self.init(track, step: earlier.step, file: file, input: earlier.input, options: options)
        if file.tags.title == nil { titles = TitleChanges(earlier.titles.latest) }
        earlier.successor = self
    }

    /// The time from the reading position to the end that `--end` sets, in seconds; nil without one.
    private var secondsUntilWantedEnd: Double? {
        wantedEnd.map { Double(max(0, $0 - startFrame - cursor.framesPlayed)) / format.mSampleRate }
    }

    /// Whether the end that `--end` sets was read.
    var hasReachedWantedEnd: Bool { wantedEnd.map { startFrame + cursor.framesPlayed >= $0 } ?? false }

    /// Takes the frames of a file that was played to its end, and that this one continues.
    func add(earlierFrames frames: Int64) { earlierFrames += frames }

    /// All frames of the broadcast up to the end of this file, or up to now.
    var allFramesPlayed: Int64 { earlierFrames + framesPlayed }

    /// The position in the broadcast of a frame of this file.
    func position(ofFrame frame: Int64) -> Int64 { earlierFrames + frame }

    var title: String { titles.latest }

    func title(atFrame frame: Int64) -> String { titles.title(at: frame) }

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
        isAtStart = true
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
        if let title = input?.title, !title.isEmpty {
            titles.append(title, from: startFrame + cursor.framesPlayed)
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
    ///
    /// Broadcasts begin and end inside packets, which is no fault, so their files give no warnings.
    var report: TrackReport {
        TrackReport(
            file: path, container: file.containerName, format: format, gain: gain,
            framesPlayed: allFramesPlayed, warnings: input?.isBroadcast == true ? [] : file.warnings,
            error: error)
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

    static func title(
        of track: TrackList.Track, tags: AudioFileTags, input: NetworkInput? = nil
    ) -> String {
        let title = tags.title ?? track.title ?? input?.station?.name
        guard let title else {
            return track.path == "-"
                ? "standard input" : input?.address.displayName ?? track.path.name.description
        }
        return tags.artist.map { "\($0) - \(title)" } ?? title
    }
}
