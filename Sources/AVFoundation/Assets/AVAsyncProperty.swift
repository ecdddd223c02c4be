// SPDX-License-Identifier: MIT

public import AVFAudio
public import CoreMedia

/// A property of an asset or a track that is awaited: `try await asset.load(.duration)`.
public struct AVAsyncProperty<Root, Value: Sendable>: Sendable {
    let read: @Sendable (Root) throws -> Value
}

extension AVAsyncProperty where Root == AVAsset, Value == CMTime {
    /// The exact duration.
    public static var duration: AVAsyncProperty { AVAsyncProperty { try $0.facts().duration } }
}

extension AVAsyncProperty where Root == AVAsset, Value == [AVAssetTrack] {
    /// The track of audio.
    public static var tracks: AVAsyncProperty { AVAsyncProperty { try $0.makeTracks() } }
}

extension AVAsyncProperty where Root == AVAsset, Value == Bool {
    /// Whether the file can be read, which is false only for missing and damaged ones.
    public static var isReadable: AVAsyncProperty { AVAsyncProperty { $0.isReadable } }
    /// Whether the file can be played: all that can be read are.
    public static var isPlayable: AVAsyncProperty { AVAsyncProperty { $0.isPlayable } }
    /// False: protected files cannot be read.
    public static var hasProtectedContent: AVAsyncProperty { AVAsyncProperty { $0.hasProtectedContent } }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == CMTimeRange {
    /// The time from 0 to the end of the audio.
    public static var timeRange: AVAsyncProperty { AVAsyncProperty { $0.timeRange } }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == CMTimeScale {
    /// The sample rate in whole hertz.
    public static var naturalTimeScale: AVAsyncProperty { AVAsyncProperty { $0.naturalTimeScale } }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == Float {
    /// The average number of bits in a second.
    public static var estimatedDataRate: AVAsyncProperty { AVAsyncProperty { $0.estimatedDataRate } }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == [CMFormatDescription] {
    /// The format of the audio.
    public static var formatDescriptions: AVAsyncProperty { AVAsyncProperty { $0.descriptions } }
}
