public import CoreAudioTypes

/// A part of a file, as it says itself: a chunk of CAF, AIFF or WAVE, an atom of MPEG-4.
public struct AudioFileChunk: Sendable, Equatable {
    /// Its type.
    public var type: FourCharacterCode
    /// Of its header, from the beginning of the file.
    public var offset: Int64
    /// Bytes of its contents.
    public var byteCount: Int64
    /// 0 for parts of the file itself, 1 for parts of those, and so on.
    public var depth: Int

    /// Makes a part of its place and size.
    public init(type: FourCharacterCode, offset: Int64, byteCount: Int64, depth: Int = 0) {
        self.type = type
        self.offset = offset
        self.byteCount = byteCount
        self.depth = depth
    }
}

/// A chunk that a client writes into a file.
public struct AudioFileChunkContents: Sendable, Equatable {
    /// Its type.
    public var type: FourCharacterCode
    /// Its contents, without the chunk's header.
    public var contents: [UInt8]

    /// Makes a chunk of its type and contents.
    public init(type: FourCharacterCode, contents: [UInt8]) {
        self.type = type
        self.contents = contents
    }
}

/// One line of what a file says of itself.
public struct AudioFileInformation: Sendable, Equatable {
    /// What is said: "title", "artist", "album", "comments".
    public var key: String
    /// The text.
    public var value: String

    /// Makes a line of a key and a text.
    public init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}

/// A place in the sound.
///
/// Has the meaning of the published structure `AudioFileMarker`.
public struct AudioFileMarker: Sendable, Equatable {
    /// Counted in frames of sound, perhaps between two.
    public var framePosition: Double
    /// What it is called; empty if it has no name.
    public var name: String
    /// The number that the file gives it.
    public var identifier: UInt32
    /// What kind of place: 0 for any, or a code such as 'pbeg'.
    public var type: UInt32
    /// The channel that it is for; 0 for all.
    public var channel: UInt32

    /// Makes a marker.
    public init(
        framePosition: Double, name: String = "", identifier: UInt32 = 0, type: UInt32 = 0,
        channel: UInt32 = 0
    ) {
        self.framePosition = framePosition
        self.name = name
        self.identifier = identifier
        self.type = type
        self.channel = channel
    }
}

/// A stretch of the sound.
///
/// Has the meaning of the published structure `AudioFileRegion`.
public struct AudioFileRegion: Sendable, Equatable {
    /// The number that the file gives it.
    public var identifier: UInt32
    /// What it is called; empty if it has no name.
    public var name: String
    /// 1 to loop, 2 to play forwards, 4 backwards.
    public var flags: UInt32
    /// Its beginning, its end, and what else is in it.
    public var markers: [AudioFileMarker]

    /// Makes a region.
    public init(identifier: UInt32, name: String = "", flags: UInt32 = 0, markers: [AudioFileMarker] = []) {
        self.identifier = identifier
        self.name = name
        self.flags = flags
        self.markers = markers
    }
}
