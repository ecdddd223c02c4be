// SPDX-License-Identifier: MIT

import AudioToolbox
public import Foundation

/// A recorder of a microphone into a file, in every format that ``AVAudioFile`` writes.
///
/// The microphone is that of ``AVAudioSession/preferredInput`` when the file is prepared, or else the default one.
///
/// Any thread may call a recorder. The audio is encoded while it is recorded, and the file is valid at every moment: if
/// the process is killed, it has the audio until then. Releasing the recorder ends the recording.
///
/// If the sound server or the disk is slow, up to 14 seconds of audio wait. Frames that are lost nevertheless become
/// silence, so that the following audio keeps its position.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
    // SAFETY: all state is in the core, which a lock protects.
    private let core: RecorderCore

    // MARK: Initialisers

    /// Makes a recorder. The file is created by ``prepareToRecord()`` or ``record()``.
    ///
    /// - Parameters:
    ///   - url: The name, whose extension is the type of the file unless the settings have ``AVAudioFileTypeKey``.
    ///   - settings: The format of the file. A sample rate or number of channels that is missing is the microphone's.
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` ('fmt?') if a setting has the wrong type or there is no such
    ///   format; `kAudioFileUnsupportedFileTypeError` for an unknown type.
    public init(url: URL, settings: [String: Any]) throws {
        core = try RecorderCore(url, settings)
        super.init()
        core.link.attach(self)
    }

    /// Makes a recorder of a format. The file is created by ``prepareToRecord()`` or ``record()``.
    ///
    /// - Throws: As ``init(url:settings:)``.
    public init(url: URL, format: AVAudioFormat) throws {
        core = try RecorderCore(url, format.settings)
        super.init()
        core.link.attach(self)
    }

    deinit { core.stop() }

    /// The object that is informed about the end. It is not kept alive.
    open var delegate: (any AVAudioRecorderDelegate)? {
        get { core.link.delegate }
        set { core.link.delegate = newValue }
    }

    // MARK: Control

    /// Creates the file, and makes ready for ``record()``. A file of that name is replaced.
    ///
    /// - Returns: False if that is not possible, also if there is no encoder. The reason is written to standard error.
    @discardableResult open func prepareToRecord() -> Bool { core.prepare() }

    /// Starts, or resumes after ``pause()`` in the same file. After ``stop()``, replaces the file.
    ///
    /// Waits until the device captures, at most two seconds.
    ///
    /// - Returns: Whether the recorder records. The reason why not is written to standard error.
    @discardableResult open func record() -> Bool { core.record() }

    /// Starts with the first frame captured at a time. Until then the recorder counts as recording.
    ///
    /// - Parameter time: A time of ``deviceCurrentTime``, at most a minute ahead. A time that is past means as soon as
    ///   possible. After ``pause()`` the time is ignored.
    /// - Returns: As ``record()``; false also for a time that is too far ahead.
    @discardableResult open func record(atTime time: TimeInterval) -> Bool {
        guard !time.isNaN else { return false }
        return core.record(atHostTime: AVAudioTime.hostTime(forSeconds: time))
    }

    /// Starts or resumes, and stops by itself.
    ///
    /// - Parameter duration: The duration of what is recorded from now on, in seconds. The file has exactly that number
    ///   of frames, rounded.
    /// - Returns: As ``record()``; false also for a duration that is not above 0.
    @discardableResult open func record(forDuration duration: TimeInterval) -> Bool {
        core.record(seconds: duration)
    }

    /// Starts at a time, and stops by itself: see ``record(atTime:)`` and ``record(forDuration:)``.
    @discardableResult open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool
    {
        guard !time.isNaN else { return false }
        return core.record(atHostTime: AVAudioTime.hostTime(forSeconds: time), seconds: duration)
    }

    /// Pauses. What was captured before is kept.
    open func pause() { core.pause() }

    /// Ends the recording, and closes the file before it returns. Only if the disk takes longer than some seconds, the
    /// file is closed later. The delegate is informed after that.
    open func stop() { core.stop() }

    /// Deletes the file.
    ///
    /// - Returns: False during a recording, also if it is paused, and if the file cannot be deleted.
    @discardableResult open func deleteRecording() -> Bool { core.delete() }

    /// Whether the recorder records, or waits for the time of its start.
    open var isRecording: Bool { core.isRecording }

    // MARK: The recording

    open var url: URL { core.url }

    /// The settings of the initialiser; once the file is prepared, with the format of the file.
    open var settings: [String: Any] { core.settings }

    /// The format of the audio in the file. Complete once the file is prepared.
    open var format: AVAudioFormat { core.format }

    /// The duration of what was recorded, in seconds; 0 after the end.
    open var currentTime: TimeInterval { core.seconds }

    /// The time in seconds that ``record(atTime:)`` refers to: that of `AudioGetCurrentHostTime`.
    open var deviceCurrentTime: TimeInterval { AVAudioTime.seconds(forHostTime: AudioGetCurrentHostTime()) }

    // MARK: Levels

    /// Whether levels are measured. Initially false.
    open var isMeteringEnabled: Bool {
        get { core.isMetering }
        set { core.isMetering = newValue }
    }

    /// Takes the levels of the audio that was captured last, at most 50 ms ago.
    open func updateMeters() { core.updateLevels() }

    /// The peak of a channel at the last ``updateMeters()`` in decibels: 0 at full scale, -160 in silence.
    ///
    /// - Parameter channelNumber: The number of the channel, from 0.
    open func peakPower(forChannel channelNumber: Int) -> Float { core.levels.peak(channelNumber) }

    /// The average power of a channel over 20 ms at the last ``updateMeters()`` in decibels.
    open func averagePower(forChannel channelNumber: Int) -> Float { core.levels.average(channelNumber) }
}
