// SPDX-License-Identifier: MIT

public import AVFAudio
import AQDevices
import CoreMedia
public import Foundation

/// A file of audio, for its duration and its track.
///
/// The file is opened when the first property is requested, and again until that succeeds. The properties that are not
/// awaited have fixed values for a file that cannot be read; ``load(_:)`` throws the reason. May be used on several
/// threads at a time.
open class AVAsset: NSObject, @unchecked Sendable {
    // SAFETY: a constant, and facts that a lock protects.

    let fileURL: URL
    private let known = Monitor<AssetFacts?>(nil)

    /// Makes the asset of a file. Nothing is read.
    public convenience init(url: URL) { self.init(fileURL: url) }

    init(fileURL: URL) {
        self.fileURL = fileURL
        super.init()
    }

    /// The properties of the file.
    ///
    /// - Throws: `NSURLErrorFileDoesNotExist` for a missing file, `NSURLErrorNoPermissionsToReadFile`; in
    ///   ``AVFoundationErrorDomain`` -11828 for a file of another type, -11829 for a damaged one, and -11838 for a URL
    ///   that does not name a file.
    func facts() throws -> AssetFacts {
        if let facts = known.withLock({ $0 }) { return facts }
        let facts = try AssetFacts(fileURL)
        known.withLock { $0 = facts }
        return facts
    }

    // MARK: Awaited properties

    /// Reads the file, unless it was read before, and returns a property.
    ///
    /// - Parameter property: For example `.duration`.
    /// - Throws: `NSURLErrorFileDoesNotExist` for a missing file, or another error of the file.
    @concurrent
    public func load<Value: Sendable>(_ property: AVAsyncProperty<AVAsset, Value>) async throws -> Value {
        try property.read(self)
    }

    /// Returns two properties.
    ///
    /// - Throws: As ``load(_:)``.
    @concurrent
    public func load<First: Sendable, Second: Sendable>(
        _ first: AVAsyncProperty<AVAsset, First>, _ second: AVAsyncProperty<AVAsset, Second>
    ) async throws -> (First, Second) {
        (try first.read(self), try second.read(self))
    }

    /// Returns the tracks of a media type: one of audio, and none of others.
    ///
    /// - Throws: As ``load(_:)``.
    @concurrent
    open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try makeTracks().filter { $0.mediaType == mediaType }
    }

    /// Returns the track of a number; nil if there is none.
    ///
    /// - Throws: As ``load(_:)``.
    @concurrent
    open func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
        try makeTracks().first { $0.trackID == trackID }
    }

    func makeTracks() throws -> [AVAssetTrack] { [AVAssetTrack(of: self, try facts())] }

    // MARK: Properties

    /// The exact duration; 0 for a file that cannot be read.
    open var duration: CMTime { (try? facts().duration) ?? .zero }

    /// The track of audio; empty for a file that cannot be read.
    open var tracks: [AVAssetTrack] { (try? makeTracks()) ?? [] }

    /// The tracks of a media type.
    open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    /// The track of a number; nil if there is none.
    open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        tracks.first { $0.trackID == trackID }
    }

    /// Whether the file can be read.
    open var isReadable: Bool { (try? facts()) != nil }

    /// Whether the file can be played: all that can be read are.
    open var isPlayable: Bool { isReadable }

    /// False: protected files cannot be read.
    open var hasProtectedContent: Bool { false }

    /// True: durations are exact.
    open var providesPreciseDurationAndTiming: Bool { true }
}
