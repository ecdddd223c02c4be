// SPDX-License-Identifier: MIT

import AudioQueues
import AudioToolbox
public import Foundation

/// A player of one file, or of the bytes of a file, in every format that ``AVAudioFile`` reads.
///
/// Not safe to use on several threads at a time. Releasing the player stops it with a short fade.
///
/// The sound server mixes players. Each has a stream of its own, from ``prepareToPlay()`` or ``play()`` until
/// ``stop()`` or the end.
open class AVAudioPlayer: NSObject {
    /// The file; nil if the player was made of data.
    public let url: URL?
    /// The bytes; nil if the player was made of a file.
    public let data: Data?
    private let core: PlayerCore

    // MARK: Initialisers

    /// Opens a file.
    ///
    /// - Throws: `kAudioFileUnspecifiedError` if the file cannot be read, `kAudioFileUnsupportedFileTypeError` if its
    ///   type is unknown, `kAudioFileInvalidFileError` if it is damaged.
    public init(contentsOf url: URL) throws {
        core = try PlayerCore(PlayerSource(contentsOf: url), name: "'\(url.lastPathComponent)'")
        (self.url, data) = (url, nil)
        super.init()
        core.link.attach(self)
    }

    /// Opens a file.
    ///
    /// - Parameter utiString: Ignored: the bytes of a file determine its type.
    /// - Throws: As ``init(contentsOf:)``.
    public init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        core = try PlayerCore(PlayerSource(contentsOf: url), name: "'\(url.lastPathComponent)'")
        (self.url, data) = (url, nil)
        super.init()
        core.link.attach(self)
    }

    /// Opens the bytes of a file, which are copied to a temporary file without a name.
    ///
    /// - Throws: As ``init(contentsOf:)``; `kAudioFileUnspecifiedError` also if there is no space for the copy.
    public init(data: Data) throws {
        core = try PlayerCore(PlayerSource(data: data), name: "data")
        (url, self.data) = (nil, data)
        super.init()
        core.link.attach(self)
    }

    /// Opens the bytes of a file.
    ///
    /// - Parameter utiString: Ignored: the bytes determine the type.
    /// - Throws: As ``init(data:)``.
    public init(data: Data, fileTypeHint utiString: String?) throws {
        core = try PlayerCore(PlayerSource(data: data), name: "data")
        (url, self.data) = (nil, data)
        super.init()
        core.link.attach(self)
    }

    /// Makes a player that plays nothing: ``play()`` returns false.
    public override init() {
        core = PlayerCore(nil, name: "nothing")
        (url, data) = (nil, nil)
        super.init()
    }

    deinit { core.stop() }

    /// The object that is informed about the end. It is not kept alive.
    open var delegate: (any AVAudioPlayerDelegate)? {
        get { core.link.delegate }
        set { core.link.delegate = newValue }
    }

    // MARK: Control

    /// Decodes the first audio and connects to the sound server, so that ``play()`` is audible sooner.
    ///
    /// - Returns: False if that is not possible. The reason is written to standard error.
    @discardableResult open func prepareToPlay() -> Bool { core.prepare() }

    /// Starts, or resumes where the player was paused or stopped. After the end, starts from the beginning.
    ///
    /// Waits until the device runs, which usually takes some hundredths of a second, and at most two seconds.
    ///
    /// - Returns: Whether the player plays. If not, there is no sound server, or it cannot play the format: the reason
    ///   is written to standard error.
    @discardableResult open func play() -> Bool { core.play() }

    /// Starts so that the first frame is audible at a time. Until then the player counts as playing.
    ///
    /// Players that are started at the same time on one device play in step. Does not wait: if there is no sound
    /// server, ``isPlaying`` becomes false.
    ///
    /// - Parameter time: A time of ``deviceCurrentTime``, at most a minute ahead. A time that is past means as soon as
    ///   possible.
    /// - Returns: As ``play()``; false also for a time that is too far ahead. A player that plays is not changed.
    @discardableResult open func play(atTime time: TimeInterval) -> Bool {
        guard !time.isNaN else { return false }
        return core.play(atHostTime: AVAudioTime.hostTime(forSeconds: time))
    }

    /// Pauses, and keeps everything that ``prepareToPlay()`` has prepared.
    open func pause() { core.pause() }

    /// Stops, keeps the position, and releases what ``prepareToPlay()`` has prepared. The next start begins to count
    /// repetitions again.
    open func stop() { core.stop() }

    /// Whether the player plays, or waits for the time of its start. False from the end on, and after the sound server
    /// disappeared and did not return.
    open var isPlaying: Bool { core.isPlaying }

    // MARK: The audio

    open var numberOfChannels: Int { Int(core.source?.fileFormat.channelCount ?? 0) }

    /// The exact duration in seconds.
    open var duration: TimeInterval {
        guard let source = core.source else { return 0 }
        return TimeInterval(source.length) / source.fileFormat.sampleRate
    }

    /// The format of the audio, as settings.
    open var settings: [String: Any] { core.source?.fileFormat.settings ?? [:] }

    /// The format of the audio in the file.
    open var format: AVAudioFormat { core.source?.fileFormat ?? Self.placeholderFormat }

    private static let placeholderFormat: AVAudioFormat = {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else {
            fatalError("stereo needs no layout")
        }
        return format
    }()

    // MARK: Position

    /// The position in seconds: the audible frame, or while the player does not play, the one where it will start.
    ///
    /// Setting it while the player plays continues there. Values outside the audio count as its beginning or end.
    open var currentTime: TimeInterval {
        get {
            guard let source = core.source else { return 0 }
            return TimeInterval(core.frame) / source.fileFormat.sampleRate
        }
        set {
            guard let source = core.source else { return }
            let frame = (newValue * source.fileFormat.sampleRate).rounded()
            core.seek(to: frame > 0 ? AVAudioFramePosition(min(frame, Double(source.length))) : 0)
        }
    }

    /// The time in seconds that ``play(atTime:)`` refers to: that of `AudioGetCurrentHostTime`.
    open var deviceCurrentTime: TimeInterval { AVAudioTime.seconds(forHostTime: AudioGetCurrentHostTime()) }

    /// The number of times that the audio is repeated after it was played once; negative for no end. Initially 0.
    ///
    /// Repetitions follow without a gap. A change while the player plays always takes effect: if audio was decoded that
    /// it excludes, playback is interrupted for a moment.
    open var numberOfLoops: Int {
        get { core.repeats }
        set { core.repeats = newValue }
    }

    // MARK: Volume, pan and rate

    /// The volume, 0 to 1, as a linear gain; during a fade, that at its end. Initially 1. Values out of range count as
    /// the nearer bound.
    open var volume: Float {
        get { core.settings.fade.target }
        set { setVolume(newValue, fadeDuration: 0) }
    }

    /// Changes the volume linearly.
    ///
    /// - Parameter duration: The duration of the change in seconds, 0 to 3600.
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
        core.set(
            { $0.fade.go(to: volume, seconds: duration) },
            on: { queue, settings in settings.fade.begin(on: queue) })
    }

    /// The position between left, -1, and right, 1. Initially 0. Audio of more than two channels is not changed.
    open var pan: Float {
        get { core.settings.pan }
        set {
            // This fails only for a queue that has just ended.
            core.set({ $0.pan = newValue }, on: { queue, settings in try? queue.setPan(settings.pan) })
        }
    }

    /// The speed, 0.5 to 2, with the pitch kept. Initially 1. Without effect unless ``enableRate`` is true.
    open var rate: Float {
        get { core.settings.rate }
        set {
            // This fails also for a queue that cannot change its speed, which was reported when it was made.
            core.set({ $0.rate = newValue }, on: { queue, settings in try? queue.setSpeed(settings.speed) })
        }
    }

    /// Whether ``rate`` is applied. Initially false.
    ///
    /// Set this before ``prepareToPlay()``. A change while the player plays interrupts it for a moment.
    open var enableRate: Bool {
        get { core.settings.isRateEnabled }
        set { if newValue != enableRate { core.setAnew { $0.isRateEnabled = newValue } } }
    }

    /// The device, by the name that the sound server lists; nil, as initially, for the default one.
    ///
    /// A change while the player plays interrupts it for a moment. If the server has no such device, playback stops.
    open var currentDevice: String? {
        get { core.settings.deviceName }
        set { if newValue != currentDevice { core.setAnew { $0.deviceName = newValue } } }
    }

    // MARK: Levels

    /// Whether levels are measured. Initially false.
    open var isMeteringEnabled: Bool {
        get { core.settings.isMetering }
        set {
            core.set(
                { $0.isMetering = newValue },
                on: { queue, settings in queue.isMeteringEnabled = settings.isMetering })
        }
    }

    /// Takes the levels of the audio that is audible now, including the volume.
    open func updateMeters() { core.updateLevels() }

    /// The peak of a channel at the last ``updateMeters()`` in decibels: 0 at full scale, -160 in silence.
    ///
    /// - Parameter channelNumber: The number of the channel, from 0.
    open func peakPower(forChannel channelNumber: Int) -> Float { core.levels.peak(channelNumber) }

    /// The average power of a channel over 20 ms at the last ``updateMeters()`` in decibels.
    open func averagePower(forChannel channelNumber: Int) -> Float { core.levels.average(channelNumber) }
}
