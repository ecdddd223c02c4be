// SPDX-License-Identifier: MIT

public import AVFAudio
import CoreMedia
public import Foundation

/// The number of a track in a file.
public typealias CMPersistentTrackID = Int32

/// The track of audio in a file.
open class AVAssetTrack: NSObject, @unchecked Sendable {
    // SAFETY: nothing changes after the initialiser.

    /// The asset. It is not kept alive.
    public private(set) weak var asset: AVAsset?
    /// The number of the track: 1.
    public let trackID: CMPersistentTrackID = 1
    public let mediaType = AVMediaType.audio
    private let facts: AssetFacts

    init(of asset: AVAsset, _ facts: AssetFacts) {
        self.asset = asset
        self.facts = facts
        super.init()
    }

    /// Returns a property.
    ///
    /// - Parameter property: For example `.formatDescriptions`.
    @concurrent
    public func load<Value: Sendable>(_ property: AVAsyncProperty<AVAssetTrack, Value>) async throws -> Value
    {
        try property.read(self)
    }

    /// The format of the audio, as the only `CMFormatDescription`. FLAC and Ogg are decoded while they are read, so that
    /// their format is linear PCM.
    open var formatDescriptions: [Any] { descriptions }

    var descriptions: [CMFormatDescription] { [facts.format.formatDescription] }

    /// The time from 0 to the end of the audio.
    open var timeRange: CMTimeRange { CMTimeRange(start: .zero, duration: facts.duration) }

    /// The sample rate in whole hertz.
    open var naturalTimeScale: CMTimeScale { facts.timeScale }

    /// The average number of bits in a second, from the size of the file.
    open var estimatedDataRate: Float {
        facts.frames > 0
            ? Float(Double(facts.fileBytes) * 8 * facts.format.sampleRate / Double(facts.frames)) : 0
    }

    /// True: no file here has several tracks to choose from.
    open var isEnabled: Bool { true }
    /// True: files that cannot be decoded have no tracks.
    open var isDecodable: Bool { true }
    /// True: files that cannot be decoded have no tracks.
    open var isPlayable: Bool { true }
}
