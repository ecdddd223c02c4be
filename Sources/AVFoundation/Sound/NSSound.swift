// SPDX-License-Identifier: MIT

import AVFAudio
import AudioToolbox
public import Foundation

/// A sound of a file, the data of a file, or a name, in every format that ``AVAudioFile`` reads.
///
/// A sound that plays is kept alive until its end. Not safe to use on several threads at a time.
open class NSSound: NSObject {
    /// The name of a sound.
    public typealias Name = String
    /// The name of a device, as the sound server lists it.
    public typealias PlaybackDeviceIdentifier = String

    private let player: AVAudioPlayer
    private let link = SoundLink()
    private let source: SoundNames.Source
    private var ownName: Name?
    private var isPaused = false

    // MARK: Initialisers

    /// Opens a file.
    ///
    /// - Parameter byReference: Ignored: the file is always read while it is played.
    public convenience init?(contentsOf url: URL, byReference: Bool) { self.init(.file(url)) }

    /// Opens a file.
    public convenience init?(contentsOfFile path: String, byReference: Bool) {
        self.init(.file(URL(fileURLWithPath: path)))
    }

    /// Opens the data of a file.
    public convenience init?(data: Data) { self.init(.data(data)) }

    /// Opens the sound of a name: one that ``setName(_:)`` has named, a resource of the program, or a file in the folders
    /// `sounds` of the user and the system, which may belong to the theme freedesktop, such as `bell`.
    ///
    /// - Parameter name: The name of a file without a folder; an extension may be left out. Nil is returned if there is no
    ///   such file.
    public convenience init?(named name: Name) {
        guard let source = SoundNames.shared.source(of: name) ?? SoundFolders().file(named: name) else {
            return nil
        }
        self.init(source)
        ownName = name
    }

    private init?(_ source: SoundNames.Source) {
        let made: AVAudioPlayer? =
            switch source {
            case .file(let url): try? AVAudioPlayer(contentsOf: url)
            case .data(let data): try? AVAudioPlayer(data: data)
            }
        guard let made else { return nil }
        player = made
        self.source = source
        super.init()
        link.attach(self)
        player.delegate = link
    }

    /// The object that is informed about the end. It is not kept alive.
    open var delegate: (any NSSoundDelegate)? {
        get { link.delegate }
        set { link.delegate = newValue }
    }

    // MARK: Control

    /// Plays the alert of the system.
    public class func beep() { AudioServicesPlayAlertSound(SystemSoundID(kSystemSoundID_UserPreferredAlert)) }

    /// Starts, or resumes a sound that is paused.
    ///
    /// - Returns: False if the sound plays, or cannot be played.
    @discardableResult open func play() -> Bool {
        guard !player.isPlaying else { return false }
        isPaused = false
        guard player.play() else { return false }
        link.keep()
        return true
    }

    /// Pauses.
    ///
    /// - Returns: False if the sound does not play.
    @discardableResult open func pause() -> Bool {
        guard player.isPlaying else { return false }
        player.pause()
        isPaused = true
        link.letGo()
        return true
    }

    /// Resumes a sound that is paused.
    ///
    /// - Returns: False if the sound is not paused, or cannot be played.
    @discardableResult open func resume() -> Bool { isPaused && play() }

    /// Stops, and returns to the beginning.
    ///
    /// - Returns: False if the sound neither plays nor is paused.
    @discardableResult open func stop() -> Bool {
        guard player.isPlaying || isPaused else { return false }
        isPaused = false
        player.stop()
        player.currentTime = 0
        link.postEnd(isWhole: false)
        return true
    }

    /// Whether the sound plays. False if it is paused.
    open var isPlaying: Bool { player.isPlaying }

    // MARK: Settings

    /// Whether the sound is repeated until it is stopped. Initially false.
    open var loops: Bool {
        get { player.numberOfLoops < 0 }
        set { player.numberOfLoops = newValue ? -1 : 0 }
    }

    /// The volume, 0 to 1. Initially 1.
    open var volume: Float {
        get { player.volume }
        set { player.volume = newValue }
    }

    /// The position in seconds.
    open var currentTime: TimeInterval {
        get { player.currentTime }
        set { player.currentTime = newValue }
    }

    /// The exact duration in seconds.
    open var duration: TimeInterval { player.duration }

    /// The device; nil for the default one.
    open var playbackDeviceIdentifier: PlaybackDeviceIdentifier? {
        get { player.currentDevice }
        set { player.currentDevice = newValue }
    }

    // MARK: Names

    /// The name that the sound was opened by or was given; nil if it has none.
    open var name: Name? { ownName }

    /// Names the sound for ``init(named:)``, or removes its name.
    ///
    /// - Returns: False if another sound has the name.
    @discardableResult open func setName(_ string: Name?) -> Bool {
        guard SoundNames.shared.rename(source, from: ownName, to: string) else { return false }
        ownName = string
        return true
    }
}
