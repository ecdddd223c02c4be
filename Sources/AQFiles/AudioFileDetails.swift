// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// A part of a file: a chunk of CAF, AIFF, WAVE or Wave64, an atom of MPEG-4, or a tag of MPEG audio.
public struct AudioFileChunk: Sendable, Equatable {
    /// The type of the part.
    public var type: FourCharacterCode
    /// The offset of the part's header in the file, in bytes.
    public var offset: Int64
    /// The size of the part's contents, in bytes.
    public var byteCount: Int64
    /// The nesting depth: 0 for top-level parts.
    public var depth: Int

    /// Makes a part from its offset and size.
    public init(type: FourCharacterCode, offset: Int64, byteCount: Int64, depth: Int = 0) {
        self.type = type
        self.offset = offset
        self.byteCount = byteCount
        self.depth = depth
    }
}

/// A chunk that a client writes into a file.
public struct AudioFileChunkContents: Sendable, Equatable {
    /// The type of the chunk.
    public var type: FourCharacterCode
    /// The contents, without the chunk's header.
    public var contents: [UInt8]

    /// Makes a chunk from its type and contents.
    public init(type: FourCharacterCode, contents: [UInt8]) {
        self.type = type
        self.contents = contents
    }
}

/// A key and value of a file's metadata.
public struct AudioFileInformation: Sendable, Equatable {
    /// The key: "title", "artist", "album", "comments".
    public var key: String
    /// The value of the key, as text.
    public var value: String

    /// Makes an entry from a key and a value.
    public init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}

/// A position in the audio.
///
/// Corresponds to the published structure `AudioFileMarker`.
public struct AudioFileMarker: Sendable, Equatable {
    /// The position in frames of audio, possibly fractional.
    public var framePosition: Double
    /// The name; empty if the marker has none.
    public var name: String
    /// The number of the marker in the file.
    public var identifier: UInt32
    /// The type of marker: 0 for generic, or a code such as 'pbeg'.
    public var type: UInt32
    /// The channel that the marker belongs to; 0 for all channels.
    public var channel: UInt32

    /// Makes a marker, by default a generic one without a name for all channels.
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

/// A range of the audio.
///
/// Corresponds to the published structure `AudioFileRegion`.
public struct AudioFileRegion: Sendable, Equatable {
    /// The number of the region in the file.
    public var identifier: UInt32
    /// The name; empty if the region has none.
    public var name: String
    /// The playback options: 1 to loop, 2 to play forwards, 4 to play backwards.
    public var flags: UInt32
    /// The markers at the start and end of the region, and any further markers in it.
    public var markers: [AudioFileMarker]

    /// Makes a region, by default without name, options and markers.
    public init(identifier: UInt32, name: String = "", flags: UInt32 = 0, markers: [AudioFileMarker] = []) {
        self.identifier = identifier
        self.name = name
        self.flags = flags
        self.markers = markers
    }
}
