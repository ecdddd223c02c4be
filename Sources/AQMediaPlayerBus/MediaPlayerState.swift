// SPDX-License-Identifier: MIT

/// The state of a player, as other programs see it.
public struct MediaPlayerState: Sendable, Equatable {
    public enum PlaybackStatus: String, Sendable {
        case playing = "Playing"
        case paused = "Paused"
        case stopped = "Stopped"
    }

    public var status = PlaybackStatus.stopped
    /// Whether the list of tracks begins again after its end.
    public var isLooping = false
    public var isShuffled = false
    /// The linear gain, 0 to 1.
    public var volume = 1.0
    /// The ratio of the speed to the usual one, and the ratios that can be set.
    public var rate = 1.0
    public var rates: ClosedRange<Double> = 1...1
    /// The audible track; nil if there is none.
    public var track: MediaTrack?
    public var canGoNext = false
    public var canGoPrevious = false
    public var canSeek = false

    public init() {}
}

/// A track, as other programs see it.
public struct MediaTrack: Sendable, Equatable {
    /// A number that identifies the track among those of the player.
    public var number: UInt
    /// The length in microseconds; nil if it is unknown.
    public var lengthMicroseconds: Int64?
    public var title: String?
    public var artists: [String] = []
    public var album: String?
    public var albumArtists: [String] = []
    public var composers: [String] = []
    public var genres: [String] = []
    public var trackNumber: Int32?
    public var discNumber: Int32?
    /// The location of the track as a URL; nil if it has none.
    public var url: String?
    public var artwork: MediaArtwork?

    public init(number: UInt) { self.number = number }
}

/// The encoded picture of a track, such as the cover of its album.
public struct MediaArtwork: Sendable, Equatable {
    public var bytes: [UInt8]
    /// The media type, such as "image/jpeg".
    public var mimeType: String

    public init(bytes: [UInt8], mimeType: String) {
        self.bytes = bytes
        self.mimeType = mimeType
    }
}
